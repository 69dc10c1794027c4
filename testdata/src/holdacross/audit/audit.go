// Package audit has what is worth reading in a review and no more: every
// function that ends in Audit has one finding of the audit tier, and the package
// has none of the default tier.
package audit

import (
	"context"
	"database/sql"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"holdacross/crosspkg/dep"
)

const peer = "http://peer.example"

// A lock whose only job is to serialise the writes of one connection has to be
// held while it writes.
type frames struct {
	mu   sync.Mutex
	conn net.Conn
	n    int
}

func (f *frames) writeAudit(p []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.conn.Write(p) // want `f\.mu .* is held across an outbound call \(\(net\.Conn\)\.Write\).*holdacross/lock-blocking`
	f.n++
}

// The same for the file that a log writes to.
type wal struct {
	mu   sync.Mutex
	file *os.File
	size int64
}

func (w *wal) syncAudit() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.file.Sync() // want `w\.mu .* is held across a flush to disk \(\(\*os\.File\)\.Sync\)`
	w.size = 0
}

// A wait in Close for goroutines that are all in sight and take no lock.
type pump struct {
	mu     sync.Mutex
	wg     sync.WaitGroup
	closed bool
}

func (p *pump) start() {
	p.wg.Add(1)
	go p.run()
}

func (p *pump) run() {
	defer p.wg.Done()
}

func (p *pump) closeAudit() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.wg.Wait() // want `p\.mu .* is held across a wait for other goroutines`
}

// A send to a loop of the package that takes no lock: it will be received.
type mailbox struct {
	mu    sync.Mutex
	in    chan int
	count int
}

func (m *mailbox) loop() {
	for v := range m.in {
		println(v)
	}
}

func (m *mailbox) putAudit(v int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count++
	m.in <- v // want `m\.mu .* is held across a channel send \(send on m\.in\)`
}

// A timer bounds the wait by less than -holdacross.max.
func (m *mailbox) timeoutAudit(out chan int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	select { // want `m\.mu .* is held across a select \(select with a timeout\)`
	case out <- m.count:
	case <-time.After(100 * time.Millisecond):
	}
}

// So does a deadline of the context.
func (m *mailbox) contextAudit(db *sql.DB) {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count++
	db.ExecContext(ctx, "delete from t") // want `m\.mu .* is held across a database call`
}

// A lock that start and stop take and nobody else.
type service struct {
	mu      sync.Mutex
	running bool
	client  *http.Client
}

func (s *service) StartAudit() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.client.Get(peer) // want `s\.mu .* is held across an outbound call`
	s.running = true
}

func (s *service) StopAudit() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.client.Get(peer) // want `s\.mu .* is held across an outbound call`
	s.running = false
}

// A lock named after the one job that it serialises.
type config struct {
	reloadMu sync.Mutex
	values   map[string]string
}

func (c *config) reloadAudit() {
	c.reloadMu.Lock()
	defer c.reloadMu.Unlock()
	http.Get(peer) // want `c\.reloadMu .* is held across an outbound call`
}

// One of many locks, chosen by a key, keeps only those from waiting who want
// the same key.
type keyed struct {
	locks map[string]*sync.Mutex
	n     int
}

func (k *keyed) keyAudit(key string) {
	k.locks[key].Lock()
	defer k.locks[key].Unlock()
	http.Get(peer) // want `k\.locks\[.*\] .* is held across an outbound call`
}

// Nobody else knows the object yet.
type session struct {
	mu   sync.Mutex
	data map[string]string
}

func newSessionAudit() *session {
	s := &session{data: map[string]string{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	http.Get(peer) // want `s\.mu .* is held across an outbound call`
	return s
}

// Rows that are streamed to somebody.
func streamAudit(db *sql.DB, out chan<- int) {
	rows, err := db.Query("select id from t")
	if err != nil {
		return
	}
	defer rows.Close()
	for rows.Next() {
		var id int
		rows.Scan(&id)
		out <- id // want `open rows .* is held across a channel send.*holdacross/rows-outbound`
	}
}

// A transaction across a bounded wait.
func txTimeoutAudit(db *sql.DB, in <-chan int) {
	tx, err := db.Begin()
	if err != nil {
		return
	}
	defer tx.Rollback()
	select { // want `transaction tx .* is held across a select \(select with a timeout\).*holdacross/tx-outbound`
	case <-in:
	case <-time.After(time.Second):
	}
}

// A wait in another package.
func (m *mailbox) otherPackageAudit(ch chan int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count += dep.Wait(ch) // want `m\.mu .* is held across a channel receive \(.* via dep\.Wait\)`
}

// Tokens that limit work of this package. The constructor fills the channel.
type limited struct {
	mu    sync.Mutex
	slots chan struct{}
	jobs  map[string]int
}

func newLimited() *limited {
	l := &limited{slots: make(chan struct{}, 4)}
	for range 4 {
		l.slots <- struct{}{}
	}
	return l
}

func (l *limited) leave() { l.slots <- struct{}{} }

func (l *limited) enterAudit(job string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	<-l.slots // want `l\.mu .* is held across a wait for a free slot \(slot of l\.slots\)`
	l.jobs[job]++
}

// With the old token nobody could do anything, and the tokens are all that is
// locked.
type signedIn struct {
	mu                    sync.Mutex
	client                *http.Client
	accessJWT, refreshJWT string
}

func (s *signedIn) tokens() (string, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accessJWT, s.refreshJWT
}

func (s *signedIn) accessToken() string {
	a, _ := s.tokens()
	return a
}

func (s *signedIn) Refresh(prior string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	resp, err := s.client.Get("https://peer.example/refresh") // want `lock-blocking`
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	s.accessJWT = resp.Header.Get("Token")
	return nil
}
