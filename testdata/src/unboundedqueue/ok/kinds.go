package ok

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// One at a time is read to its end: no stream.
func filesOk(names [3]string, use func(map[string]string)) {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		var m map[string]string
		json.NewDecoder(f).Decode(&m)
		go use(m)
		f.Close()
	}
}

func pollOk(url string, use func(string)) {
	for {
		resp, err := http.Get(url)
		if err != nil {
			return
		}
		var s string
		json.NewDecoder(resp.Body).Decode(&s)
		resp.Body.Close()
		use(s)
		time.Sleep(time.Minute)
	}
}

// A timer says how often, and what is read is not what is started.
type feed interface {
	Next() (string, error)
	Read([]byte) (int, error)
}

func timedOk(f feed, t *time.Ticker, do func(string)) {
	for range t.C {
		s, err := f.Next()
		if err != nil {
			return
		}
		go do(s)
	}
}

func otherOk(f feed, done chan error, close func() error) {
	for {
		s, err := f.Next()
		if err != nil || s == "" {
			go func() { done <- close() }()
			return
		}
	}
}

// Joined before the next piece is taken.
func piecesOk(urls []string) {
	for piece := range slices.Chunk(urls, 8) {
		var wg sync.WaitGroup
		for _, url := range piece {
			wg.Go(func() { http.Get(url) })
		}
		wg.Wait()
	}
}

func windowOk(urls []string, n int) {
	for i := 0; i < len(urls); i += n {
		var wg sync.WaitGroup
		for _, url := range urls[i:min(i+n, len(urls))] {
			wg.Go(func() { http.Get(url) })
		}
		wg.Wait()
	}
}

func windowEndOk(urls []string) {
	const n = 20
	for start := 0; start < len(urls); start += n {
		end := start + n
		if end > len(urls) {
			end = len(urls)
		}
		var g errgroup.Group
		for _, url := range urls[start:end] {
			g.Go(func() error { _, err := http.Get(url); return err })
		}
		g.Wait()
	}
}

func firstOk(urls []string) {
	for _, url := range urls[:min(4, len(urls))] {
		go http.Get(url)
	}
}

// A helper with a limit, and a list of two.
func limitedEach(list []string, f func(string) error) error {
	var g errgroup.Group
	g.SetLimit(8)
	for _, s := range list {
		g.Go(func() error { return f(s) })
	}
	return g.Wait()
}

func both(list []string, f func(string)) {
	var wg sync.WaitGroup
	for _, s := range list {
		wg.Go(func() { f(s) })
	}
	wg.Wait()
}

func helpersOk(urls []string) {
	limitedEach(urls, func(url string) error { _, err := http.Get(url); return err })
	both([]string{"https://a.example", "https://b.example"}, func(url string) { http.Get(url) })
	both(urls, func(string) {})
}

// What is added was taken before: filled once, or made where there is none.
type slotIDs struct {
	mu  sync.Mutex
	ids []int
}

func newSlotIDs(n int) *slotIDs {
	s := new(slotIDs)
	for id := range n {
		s.ids = append(s.ids, id)
	}
	return s
}

func (s *slotIDs) take() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.ids) == 0 {
		return 0, false
	}
	id := s.ids[0]
	s.ids = s.ids[1:]
	return id, true
}

func (s *slotIDs) giveOk(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ids = append(s.ids, id)
}

type pages struct {
	mu   sync.Mutex
	list []*[4096]byte
}

func (p *pages) get() *[4096]byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.list) == 0 {
		return &[4096]byte{}
	}
	page := p.list[0]
	p.list = p.list[1:]
	return page
}

func (p *pages) putOk(page *[4096]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = append(p.list, page)
}

// One goroutine for the object, and one that ends with what it is for.
type relay struct {
	quit chan struct{}
	conn io.Closer
}

func (r *relay) StartOk(c io.Closer) {
	go func() {
		<-r.quit
		c.Close()
	}()
}

func (r *relay) UseOk(c io.Closer) {
	r.conn = c
	go func() {
		<-r.quit
		c.Close()
	}()
}

func (r *relay) CopyOk(ctx context.Context, c io.ReadCloser) {
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-r.quit:
			c.Close()
		case <-done:
		}
	}()
	io.Copy(io.Discard, c)
}

// Grouped by key, each of them once, or with a limit.
type groups struct {
	mu      sync.Mutex
	byKey   map[string][]string
	limited map[string][]string
}

func (g *groups) AddOk(key, s string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.byKey[key] = append(g.byKey[key], s)
	if len(g.limited[key]) >= 100 {
		return
	}
	g.limited[key] = append(g.limited[key], s)
}

func (g *groups) Take(key string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.byKey, key)
	first := g.limited[key][0]
	g.limited[key] = g.limited[key][1:]
	return first
}

type boundedHub struct {
	in, out chan string
	kept    []string
}

func (h *boundedHub) loopOk() {
	for {
		in := h.in
		if len(h.kept) >= 64 {
			in = nil
		}
		var out chan string
		var first string
		if len(h.kept) > 0 {
			out, first = h.out, h.kept[0]
		}
		select {
		case s := <-in:
			h.kept = append(h.kept, s)
		case out <- first:
			h.kept = h.kept[1:]
		}
	}
}

// Merged with itself in each round: followed only so far.
func mergedOk(list []string, n int) {
	end := n
	for range 3 {
		for _, s := range list[:end] {
			go func() { _ = s }()
		}
		if end < len(list) {
			end = min(end, n)
		} else {
			end = len(list)
		}
	}
}
