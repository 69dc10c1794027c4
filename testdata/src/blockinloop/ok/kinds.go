package ok

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// Two streams are merged: what is counted does not make them two jobs.
type merger struct {
	a, b   chan string
	na, nb int
	client *http.Client
}

func (m *merger) runOk() {
	for {
		select {
		case s := <-m.a:
			m.na++
			m.client.Get(s)
		case s := <-m.b:
			m.nb++
			m.client.Get(s)
		}
	}
}

// Two sources wait for the same database.
type books struct {
	add, remove chan string
	known       map[string]bool
	db          *sql.DB
}

func (b *books) runOk() {
	for {
		select {
		case s := <-b.add:
			b.known[s] = true
			b.db.Exec("INSERT INTO t VALUES (?)", s)
		case s := <-b.remove:
			delete(b.known, s)
			b.db.Exec("DELETE FROM t WHERE s = ?", s)
		}
	}
}

// The function in the field hands its work over.
type agent struct {
	work  chan string
	ready chan int
	do    func(string)
	free  map[int]bool
}

func newAgent(do func(string)) *agent { return &agent{do: do, free: map[int]bool{}} }

func (a *agent) runOk() {
	for {
		select {
		case w := <-a.work:
			a.do(w)
		case id := <-a.ready:
			a.free[id] = true
		}
	}
}

func startAgent(client *http.Client) {
	go newAgent(func(url string) { go client.Get(url) }).runOk()
}

// A worker with a table: each task takes its time, and no task keeps anything
// that only one goroutine may touch.
type task struct{ kind, arg string }

type tasks struct {
	in     chan task
	table  map[string]func(task)
	client *http.Client
	mu     sync.Mutex
	seen   map[string]bool
	last   string
}

func newTasks() *tasks {
	t := &tasks{in: make(chan task), seen: map[string]bool{}}
	t.table = map[string]func(task){"get": t.get, "note": t.note, "print": t.print}
	return t
}

func (t *tasks) runOk() {
	for k := range t.in {
		t.table[k.kind](k)
	}
}

func (t *tasks) get(k task)   { t.client.Get(k.arg) }
func (t *tasks) print(k task) { fmt.Println(k.arg) }

func (t *tasks) note(k task) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen[k.arg] = true
}

// A worker that is told what to do by a value.
func (t *tasks) switchOk() {
	for k := range t.in {
		switch k.kind {
		case "get":
			t.client.Get(k.arg)
		case "print":
			fmt.Println(k.arg)
		case "last":
			t.last = k.arg
		}
	}
}

// The same books, and all that takes long is done elsewhere.
type shelf struct {
	orders chan task
	items  map[string]string
	client *http.Client
}

func (s *shelf) runOk() {
	for o := range s.orders {
		switch o.kind {
		case "add":
			s.items[o.arg] = o.arg
		case "drop":
			delete(s.items, o.arg)
		case "fetch":
			go s.client.Get(o.arg)
		}
	}
}

// What one peer sends is answered, or passed on to one other.
type peer struct {
	conn, other net.Conn
	in          *bufio.Reader
}

func (p *peer) echoOk() {
	for {
		line, err := p.in.ReadString('\n')
		if err != nil {
			return
		}
		for range 2 {
			fmt.Fprintln(p.conn, line)
		}
		fmt.Fprintln(p.other, line)
	}
}

// A file is no peer, and does not mind to wait.
func sendFileOk(f *os.File, to []net.Conn) {
	in := bufio.NewScanner(f)
	for in.Scan() {
		for _, conn := range to {
			fmt.Fprintln(conn, in.Text())
		}
	}
}

// All readers stay until the channel is closed.
func numbersOk(ctx context.Context, in <-chan int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for {
			select {
			case <-ctx.Done():
				return
			case n := <-in:
				out <- n
			}
		}
	}()
	return out
}

func sum(ctx context.Context, in <-chan int) (sum int) {
	for n := range numbersOk(ctx, in) {
		sum += n
	}
	return sum
}

// A token that the loop has put down itself is there to be taken back.
type helper struct {
	busy chan struct{}
	done chan struct{}
}

func (h *helper) waitOk(ctx context.Context, work func()) {
	var busy chan<- struct{}
	if work != nil {
		busy = h.busy
	}
	for {
		select {
		case <-h.done:
			return
		case busy <- struct{}{}:
			h.help(work)
			busy = nil
		case <-ctx.Done():
			return
		}
	}
}

func (h *helper) help(work func()) {
	defer func() { <-h.busy }()
	work()
}

// The functions that come keep the loop's books, and start what takes long.
type runner struct {
	todo  chan func()
	ready chan int
	free  map[int]bool
}

func (r *runner) runOk() {
	for {
		select {
		case f := <-r.todo:
			f()
		case id := <-r.ready:
			r.free[id] = true
		}
	}
}

func (r *runner) fetch(client *http.Client, url string) {
	r.todo <- func() { r.free[0] = false }
	r.todo <- func() { go client.Get(url) }
}

// Jobs that know what to do, for a worker.
type job interface{ do(*http.Client) }

type (
	get  struct{ url string }
	head struct{ url string }
	show struct{ done bool }
)

func (g get) do(c *http.Client)   { c.Get(g.url) }
func (h head) do(c *http.Client)  { c.Head(h.url) }
func (s *show) do(c *http.Client) { s.done = true }

func workOk(jobs <-chan job, c *http.Client) {
	for j := range jobs {
		j.do(c)
	}
}

func give(jobs chan<- job) {
	jobs <- get{"a"}
	jobs <- head{"b"}
	jobs <- &show{}
}

// Two queues of the same requests.
type api struct {
	first, second chan task
	do            map[string]func(string)
	known         map[string]bool
	client        *http.Client
}

func newAPI(client *http.Client) *api {
	a := &api{first: make(chan task), second: make(chan task), client: client}
	a.do = map[string]func(string){"get": func(url string) { client.Get(url) }}
	return a
}

func (a *api) runOk() {
	for {
		select {
		case t := <-a.first:
			a.do[t.kind](t.arg)
		case t := <-a.second:
			a.do[t.kind](t.arg)
		}
	}
}

// The channel is made for one answer of this round, and somebody takes it.
func answerOk(in <-chan int, stop <-chan struct{}, work func(chan<- int)) {
	for {
		select {
		case n := <-in:
			done := make(chan int)
			go func() { println(<-done) }()
			if n == 0 {
				done <- 0
				continue
			}
			go work(done)
		case <-stop:
			return
		}
	}
}

// A slot that the loop has taken is given back.
type gate struct {
	slots chan struct{}
	quit  chan struct{}
}

func newGate() *gate {
	g := &gate{slots: make(chan struct{}, 8), quit: make(chan struct{})}
	for range 8 {
		g.slots <- struct{}{}
	}
	return g
}

func (g *gate) runOk(ln net.Listener, serve func(net.Conn)) {
	for {
		select {
		case <-g.slots:
		case <-g.quit:
			return
		}
		conn, err := ln.Accept()
		if err != nil {
			g.slots <- struct{}{}
			continue
		}
		go func() {
			defer func() { g.slots <- struct{}{} }()
			serve(conn)
		}()
	}
}

// There is room for the one answer.
func watchOk(ctx context.Context, in <-chan int) int {
	found := make(chan int, 1)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case n := <-in:
				if n > 0 {
					found <- n
				}
			}
		}
	}()
	select {
	case n := <-found:
		return n
	case <-ctx.Done():
		return 0
	}
}

// The log is read by one half of the function and applied by the other: nothing
// else is late.
type processor struct{ input, output chan []int }

func (p *processor) run() {
	for in := range p.input {
		time.Sleep(time.Duration(len(in)) * time.Second)
		p.output <- in
	}
}

func replayOk(records []any) (n int) {
	decoded := make(chan any, 10)
	procs := make([]processor, 4)
	for i := range procs {
		procs[i] = processor{input: make(chan []int, 10), output: make(chan []int, 10)}
		go procs[i].run()
	}
	go func() {
		defer close(decoded)
		for _, r := range records {
			decoded <- r
		}
	}()
	for d := range decoded {
		switch v := d.(type) {
		case []int:
			procs[len(v)%4].input <- v
		case string:
			n += len(v)
		case []string:
			n += len(v)
		}
	}
	return n
}
