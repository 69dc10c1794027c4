package bad

import (
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
)

// The client is told that it is done, and sends the next.
type hooks struct {
	client http.Client
	db     *sql.DB
	jobs   chan string
}

func (h *hooks) forwardBad(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	go h.forward(string(body)) // want `for every request .*each makes an outbound call .*go-per-item`
	w.WriteHeader(http.StatusAccepted)
}

func (h *hooks) forward(url string) { h.client.Get(url) }

func (h *hooks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var v struct{ ID string }
	if json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&v) != nil {
		return
	}
	go func() { // want `for every request .*each queries the database .*go-per-item`
		h.db.ExecContext(context.Background(), "UPDATE visits SET n = n + 1 WHERE id = $1", v.ID)
	}()
}

func (h *hooks) enqueueBad(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	go func() { h.jobs <- string(body) }() // want `for every request only to hand something on.*late-acquire`
}

func (h *hooks) later(url string) { go h.forward(url) }

func (h *hooks) routes(mux *http.ServeMux) {
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		h.later(string(body)) // want `for every request \(go \(\*hooks\)\.forward via \(\*hooks\)\.later\) .*go-per-item`
	})
}

// A helper that starts what was registered is given the very value.
type router struct{ by map[string]func(event) }

func (r *router) runBad(in <-chan event) {
	for e := range in {
		r.route(e) // want `received from in \(go a function via \(\*router\)\.route\).*go-per-item`
	}
}

func (r *router) route(e event) {
	if f := r.by["all"]; f != nil {
		go f(e)
	}
}

// Each stays until the end of the object.
type leases struct {
	quit   chan struct{}
	revoke func(string)
}

func (l *leases) KeepBad(key string) {
	go func() { // want `a goroutine is started at every call of KeepBad and stays until l\.quit ends.*go-per-item`
		<-l.quit
		l.revoke(key)
	}()
}

func (l *leases) FollowBad(c io.Closer) {
	go l.closeAtEnd(c) // want `at every call of FollowBad.*go-per-item`
}

func (l *leases) closeAtEnd(c io.Closer) {
	<-l.quit
	c.Close()
}
