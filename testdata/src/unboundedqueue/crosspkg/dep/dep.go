// Package dep starts goroutines for its callers.
package dep

import (
	"context"
	"net"
	"net/http"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Notify calls url, later.
func Notify(url string) { go http.Get(url) }

// Async calls f, later.
func Async(f func()) { go f() }

// Limited starts no more than it may.
type Limited struct{ sem chan struct{} }

func New() *Limited { return &Limited{sem: make(chan struct{}, 8)} }

func (l *Limited) Notify(url string) {
	l.sem <- struct{}{}
	go func() {
		defer func() { <-l.sem }()
		http.Get(url)
	}()
}

// NotifyAll waits for what it starts.
func NotifyAll(urls [2]string) {
	done := make(chan struct{})
	for _, url := range urls {
		go func() {
			http.Get(url)
			done <- struct{}{}
		}()
	}
	<-done
	<-done
}

// Reader hands out packets.
type Reader struct{ pc net.PacketConn }

func (r *Reader) Next() ([]byte, error) {
	buf := make([]byte, 512)
	n, _, err := r.pc.ReadFrom(buf)
	return buf[:n], err
}

// Group makes a group with a limit.
func Group() *errgroup.Group {
	g := new(errgroup.Group)
	g.SetLimit(8)
	return g
}

// Each calls f for every element, all at once, and waits for them.
func Each[T any](list []T, f func(T)) {
	var wg sync.WaitGroup
	for _, v := range list {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f(v)
		}()
	}
	wg.Wait()
}

// Gather does the same with a group.
func Gather(ctx context.Context, list []string, f func(context.Context, string) error) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, v := range list {
		g.Go(func() error { return f(ctx, v) })
	}
	return g.Wait()
}

// Few does it with a limit, InTurn with slots.
func Few(list []string, f func(string)) {
	g := new(errgroup.Group)
	g.SetLimit(8)
	for _, v := range list {
		g.Go(func() error { f(v); return nil })
	}
	g.Wait()
}

func InTurn(list []string, f func(string)) {
	slots := make(chan struct{}, 8)
	for _, v := range list {
		slots <- struct{}{}
		go func() {
			defer func() { <-slots }()
			f(v)
		}()
	}
}
