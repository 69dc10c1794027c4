// Package ok has code that looks like what is reported and is right.
package ok

import (
	"context"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

func work(string) { time.Sleep(time.Second) }

func get(url string) error { _, err := http.Get(url); return err }

// Numbers that do not come with the load.

func constantOk() {
	for i := 0; i < 8; i++ {
		go get("https://peer.example")
	}
	for _, url := range []string{"a", "b", "c"} {
		go get(url)
	}
}

func workersOk(n int, in <-chan string) {
	for range n {
		go func() {
			for s := range in {
				get(s)
			}
		}()
	}
}

func tickerOk(tick *time.Ticker, done chan struct{}) {
	for {
		select {
		case <-tick.C:
			go work("")
		case <-done:
			return
		}
	}
}

func signalsOk(signals chan os.Signal, wake chan struct{}, leader chan bool, errs chan error) {
	for {
		select {
		case <-signals:
			go work("")
		case <-wake:
			go work("")
		case <-leader:
			go work("")
		case err := <-errs:
			go work(err.Error())
		}
	}
}

// Nothing that lasts.

func shortOk(in <-chan string, n *atomic.Int64) {
	for range in {
		go n.Add(1)
	}
}

func sliceOk(list []string, sum *atomic.Int64) {
	for _, s := range list {
		go func() { sum.Add(int64(len(s))) }()
	}
}

// Tokens.

func tokenOk(in <-chan string) {
	sem := make(chan struct{}, 8)
	for s := range in {
		sem <- struct{}{}
		go func() {
			defer func() { <-sem }()
			get(s)
		}()
	}
}

func tokenOfAnyTypeOk(in <-chan string) {
	sem := make(chan int, 8)
	for s := range in {
		sem <- 1
		go func() {
			get(s)
			<-sem
		}()
	}
}

func dropOk(in <-chan string) {
	sem := make(chan bool, 8)
	for s := range in {
		select {
		case sem <- true:
		default:
			continue
		}
		go func() {
			defer func() { <-sem }()
			get(s)
		}()
	}
}

func selectedOk(ctx context.Context, in <-chan string) {
	sem := make(chan struct{}, 8)
	for s := range in {
		select {
		case sem <- struct{}{}:
		case <-ctx.Done():
			return
		}
		go func() {
			defer func() { <-sem }()
			get(s)
		}()
	}
}

// A token that is received and sent back.
func idleOk(in <-chan string, idle chan *http.Client) {
	for s := range in {
		c := <-idle
		go func() {
			c.Get(s)
			idle <- c
		}()
	}
}

type server struct {
	sem     chan struct{}
	active  int
	running atomic.Int32
	max     int
	mu      sync.Mutex
	seen    map[string]bool
	busy    bool
}

func (s *server) one(url string) {
	defer func() { <-s.sem }()
	get(url)
}

func (s *server) fieldOk(in <-chan string) {
	for url := range in {
		s.sem <- struct{}{}
		go s.one(url)
	}
}

func (s *server) take() { s.sem <- struct{}{} }

func (s *server) helperOk(in <-chan string) {
	for url := range in {
		s.take()
		go s.one(url)
	}
}

// The helper takes the token and starts the goroutine.
func (s *server) start(url string) {
	s.sem <- struct{}{}
	go s.one(url)
}

func (s *server) startedOk(in <-chan string) {
	for url := range in {
		s.start(url)
	}
}

func weightedOk(ctx context.Context, in <-chan string) {
	sem := semaphore.NewWeighted(8)
	for s := range in {
		if sem.Acquire(ctx, 1) != nil {
			return
		}
		go func() {
			defer sem.Release(1)
			get(s)
		}()
	}
}

func tryOk(in <-chan string) {
	sem := semaphore.NewWeighted(8)
	for s := range in {
		if !sem.TryAcquire(1) {
			continue
		}
		go func() {
			defer sem.Release(1)
			get(s)
		}()
	}
}

// Counts.

func (s *server) countOk(in <-chan string) {
	for url := range in {
		s.mu.Lock()
		if s.active >= s.max {
			s.mu.Unlock()
			continue
		}
		s.active++
		s.mu.Unlock()
		go func() {
			get(url)
			s.mu.Lock()
			s.active--
			s.mu.Unlock()
		}()
	}
}

func (s *server) atomicOk(in <-chan string) {
	for url := range in {
		if s.running.Add(1) > 100 {
			s.running.Add(-1)
			continue
		}
		go func() {
			defer s.running.Add(-1)
			get(url)
		}()
	}
}

// Once, or once a key.

func (s *server) keyOk(in <-chan string) {
	for url := range in {
		if _, ok := s.seen[url]; ok {
			continue
		}
		s.seen[url] = true
		go get(url)
	}
}

func (s *server) flagOk(in <-chan string) {
	for url := range in {
		if s.busy {
			continue
		}
		s.busy = true
		go get(url)
	}
}

func (s *server) casOk(in <-chan string) {
	var running atomic.Bool
	for url := range in {
		if !running.CompareAndSwap(false, true) {
			continue
		}
		go func() {
			defer running.Store(false)
			get(url)
		}()
	}
}

func onceOk(in <-chan string) {
	var once sync.Once
	for url := range in {
		once.Do(func() { go get(url) })
	}
}

type throttle struct{}

func (*throttle) wait() { time.Sleep(time.Millisecond) }

type limiter struct{ throttle *throttle }

func (l *limiter) throttledOk(in <-chan string) {
	for url := range in {
		l.throttle.wait()
		go get(url)
	}
}

// Waited for in the same round.

func batchOk(in <-chan []string) {
	for batch := range in {
		var wg sync.WaitGroup
		for _, s := range batch[:2] {
			wg.Add(1)
			go func() {
				defer wg.Done()
				work(s)
			}()
		}
		wg.Wait()
	}
}

func answerOk(ctx context.Context, in <-chan string) {
	for url := range in {
		done := make(chan error, 1)
		go func() { done <- get(url) }()
		select {
		case <-done:
		case <-ctx.Done():
			return
		}
	}
}

func handlerOk(w http.ResponseWriter, r *http.Request) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		get("https://peer.example")
	}()
	wg.Wait()
}

// A helper that waits for what it starts.
func fetch(url string) {
	var wg sync.WaitGroup
	wg.Go(func() { get(url) })
	wg.Wait()
}

func joinedOk(in <-chan string) {
	for url := range in {
		fetch(url)
	}
}

// Groups with a limit.

func limitOk(urls []string) error {
	var g errgroup.Group
	g.SetLimit(8)
	for _, url := range urls {
		g.Go(func() error { return get(url) })
	}
	return g.Wait()
}

func configure(g *errgroup.Group, n int) { g.SetLimit(n) }

func limitInHelperOk(urls []string) error {
	var g errgroup.Group
	configure(&g, 8)
	for _, url := range urls {
		g.Go(func() error { return get(url) })
	}
	return g.Wait()
}

func limitedGroup(ctx context.Context) *errgroup.Group {
	g, _ := errgroup.WithContext(ctx)
	g.SetLimit(8)
	return g
}

func limitInConstructorOk(ctx context.Context, urls []string) error {
	g := limitedGroup(ctx)
	for _, url := range urls {
		g.Go(func() error { return get(url) })
	}
	return g.Wait()
}

type fetcher struct{ g *errgroup.Group }

func newFetcher() *fetcher {
	f := &fetcher{g: new(errgroup.Group)}
	f.g.SetLimit(8)
	return f
}

func (f *fetcher) fieldOk(in <-chan string) {
	for url := range in {
		f.g.Go(func() error { return get(url) })
	}
}

func fromElsewhereOk(g *errgroup.Group, urls []string) {
	for _, url := range urls {
		g.Go(func() error { return get(url) })
	}
}

// Long-lived parts that are started.
func startOk(servers []*http.Server, stop chan struct{}) {
	for _, s := range servers {
		go func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(time.Second):
					get(s.Addr)
				}
			}
		}()
	}
}

func listenOk(ln net.Listener) {
	go func() {
		c, err := ln.Accept()
		if err == nil {
			c.Close()
		}
	}()
}

// A method says that one is under way.
func (s *server) inProgress() bool { return s.active > 0 }

func (s *server) progressOk(in <-chan string) {
	for url := range in {
		if s.inProgress() {
			continue
		}
		s.active++
		go get(url)
	}
}

// An answer goes to whoever waits for it.
type request struct {
	key   string
	reply chan string
}

func answer(r *request) { r.reply <- r.key }

func repliesOk(requests <-chan *request, quit chan struct{}) {
	for r := range requests {
		go answer(r)
	}
	for {
		select {
		case r := <-requests:
			go func() { r.reply <- r.key }()
		case <-quit:
			return
		}
	}
}

// Who asks whether it was started knows of a limit.
func tryGroupOk(g *errgroup.Group, in <-chan string) {
	for url := range in {
		f := func() error { _, err := http.Get(url); return err }
		if !g.TryGo(f) {
			f()
		}
	}
}
