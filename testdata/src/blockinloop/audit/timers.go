package audit

import (
	"context"
	"database/sql"
	"log"
	"net/http"
	"os"
	"sync"
	"time"
)

// What else the loop serves does nothing but set its timer: like a tick, it may
// be late.
type reporter struct {
	client  *http.Client
	force   chan struct{}
	next    chan time.Duration
	changed chan struct{}
	timer   *time.Timer
	ticker  *time.Ticker
}

func (r *reporter) forced(ctx context.Context) {
	t := time.NewTimer(time.Hour)
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.force:
			t.Reset(0)
		case <-t.C:
			r.client.Get("http://peer.example/report") // want `an outbound call .* in an event loop, which also serves r\.force`
		}
	}
}

func (r *reporter) delayed(work <-chan string) {
	for {
		select {
		case d := <-r.next:
			log.Print("the next one is due in ", d)
			r.timer.Reset(d)
			continue
		case <-r.changed:
			r.ticker.Stop()
			r.ticker = time.NewTicker(r.pause())
		case w := <-work:
			r.client.Get("http://peer.example/" + w) // want `an outbound call .* in an event loop, which also serves r\.next, r\.changed and ticks of r\.timer`
		case <-r.timer.C:
		}
	}
}

func (r *reporter) pause() time.Duration { return time.Minute }

// A client that has been told to end is waited for: it does so at once.
type clients struct {
	all    map[string]*subscriber
	cancel chan string
	add    chan *subscriber
	events chan int
}

type subscriber struct {
	name string
	stop chan struct{}
	wg   sync.WaitGroup
}

func (c *clients) run() {
	for {
		select {
		case name := <-c.cancel:
			s := c.all[name]
			close(s.stop)
			s.wg.Wait() // want `a wait for other goroutines .* in an event loop, which also serves c\.add and c\.events`
			delete(c.all, name)
		case s := <-c.add:
			c.all[s.name] = s
		case <-c.events:
		}
	}
}

// Each failure in a row makes the pause longer.
func failures(ctx context.Context, accept func() error, work func()) {
	failed := 0
	for {
		select {
		case <-ctx.Done():
			return
		default:
		}
		if accept() != nil {
			failed++
			time.Sleep(time.Duration(failed) * time.Second) // want `a sleep .* in a loop that ends with ctx`
			continue
		}
		failed = 0
		work()
	}
}

// Who sends has put it into a buffer, and uses the same disk.
type cleaner struct {
	db    *sql.DB
	names chan name
	left  []name
}

type name string

func newCleaner(db *sql.DB) *cleaner { return &cleaner{db: db, names: make(chan name, 10)} }

func (c *cleaner) run(tick *time.Ticker) {
	for {
		select {
		case n := <-c.names:
			c.left = append(c.left, n)
		case <-tick.C:
			for _, n := range c.left {
				c.db.Exec("DELETE FROM names WHERE name = ?", n) // want `a database call .* in an event loop, which also serves c\.names`
			}
		}
	}
}

// A retry that is late by a second.
func aSecond(stop <-chan struct{}, try func() error, done chan<- struct{}) {
	defer close(done)
	for {
		select {
		case <-stop:
			return
		default:
		}
		if try() == nil {
			continue
		}
		time.Sleep(time.Second) // want `a sleep .* in a loop that ends with stop`
	}
}

// Nobody waits for the end of the goroutine, and nothing is late for it.
type prober struct{ check func() error }

func (m *prober) start(ctx context.Context) {
	go m.watch(ctx)
	go func() {
		for ctx.Err() == nil {
			m.check()
			time.Sleep(time.Minute) // want `a sleep .* in a loop that ends with ctx`
		}
	}()
}

func (m *prober) watch(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		default:
			m.check()
		}
		time.Sleep(10 * time.Second) // want `a sleep .* in a loop that ends with ctx`
	}
}

// That a call has returned may be noted later: it is what the fix writes.
func (r *reporter) oneAtATime(other *time.Ticker) {
	next := other.C
	returned := make(chan struct{}, 1)
	for {
		select {
		case <-r.ticker.C:
			r.client.Get("http://peer.example/") // want `an outbound call .* in an event loop, which also serves`
		case <-next:
			next = nil
			go func() {
				r.client.Get("http://peer.example/other")
				returned <- struct{}{}
			}()
		case <-returned:
			next = other.C
		}
	}
}

// The same with channels of the package.
type id int

var gone, lost = make(chan id, 10), make(chan (id), 10)

func reap(db *sql.DB, tick *time.Ticker) {
	var all []id
	for {
		select {
		case i := <-gone:
			all = append(all, i)
		case i := <-lost:
			all = append(all, i)
		case <-tick.C:
			for _, i := range all {
				db.Exec("DELETE FROM names WHERE id = ?", i) // want `a database call .* in an event loop, which also serves`
			}
		}
	}
}

// Some microseconds, and what a signal asks for.
type logger struct {
	reopen chan bool
	pause  int
}

func Logging(stop <-chan struct{}, hup <-chan os.Signal, tick *time.Ticker, logs map[string]*logger, step func()) {
	for {
		select {
		case <-tick.C:
			step()
		case <-stop:
			return
		case <-hup:
			for _, l := range logs {
				l.reopen <- true // want `a send .*`
			}
		}
	}
}

func Batching(stop <-chan struct{}, l *logger, step func()) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		step()
		time.Sleep(time.Duration(l.pause) * time.Microsecond) // want `a sleep .*ignores-stop`
	}
}
