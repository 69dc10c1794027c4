package audit

import (
	"context"
	"io"
	"net/http"
	"sync"
)

// The server starts a goroutine for each request, too, and nothing of the request
// goes with this one: as likely as not it is one that somebody asks for by hand.
func handlerAudit(w http.ResponseWriter, r *http.Request) {
	go get("https://peer.example/refresh") // want `a goroutine is started for every request and nothing limits how many there are at once: each makes an outbound call .*go-per-item`
}

// What a user clicks on.
func routes(mux *http.ServeMux, jobs chan string) {
	mux.HandleFunc("/save", func(w http.ResponseWriter, r *http.Request) {
		start(r.FormValue("url"))                 // want `for every request \(go get via start\) .*go-per-item`
		go func() { jobs <- r.PathValue("id") }() // want `for every request only to hand something on.*late-acquire`
	})
}

// The caller goes on to wait for the answer, in the helper or after it.
func notify(jobs chan string, s string) { go func() { jobs <- s }() }

func notifyAudit(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	notify(nil, string(body)) // want `for every request .*late-acquire`
}

type indexer struct{ rebuild func(context.Context) }

// Nothing is known of what it does.
func (i *indexer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	go i.rebuild(context.WithoutCancel(r.Context())) // want `for every request .*go-per-item`
}

// Started by a helper, and nothing is known of it.
func async(f func()) { go f() }

type machine struct{ steps map[string]func() }

func (m *machine) unknownAudit(in chan string) {
	for s := range in {
		async(m.steps[s]) // want `go-per-item`
	}
}

// Each waits for the parts of something that has been started.
func campaignsAudit(campaigns []*sync.WaitGroup) {
	for _, c := range campaigns {
		go func() { // want `go-per-item`
			c.Wait()
			get("https://peer.example/finished")
		}()
	}
}

// The way is long enough to be improbable.
func start(url string) { go get(url) }

func startTwo(url string) { start(url) }

func farAudit(in chan string) {
	for url := range in {
		startTwo(url) // want `go get via startTwo, start.*go-per-item`
	}
}

// Each waits for the end of something that has been started.
type payment struct{ settled chan struct{} }

func settleAudit(payments chan *payment, quit chan struct{}, log func(*payment)) {
	for p := range payments {
		go waitFor(p, quit) // want `go-per-item`
	}
}

func waitFor(p *payment, quit chan struct{}) {
	select {
	case <-p.settled:
	case <-quit:
	}
}

// A peer is a connection.
type peer interface {
	RemoteAddr() string
	Next() (string, error)
}

func peersAudit(peers chan peer, serve func(peer)) {
	for p := range peers {
		go serve(p) // want `accept-spawn`
	}
}
