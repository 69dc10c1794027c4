// Package audit has what is worth reading in a review, and nothing that is for
// the default tier.
package audit

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/net/netutil"
)

func get(url string) { http.Get(url) }

func serve(c net.Conn) {
	defer c.Close()
	c.Read(make([]byte, 512))
}

func acceptAudit(ln net.Listener) {
	for {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		go serve(c) // want `a goroutine is started for every connection and nothing limits how many connections are open.*accept-spawn`
	}
}

func connsAudit(conns chan net.Conn) {
	for c := range conns {
		go serve(c) // want `accept-spawn`
	}
}

func limitedOk(ln net.Listener) {
	ln = netutil.LimitListener(ln, 512)
	for {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		go serve(c)
	}
}

type server struct {
	ln    net.Listener
	peers []string
	conns map[string]net.Conn
}

func newServer(ln net.Listener) *server { return &server{ln: netutil.LimitListener(ln, 512)} }

func (s *server) limitedFieldOk() {
	for {
		c, err := s.ln.Accept()
		if err != nil {
			return
		}
		go serve(c)
	}
}

// A list that the object has.
func (s *server) peersAudit() {
	for _, p := range s.peers {
		go get(p) // want `every element of s\.peers .*go-per-item`
	}
}

func (s *server) mapAudit() {
	for url := range s.conns {
		go get(url) // want `every entry of s\.conns .*go-per-item`
	}
}

func replicasAudit(replicas []string) {
	for _, r := range replicas {
		go get(r) // want `go-per-item`
	}
}

func startAudit(urls []string) {
	for _, url := range urls {
		go get(url) // want `go-per-item`
	}
}

// An unknown body that is given a context.
func contextAudit(ctx context.Context, list []string, f func(context.Context, string)) {
	for _, s := range list {
		go f(ctx, s) // want `go-per-item`
	}
}

// One for each thing that appears, for good.
func foreverAudit(in chan string, stop chan struct{}) {
	for s := range in {
		go func() { // want `go-per-item`
			for {
				select {
				case <-stop:
					return
				case <-time.After(time.Minute):
					get(s)
				}
			}
		}()
	}
}

// There are as many goroutines as elements, which are in memory already.
func lateAudit(list []string) {
	sem := make(chan struct{}, 4)
	var wg sync.WaitGroup
	for _, s := range list {
		wg.Add(1)
		go func() { // want `late-acquire`
			defer wg.Done()
			sem <- struct{}{}
			defer func() { <-sem }()
			get(s)
		}()
	}
	wg.Wait()
}

type batch struct {
	mu    sync.Mutex
	items []string
}

func (b *batch) AddAudit(s string) {
	b.mu.Lock()
	b.items = append(b.items, s) // want `slice-queue`
	b.mu.Unlock()
}

func (b *batch) Take() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	items := b.items
	b.items = nil
	return items
}
