package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// progress shows that a long run is alive: on a terminal always, elsewhere with
// -v only, a line every half minute.
type progress struct {
	mu    sync.Mutex
	what  string
	total int
	done  chan struct{}
	ended sync.WaitGroup
}

func startProgress(opts *options, total int) *progress {
	p := &progress{total: total, what: "analysing"}
	terminal := isTerminal(os.Stderr)
	if opts.quiet || !terminal && !opts.verbose {
		return p
	}
	p.done = make(chan struct{})
	if terminal {
		p.ended.Go(p.show)
	} else {
		p.ended.Go(p.beat)
	}
	return p
}

func (p *progress) beat() {
	started := time.Now()
	tick := time.NewTicker(30 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-p.done:
			return
		case <-tick.C:
			p.mu.Lock()
			fmt.Fprintf(os.Stderr, "concvet: %s … %ds\n", p.what, int(time.Since(started).Seconds()))
			p.mu.Unlock()
		}
	}
}

func (p *progress) show() {
	const quietFor = 2 * time.Second
	started := time.Now()
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	shown := false
	for {
		select {
		case <-p.done:
			if shown {
				fmt.Fprint(os.Stderr, "\r\x1b[K")
			}
			return
		case <-tick.C:
			if since := time.Since(started); since >= quietFor {
				p.mu.Lock()
				fmt.Fprintf(os.Stderr, "\r\x1b[Kconcvet: %s … %ds", p.what, int(since.Seconds()))
				p.mu.Unlock()
				shown = true
			}
		}
	}
}

func (p *progress) target(i int, dir, platform string) {
	if p.total < 2 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if platform != "" {
		platform = " for " + platform
	}
	p.what = fmt.Sprintf("module %d of %d (%s%s)", i+1, p.total, filepath.Base(dir), platform)
}

// stop takes the line away; nothing is written after it returns.
func (p *progress) stop() {
	if p.done != nil {
		close(p.done)
		p.ended.Wait()
		p.done = nil
	}
}
