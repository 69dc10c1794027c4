// Package tokens has goroutines that a channel of slots can limit.
package tokens

import (
	"net"
	"net/http"
	"sync"
)

func get(url string) {
	resp, err := http.Get(url)
	if err == nil {
		resp.Body.Close()
	}
}

func callGood(in <-chan string) {
	for url := range in {
		go get(url) // want `go-per-item`
	}
}

func literalGood(in <-chan string) {
	for url := range in {
		// One at a time would be too slow.
		go func() { // want `go-per-item`
			get(url)
		}()
	}
}

func lineGood(in <-chan string) {
	for url := range in {
		go func() { get(url) }() // want `go-per-item`
	}
}

func argumentGood(in <-chan string) {
	for url := range in {
		go func(u string) { // want `go-per-item`
			get(u)
		}(url)
	}
}

func listGood(urls []string) {
	var wg sync.WaitGroup
	for _, url := range urls {
		wg.Add(1)
		go func() { // want `go-per-item`
			defer wg.Done()
			get(url)
		}()
	}
	wg.Wait()
}

func nestedGood(in <-chan []string) {
outer:
	for urls := range in {
		for _, url := range urls {
			if url == "" {
				continue outer
			}
			go get(url) // want `go-per-item`
		}
	}
}

// What the goroutine does is not known: it may wait for the loop.
func packetJudge(pc net.PacketConn, handle func([]byte, net.Addr)) error {
	for {
		buf := make([]byte, 512)
		n, from, err := pc.ReadFrom(buf)
		if err != nil {
			return err
		}
		go handle(buf[:n], from) // want `go-per-item`
	}
}

// The loop serves others as well.
func selectJudge(in <-chan string, quit chan struct{}) {
	for {
		select {
		case url := <-in:
			go get(url) // want `go-per-item`
		case <-quit:
			return
		}
	}
}

func lateGood(in <-chan string) {
	sem := make(chan struct{}, 8)
	for url := range in {
		go func() { // want `late-acquire`
			sem <- struct{}{}
			defer func() { <-sem }()
			get(url)
		}()
	}
}

type server struct{ sem chan struct{} }

func newServer() *server { return &server{sem: make(chan struct{}, 8)} }

func (s *server) lateFieldGood(in <-chan string, wg *sync.WaitGroup) {
	for url := range in {
		wg.Add(1)
		go func() { // want `late-acquire`
			defer wg.Done()
			s.sem <- struct{}{}
			get(url)
			<-s.sem
		}()
	}
}
