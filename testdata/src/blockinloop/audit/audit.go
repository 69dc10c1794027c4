// Package audit has waits that are worth reading in a review, and that their
// authors would most likely leave.
package audit

import (
	"bufio"
	"context"
	"database/sql"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/hashicorp/raft"
)

type server struct {
	client  *http.Client
	db      *sql.DB
	conn    net.Conn
	jobs    chan string
	other   chan string
	batch   []string
	pending map[string]bool
	n       int
}

// Only ticks are late, and the next one comes for sure.
func (s *server) ticksOnly() {
	tick := time.NewTicker(time.Second)
	for {
		select {
		case j := <-s.jobs:
			s.client.Get(j) // want `an outbound call .* in an event loop, which also serves ticks of tick`
		case <-tick.C:
			s.n++
		}
	}
}

// A batch is written when it is full or old enough.
func (s *server) batches() {
	tick := time.NewTicker(time.Second)
	for {
		select {
		case j := <-s.jobs:
			s.batch = append(s.batch, j)
		case <-tick.C:
			s.db.Exec("INSERT INTO jobs VALUES (?)", s.batch) // want `a database call .* in an event loop, which also serves s\.jobs`
			s.batch = s.batch[:0]
		}
	}
}

func (s *server) localBatch() {
	var batch []string
	tick := time.NewTicker(time.Second)
	for {
		select {
		case j := <-s.jobs:
			batch = append(batch, j)
		case <-tick.C:
			s.db.Exec("INSERT INTO jobs VALUES (?)", batch) // want `a database call .* in an event loop`
			batch = nil
		}
	}
}

// Every round does it, whoever has come.
func (s *server) everyRound() {
	for {
		s.client.Get("http://peer.example/") // want `an outbound call .* in an event loop`
		select {
		case <-s.jobs:
			s.n++
		case <-s.other:
			s.n--
		}
	}
}

// A connection that the loop has for itself.
func (s *server) ownConnection() {
	for {
		select {
		case j := <-s.jobs:
			io.WriteString(s.conn, j) // want `an outbound call .* in an event loop`
		case <-s.other:
			s.n++
		}
	}
}

// Who reads it is not known.
func (s *server) unknownReader(out chan<- string) {
	for {
		select {
		case j := <-s.jobs:
			out <- j // want `a send \(send on out\) in an event loop`
		case <-s.other:
			s.n++
		}
	}
}

// It can be ended, and waits nevertheless.
func (s *server) cancellable(ctx context.Context, out chan<- string) {
	for {
		select {
		case j := <-s.jobs:
			select { // want `a select .* in an event loop`
			case out <- j:
			case <-ctx.Done():
				return
			}
		case <-s.other:
			s.n++
		case <-ctx.Done():
			return
		}
	}
}

// A slot is waited for: that is how the loop is kept from taking too much.
func (s *server) slots(limit chan struct{}) {
	for {
		select {
		case j := <-s.jobs:
			limit <- struct{}{} // want `a wait for a free slot .* in an event loop`
			go func() {
				defer func() { <-limit }()
				s.client.Get(j)
			}()
		case <-s.other:
			s.n++
		}
	}
}

// What both do waits for the same disk.
func (s *server) storage(queries <-chan chan int) {
	for {
		select {
		case j := <-s.jobs:
			s.db.Exec("INSERT INTO jobs VALUES (?)", j)
		case q := <-queries:
			var n int
			s.db.QueryRow("SELECT count(*) FROM jobs").Scan(&n)
			q <- n
		}
	}
}

// One goroutine that has been told to end is waited for.
type worker struct {
	quit, done chan struct{}
}

func (w *worker) stop() {
	close(w.quit)
	<-w.done
}

func (w *worker) restart(reload <-chan struct{}, ctx context.Context) {
	for {
		select {
		case <-reload:
			w.stop() // want `a receive \(receive from w\.done via \(\*worker\)\.stop\) in a loop that ends with ctx\.Done\(\)`
		case <-ctx.Done():
			return
		}
	}
}

// A request to the goroutine that owns the data: its answer is waited for.
type request struct {
	name  string
	reply chan error
}

type owner struct {
	requests chan request
	db       *sql.DB
}

func (o *owner) run() {
	for r := range o.requests {
		_, err := o.db.Exec("DELETE FROM t WHERE name = ?", r.name)
		r.reply <- err
	}
}

func (o *owner) remove(name string) error {
	r := request{name, make(chan error)}
	o.requests <- r
	return <-r.reply
}

func (o *owner) user(names <-chan string, other <-chan int) {
	n := 0
	for {
		select {
		case name := <-names:
			o.remove(name) // want `a send .* in an event loop`
		case v := <-other:
			n += v
		}
	}
}

// One peer after the other.
func serial(ln net.Listener) error {
	for {
		c, err := ln.Accept()
		if err != nil {
			return err
		}
		bufio.NewReader(c).ReadString('\n') // want `an outbound call .* in an accept loop`
		c.Close()
	}
}

// Half a second late is late enough to be left.
func halfSecond(ctx context.Context, work func()) {
	for ctx.Err() == nil {
		work()
		time.Sleep(500 * time.Millisecond) // want `a sleep .* in a loop that ends with ctx`
	}
}

// It begins with a millisecond, and waits for what is about to come.
func growing(stop <-chan struct{}, ready func() bool) {
	wait := time.Millisecond
	for !ready() {
		select {
		case <-stop:
			return
		default:
		}
		time.Sleep(wait) // want `a sleep .* in a loop that ends with stop`
		wait *= 2
	}
}

// Only the first round waits.
func firstRound(stop <-chan struct{}, every time.Duration, work func()) {
	for round := 0; ; round++ {
		select {
		case <-stop:
			return
		default:
		}
		if round == 0 {
			time.Sleep(every) // want `a sleep .* in a loop that ends with stop`
		}
		work()
	}
}

// A send that is taken sooner or later: the reader stays.
type stage struct {
	in, out chan int
	db      *sql.DB
}

func (s *stage) pump(ctx context.Context) {
	for {
		select {
		case v := <-s.in:
			s.out <- v // want `a send \(send on s\.out\) in a loop that ends with ctx\.Done\(\)`
		case <-ctx.Done():
			return
		}
	}
}

func (s *stage) store() {
	for v := range s.out {
		s.db.Exec("INSERT INTO t VALUES (?)", v)
	}
}

// To write is what Apply is for.
type fsm struct{ db *sql.DB }

func (f *fsm) Apply(l *raft.Log) any {
	_, err := f.db.Exec(string(l.Data)) // want `a database call .* on the goroutine that applies the raft log`
	return err
}

func (f *fsm) Snapshot() (raft.FSMSnapshot, error) { return nil, nil }

func (f *fsm) Restore(io.ReadCloser) error { return nil }

// Who reads once has made room for what comes later.
func readOnce(ctx context.Context, in <-chan int) int {
	found := make(chan int, 2)
	go seek(ctx, in, found)
	select {
	case n := <-found:
		return n
	case <-ctx.Done():
		return 0
	}
}

func seek(ctx context.Context, in <-chan int, found chan<- int) {
	for {
		select {
		case <-ctx.Done():
			return
		case n := <-in:
			found <- n // want `a send \(send on found\) in a loop that ends with ctx\.Done\(\)`
		}
	}
}
