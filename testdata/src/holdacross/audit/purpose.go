package audit

import (
	"database/sql"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"sync"
	"time"
)

// With a token that is too old nobody could do anything, and a token is all that
// they want the lock for.
type account struct {
	mu      sync.Mutex
	token   string
	expires time.Time
}

func (a *account) Renew() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if time.Until(a.expires) > time.Minute {
		return nil
	}
	resp, err := http.Get("http://a.example") // want `a\.mu .* is held across an outbound call.*holdacross/lock-blocking`
	if err != nil {
		return err
	}
	a.token, a.expires = resp.Header.Get("Token"), time.Now().Add(time.Hour)
	return nil
}

func (a *account) sign(r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r.Header.Set("Authorization", a.token)
}

// Who updates the program wants to be alone.
type updater struct {
	mu      sync.Mutex
	version string
}

func (u *updater) Upgrade() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	_, err := http.Get("http://a.example") // want `u\.mu .* is held across an outbound call.*holdacross/lock-blocking`
	return err
}

func (u *updater) Version() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.version
}

// Made, filled and sent by one caller.
type requestBatch struct {
	mu   wrapped
	urls []string
}

func newBatch() *requestBatch { return &requestBatch{} }

func (b *requestBatch) add(url string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.urls = append(b.urls, url)
}

func (b *requestBatch) Send() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, url := range b.urls {
		http.Get(url) // want `b\.mu\.Mutex .* is held across an outbound call.*holdacross/lock-blocking`
	}
}

// One object for each address, for those who set something up.
type device struct{ addr string }

var (
	devicesMu sync.Mutex
	devices   = map[string]*device{}
)

func Device(addr string) (*device, error) {
	devicesMu.Lock()
	defer devicesMu.Unlock()
	if d := devices[addr]; d != nil {
		return d, nil
	}
	if _, err := http.Get(addr); err != nil { // want `devicesMu .* is held across an outbound call.*holdacross/lock-blocking`
		return nil, err
	}
	devices[addr] = &device{addr}
	return devices[addr], nil
}

func known() int {
	devicesMu.Lock()
	defer devicesMu.Unlock()
	return len(devices)
}

// Nobody may use the store before it has the lock of the database.
type exclusive struct {
	mu sync.Mutex
	db *sql.DB
	n  int
}

func (s *exclusive) GetExclusiveLock() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range 3 {
		if s.n > 0 {
			return true
		}
		time.Sleep(time.Second) // want `s\.mu .* is held across a sleep.*holdacross/lock-blocking`
	}
	return false
}

func (s *exclusive) add() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
}

// What has been counted is sent when the program ends.
var (
	countedMu sync.Mutex
	counted   int
)

func Count() {
	countedMu.Lock()
	defer countedMu.Unlock()
	counted++
}

func Persist() {
	countedMu.Lock()
	defer countedMu.Unlock()
	http.Get("http://a.example") // want `countedMu .* is held across an outbound call.*holdacross/lock-blocking`
}

// A line about an error finds room in the buffers on the way.
type visitor struct {
	conn net.Conn
}

func (s *visitor) check(err error) {
	if err == nil {
		return
	}
	fmt.Fprintf(s.conn, "%v\n", err)
	panic(err)
}

func (b *board) add(s *visitor, name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.names = append(b.names, name)
	s.check(valid(name)) // want `b\.mu .* is held across an outbound call.*holdacross/lock-blocking`
}

func valid(name string) error {
	if name == "" {
		return fmt.Errorf("no name")
	}
	return nil
}

// Looked up once in the life of the program.
var support struct {
	mu            sync.RWMutex
	flags         struct{ checked, has bool }
	pools         map[string]bool
	lastRequested string
}

func Supported(pool string) bool {
	support.mu.RLock()
	defer support.mu.RUnlock()
	upgraded := func(f func()) {
		support.mu.RUnlock()
		defer support.mu.RLock()
		support.mu.Lock()
		defer support.mu.Unlock()
		f()
	}
	if !support.flags.checked {
		err := exec.Command("receive").Run() // want `support\.mu .* is held across a wait for another process.*holdacross/lock-blocking`
		upgraded(func() {
			support.flags.checked = true
			support.flags.has = err == nil
		})
	}
	return support.flags.has
}

// It happens once, and there is room for the word of it.
type link struct {
	mu    sync.Mutex
	conn  net.Conn
	ready chan struct{}
}

func newLink() *link { return &link{ready: make(chan struct{}, 1)} }

func (l *link) write(conn net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == nil {
		l.conn = conn
		l.ready <- struct{}{} // want `l\.mu .* is held across a channel send.*holdacross/lock-blocking`
	}
}

func (l *link) read() net.Conn {
	<-l.ready
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.conn
}

// The wait ends by itself, and nobody needs what is about to be gone.
type process struct {
	mu   sync.Mutex
	pid  int
	quit chan struct{}
}

func (p *process) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pid = 0
	select { // want `p\.mu .* is held across a select.*holdacross/lock-blocking`
	case <-p.quit:
	case <-time.After(time.Minute):
	}
}

func (p *process) give() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pid > 0 {
		close(p.quit)
	}
}

// Goroutines that do a part of the work in the transaction.
type crew struct {
	work chan int
	wg   sync.WaitGroup
}

func newCrew(f func(int)) *crew {
	c := &crew{work: make(chan int, 8)}
	for range 4 {
		c.wg.Go(func() {
			for n := range c.work {
				f(n)
			}
		})
	}
	return c
}

func (c *crew) stop() {
	close(c.work)
	c.wg.Wait()
}

func hire(db *sql.DB, f func(int)) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	crew := newCrew(f)
	crew.work <- 1 // want `transaction tx .* is held across a channel send.*holdacross/tx-outbound`
	crew.stop()    // want `transaction tx .* is held across a wait for other goroutines.*holdacross/tx-outbound`
	return tx.Commit()
}

// A slot of work for others, so far away that it knows nothing of the transaction.
type hall struct {
	seats chan struct{}
	n     int
}

func newHall() *hall { return &hall{seats: make(chan struct{}, 4)} }

func (h *hall) announce(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	h.dispatch() // want `transaction tx .* is held across a wait for a free slot.*holdacross/tx-outbound`
	return tx.Commit()
}

func (h *hall) dispatch()  { h.execute() }
func (h *hall) execute()   { h.broadcast() }
func (h *hall) broadcast() { h.sit() }

func (h *hall) sit() {
	h.seats <- struct{}{}
	defer func() { <-h.seats }()
	h.n++
}
