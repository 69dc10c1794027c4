package ok

import (
	"database/sql"
	"net"
	"sync"
	"time"
)

type child struct {
	mu      sync.Mutex
	pid     int
	stopped chan struct{}
}

func (c *child) pidOf() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pid
}

// The constant switches the wait off.
func (c *child) killNowOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kill(true)
}

func (c *child) kill(now bool) {
	if !now {
		<-c.stopped
	}
	c.pid = 0
}

// Nor does it sleep for no time.
func (c *child) endOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endAfter(0)
}

// Not even two calls away.
func (c *child) endFurtherOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end()
}

func (c *child) end() { c.endAfter(0) }

func (c *child) endAfter(d time.Duration) {
	time.Sleep(d)
	c.pid = 0
}

// The host of a connection is an address: nobody is asked.
func (c *child) hostOk(conn net.Conn) ([]net.IP, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	host, _, err := net.SplitHostPort(conn.RemoteAddr().String())
	if err != nil {
		return nil, err
	}
	return net.LookupIP(host)
}

// The one answer that somebody waits for finds room.
type desk struct {
	mu      sync.Mutex
	waiting map[string]chan struct{}
}

func (d *desk) wait(id string) chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	ch := make(chan struct{}, 1)
	d.waiting[id] = ch
	return ch
}

func (d *desk) answerOk(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if ch := d.waiting[id]; ch != nil {
		ch <- struct{}{}
		delete(d.waiting, id)
	}
}

// A moment's sleep in one of a thousand rounds.
func (d *desk) spinOk(free func() bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := 0; !free(); i++ {
		if i%1000 == 1 {
			time.Sleep(time.Millisecond)
		}
	}
}

// What works in the transaction where there is one takes no second connection.
func insideOk(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := addMember(db, tx, "a"); err != nil {
		return err
	}
	return tx.Commit()
}

func addMember(db *sql.DB, tx *sql.Tx, name string) error {
	var err error
	if tx != nil {
		_, err = tx.Exec("insert into members values ($1)", name)
	} else {
		_, err = db.Exec("insert into members values ($1)", name)
	}
	return err
}

func insideCallbackOk(db *sql.DB) error {
	return inTransaction(db, func(tx *sql.Tx) error { return addTwo(db, tx) })
}

func addTwo(db *sql.DB, tx *sql.Tx) error {
	if err := addMember(db, tx, "a"); err != nil {
		return err
	}
	return addMember(db, tx, "b")
}

func inTransaction(db *sql.DB, f func(*sql.Tx) error) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit()
}

// The one word for each of those who wait finds room, and none gets a second.
type gate struct {
	mu      sync.Mutex
	n       int
	waiting []chan struct{}
}

func (g *gate) wait() chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	ch := make(chan struct{}, 1)
	g.waiting = append(g.waiting, ch)
	return ch
}

func (g *gate) openOk() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, ch := range g.waiting {
		ch <- struct{}{}
	}
	g.waiting = nil
}
