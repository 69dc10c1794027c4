package bad

import (
	"database/sql"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Who wants to know how many there are needs no token.
type member struct {
	mu      sync.Mutex
	token   string
	expires time.Time
	n       int
}

func (m *member) RenewBad() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if time.Until(m.expires) > time.Minute {
		return nil
	}
	resp, err := http.Get(peer) // want `m\.mu .* is held across an outbound call.*holdacross/lock-blocking`
	if err != nil {
		return err
	}
	m.token, m.expires = resp.Header.Get("Token"), time.Now().Add(time.Hour)
	return nil
}

func (m *member) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.n
}

// Who keeps a batch lets others fill it.
type orderBatch struct {
	mu     sync.Mutex
	orders []string
}

type shop struct{ batch *orderBatch }

func (s *shop) order(name string) { s.batch.add(name) }

func (b *orderBatch) add(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.orders = append(b.orders, name)
}

func (b *orderBatch) SendBad() {
	b.mu.Lock()
	defer b.mu.Unlock()
	http.Get(peer) // want `b\.mu .* is held across an outbound call.*holdacross/lock-blocking`
	b.orders = nil
}

// What is handed out is data, which many ask for.
var (
	ratesMu sync.Mutex
	rates   = map[string]float64{}
)

func RateBad(name string) float64 {
	ratesMu.Lock()
	defer ratesMu.Unlock()
	if r := rates[name]; r > 0 {
		return r
	}
	http.Get(peer) // want `ratesMu .* is held across an outbound call.*holdacross/lock-blocking`
	rates[name] = 1
	return 1
}

func knownRates() int {
	ratesMu.Lock()
	defer ratesMu.Unlock()
	return len(rates)
}

// A line that is always written, after an error or not.
func (m *member) tellBad(conn net.Conn) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.say(conn, nil) // want `m\.mu .* is held across an outbound call.*holdacross/lock-blocking`
}

func (m *member) say(conn net.Conn, err error) {
	if err != nil {
		m.n++
	}
	fmt.Fprintf(conn, "%d %v\n", m.n, err)
}

// More than one value comes, and there is room for one.
type bell struct {
	mu    sync.Mutex
	n     int
	rings chan struct{}
}

func newBell() *bell { return &bell{rings: make(chan struct{}, 1)} }

func (b *bell) ringBad() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rings <- struct{}{} // want `b\.mu .* is held across a channel send.*deadlock.*holdacross/lock-blocking`
}

func (b *bell) hearBad() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n++
	<-b.rings // want `b\.mu .* is held across a channel receive.*deadlock.*holdacross/lock-blocking`
}

// Somebody else's goroutines may be at work for others.
func deliverBad(db *sql.DB, done *sync.WaitGroup) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	done.Wait() // want `transaction tx .* is held across a wait for other goroutines.*holdacross/tx-outbound`
	return tx.Commit()
}

// Goroutines of the transaction's own that call out.
func fetchAllBad(db *sql.DB, urls []string) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var wg sync.WaitGroup
	for _, url := range urls {
		wg.Go(func() { http.Get(url) })
	}
	wg.Wait() // want `transaction tx .* is held across an outbound call.*holdacross/tx-outbound`
	return tx.Commit()
}
