// Package ok has loops that look like those of package bad and are right.
package ok

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type server struct {
	client *http.Client
	db     *sql.DB
	jobs   chan string
	other  chan string
	stats  chan chan int
	out    chan string
	n      int
}

// A worker has one job, and may take its time.
func (s *server) workerOk(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-s.jobs:
			s.db.ExecContext(ctx, "INSERT INTO jobs VALUES (?)", j)
		}
	}
}

func (s *server) rangeWorkerOk() {
	for j := range s.jobs {
		s.client.Get(j)
	}
}

func (s *server) pollerOk(ctx context.Context) {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.client.Get("http://peer.example/")
		}
	}
}

// What comes on a stop channel ends the loop, whatever it is called.
func (s *server) endingOk(failed <-chan error, last <-chan string) error {
	for {
		select {
		case err := <-failed:
			return err
		case j := <-last:
			return errors.New(j)
		case j := <-s.jobs:
			s.client.Get(j)
		}
	}
}

// The work is done elsewhere, and its result is an event like others.
func (s *server) offloadOk(results chan string) {
	for {
		select {
		case j := <-s.jobs:
			go func() {
				s.client.Get(j)
				results <- j
			}()
		case <-results:
			s.n++
		}
	}
}

// The answer goes to who asked, and he waits for it.
type request struct {
	name  string
	reply chan int
}

func (s *server) replyOk(requests <-chan *request) {
	for {
		select {
		case r := <-requests:
			s.answer(r)
		case reply := <-s.stats:
			reply <- s.n
		}
	}
}

func (s *server) answer(r *request) { r.reply <- s.n }

type message interface{ apply(*server) }

type ask struct{ answer chan int }

func (a ask) apply(*server) {}

func (s *server) typedReplyOk(messages <-chan message, ticks <-chan int) {
	for {
		select {
		case m := <-messages:
			if a, ok := m.(ask); ok {
				a.answer <- s.n
			}
		case <-ticks:
			s.n++
		}
	}
}

// Who receives does nothing else.
func (s *server) drainedOk() {
	for {
		select {
		case j := <-s.jobs:
			s.out <- j
		case j := <-s.other:
			s.n += len(j)
		}
	}
}

func (s *server) collect() {
	n := 0
	for j := range s.out {
		n += len(j)
	}
	log.Print(n)
}

// A send that never waits.
func (s *server) dropOk(subs map[string]chan string) {
	for {
		select {
		case j := <-s.jobs:
			for name, ch := range subs {
				select {
				case ch <- j:
				default:
					delete(subs, name)
				}
			}
		case j := <-s.other:
			delete(subs, j)
		}
	}
}

// What is written to is memory.
func (s *server) memoryOk(buf *bytes.Buffer) {
	for {
		select {
		case j := <-s.jobs:
			buf.WriteString(j)
			io.Copy(io.Discard, strings.NewReader(j))
		case j := <-s.other:
			s.n += len(j)
		}
	}
}

// A wait on the way out delays nobody.
func (s *server) lastOk(stop <-chan struct{}) {
	for {
		select {
		case j := <-s.jobs:
			if j == "end" {
				s.client.Get("http://peer.example/bye")
				time.Sleep(time.Second)
				return
			}
		case j := <-s.other:
			if j == "broken" {
				log.Fatal(s.client.Get("http://peer.example/broken"))
			}
		case <-stop:
			s.client.Get("http://peer.example/bye")
			return
		}
	}
}

// Before the loop begins, and after it has ended.
func (s *server) aroundOk(stop <-chan struct{}) {
	s.client.Get("http://peer.example/hello")
	for {
		select {
		case <-s.jobs:
		case <-s.other:
		case <-stop:
			goto end
		}
	}
end:
	s.client.Get("http://peer.example/bye")
}

// Once is not again and again.
func (s *server) onceOk(once *sync.Once) {
	for {
		select {
		case <-s.jobs:
			once.Do(func() { s.client.Get("http://peer.example/hello") })
		case <-s.other:
		}
	}
}

func (s *server) shortOk() {
	for {
		select {
		case <-s.jobs:
			time.Sleep(5 * time.Millisecond)
		case <-s.other:
		}
	}
}

// A timer is read empty after it was stopped.
func (s *server) resetOk(t *time.Timer) {
	for {
		select {
		case <-s.jobs:
			if !t.Stop() {
				<-t.C
			}
			t.Reset(time.Minute)
		case <-s.other:
			s.rearm(t)
		}
	}
}

func (s *server) rearm(t *time.Timer) {
	if !t.Stop() {
		<-t.C
	}
	t.Reset(time.Minute)
}

// Both sources lead to the same work: nobody else waits.
func (s *server) kickOk(kick <-chan struct{}) {
	tick := time.NewTicker(time.Minute)
	for {
		select {
		case <-kick:
		case <-tick.C:
		}
		s.client.Get("http://peer.example/")
	}
}

func (s *server) mergeOk() {
	for {
		select {
		case j := <-s.jobs:
			s.deliver(j)
		case j := <-s.other:
			s.deliver(j)
		}
	}
}

func (s *server) deliver(j string) { s.client.Get(j) }

// A lock that is held for a moment only.
type counter struct {
	mu   sync.Mutex
	n    map[string]int
	busy atomic.Bool
}

func (c *counter) lockOk(a, b <-chan string) {
	for {
		select {
		case x := <-a:
			c.mu.Lock()
			c.n[x]++
			c.mu.Unlock()
		case x := <-b:
			c.mu.Lock()
			delete(c.n, x)
			c.mu.Unlock()
		}
	}
}

func (c *counter) len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.n)
}

// Pumps between two stages wait for the next one.
func pumpOk(in <-chan int, out chan<- int) {
	defer close(out)
	for v := range in {
		out <- v
	}
}

func pumpUntilOk(ctx context.Context, in <-chan int, out chan<- int) {
	for {
		select {
		case v := <-in:
			select {
			case out <- v:
			case <-ctx.Done():
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// No events, only attempts.
func retryOk(addr string) (c net.Conn, err error) {
	for range 5 {
		if c, err = net.Dial("tcp", addr); err == nil {
			return c, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// A kept file is read to its end.
func readOk(f *os.File, lines chan<- string) error {
	in := bufio.NewScanner(f)
	for in.Scan() {
		lines <- in.Text()
	}
	return in.Err()
}

// The state of the scheduler is another one than that of the heart, though of the
// same type.
type state struct {
	mu sync.Mutex
	n  int
}

type scheduler struct {
	state  *state
	client *http.Client
}

func (s *scheduler) pingOk() {
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	s.client.Get("http://peer.example/")
}

type heart struct {
	state    *state
	starting chan string
	finished chan string
}

func (h *heart) runOk() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	workers := make(map[string]bool)
	for {
		select {
		case <-tick.C:
			h.beat()
		case w := <-h.starting:
			workers[w] = true
		case w := <-h.finished:
			delete(workers, w)
		}
	}
}

func (h *heart) beat() {
	h.state.mu.Lock()
	h.state.n++
	h.state.mu.Unlock()
}
