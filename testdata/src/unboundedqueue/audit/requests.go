package audit

import (
	"container/list"
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"sync"

	"unboundedqueue/audit/models"
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

// The handler queries first, so that who asks waits for that: what users do by
// hand.
type settings struct {
	db     *sql.DB
	client http.Client
	jobs   chan string
}

func (s *settings) updateAudit(w http.ResponseWriter, r *http.Request) {
	var v struct{ ID string }
	if json.NewDecoder(r.Body).Decode(&v) != nil {
		return
	}
	if _, err := s.db.ExecContext(r.Context(), "UPDATE settings SET id = $1", v.ID); err != nil {
		return
	}
	go s.client.Get("https://peer.example/" + v.ID)                                               // want `for every request .*each makes an outbound call .*go-per-item`
	go func() { s.db.ExecContext(context.Background(), "DELETE FROM old WHERE id = $1", v.ID) }() // want `for every request .*go-per-item`
	go func() { s.jobs <- v.ID }()                                                                // want `for every request .*late-acquire`
}

// A list that somebody has gathered.
func batchesAudit(in <-chan []string) {
	for batch := range in {
		go func() { // want `every value that is received from in .*go-per-item`
			for _, url := range batch {
				get(url)
			}
		}()
	}
}

// Who sends it waits for the acknowledgement.
type message struct{ URL string }

func (m *message) Ack() bool  { return true }
func (m *message) Nack() bool { return true }

func acknowledgedAudit(in <-chan *message) {
	for m := range in {
		go func() { // want `every value that is received from in .*go-per-item`
			get(m.URL)
			m.Ack()
		}()
	}
}

// One for each of what a helper finds in a message, which is most often nothing.
func blocksAudit(in <-chan string, found func(string) map[string]bool) {
	for b := range in {
		inspect(b, found) // want `every value that is received from in \(.* via inspect\) .*go-per-item`
	}
}

func inspect(b string, found func(string) map[string]bool) {
	for f := range found(b) {
		if f != "" {
			go get("https://peer.example/" + f + b) // want `every entry of a map .*go-per-item`
		}
	}
}

// Nobody knows what it takes, and it is in step with the writer of the connection.
type remote struct {
	model interface{ Request(string) string }
	out   chan string
	sent  chan struct{}
}

func (p *remote) dispatchAudit(in <-chan string) {
	for s := range in {
		go p.handle(s) // want `go-per-item`
	}
}

func (p *remote) handle(s string) {
	p.out <- p.model.Request(s)
	<-p.sent
}

// The helper queries before it starts the goroutine.
func (s *settings) approveAudit(w http.ResponseWriter, r *http.Request) {
	var v struct{ ID string }
	if json.NewDecoder(r.Body).Decode(&v) != nil {
		return
	}
	s.approve(r.Context(), v.ID) // want `for every request \(.* via .*approve\) .*go-per-item`
}

func (s *settings) approve(ctx context.Context, id string) {
	if _, err := s.db.ExecContext(ctx, "UPDATE requests SET ok = 1 WHERE id = $1", id); err != nil {
		return
	}
	go s.client.Get("https://peer.example/" + id)
}

// What is too much goes to a disk.
type diskOverflow struct {
	mu    sync.Mutex
	input list.List
}

func (q *diskOverflow) put(v string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.input.PushBack(v) // want `list-queue`
}

func (q *diskOverflow) take() any {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.input.Front()
	return q.input.Remove(e)
}

// Who asks waits for the answer.
type closing struct {
	url string
	err chan error
}

type breach struct {
	url        string
	ProcessACK func(error)
}

func answersAudit(in <-chan *closing, events <-chan breach) {
	for {
		select {
		case c := <-in:
			go func() { // want `go-per-item`
				get(c.url)
				c.err <- nil
			}()
		case b := <-events:
			go func() { // want `go-per-item`
				get(b.url)
				b.ProcessACK(nil)
			}()
		}
	}
}

// A log that is cut where it is no longer needed.
type segments struct {
	mu   sync.Mutex
	list []io.Closer
}

func newSegments(first io.Closer) *segments {
	s := &segments{}
	s.list = append(s.list, first)
	return s
}

func (s *segments) add(c io.Closer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, c) // want `the slice list is a queue without a limit: .*slice-queue`
}

func (s *segments) release(index int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	keep := 0
	for i := range s.list {
		if i < index {
			s.list[i].Close()
			keep = i
		}
	}
	s.list = s.list[keep:]
}

// Or asks somebody unknown, or keeps the upload.
type sessions struct {
	storage interface {
		Session(context.Context, string) (string, error)
	}
}

func (s *sessions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id, _ := io.ReadAll(r.Body)
	url, err := s.storage.Session(r.Context(), string(id))
	if err != nil {
		return
	}
	go get(url) // want `for every request .*go-per-item`
}

func uploadAudit(w http.ResponseWriter, r *http.Request) {
	f, err := os.CreateTemp("", "upload")
	if err != nil {
		return
	}
	defer f.Close()
	if _, err := io.Copy(f, r.Body); err != nil {
		return
	}
	name, _ := io.ReadAll(r.Body)
	go get("https://peer.example/" + string(name)) // want `for every request .*go-per-item`
}

// It is kept somewhere first.
func campaignAudit(w http.ResponseWriter, r *http.Request) {
	var c models.Campaign
	if json.NewDecoder(r.Body).Decode(&c) != nil {
		return
	}
	if err := models.Post(&c); err != nil {
		return
	}
	go get(c.URL) // want `for every request .*go-per-item`
}

// The goroutine serves the connection in the place of its handler, which has
// taken it over from the server.
func takenOver(w http.ResponseWriter, r *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	go func() { // want `late-acquire`
		slots <- struct{}{}
		defer func() { <-slots }()
		serve(conn)
	}()
}

var slots = make(chan struct{}, 8)
