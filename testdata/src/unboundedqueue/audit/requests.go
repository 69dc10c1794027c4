package audit

import (
	"net/http"
	"sync"
)

// The server starts a goroutine for each request, too: one more is for a review.
func handlerAudit(w http.ResponseWriter, r *http.Request) {
	url := r.FormValue("callback")
	go get(url) // want `a goroutine is started for every request and nothing limits how many there are at once: each makes an outbound call .*go-per-item`
}

func start(url string) { go get(url) }

func routes(mux *http.ServeMux) {
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		start(r.URL.Path) // want `for every request \(go get via start\) .*go-per-item`
	})
}

type queue struct{ jobs chan string }

func (q *queue) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	go func() { q.jobs <- r.URL.Path }() // want `for every request only to hand something on.*late-acquire`
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
