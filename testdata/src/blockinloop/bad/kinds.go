package bad

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/smtp"
)

// Both cases make the same call, and each keeps the loop's books in its own way:
// two jobs, not one stream.
type lobby struct {
	enter, exit chan string
	quit        chan struct{}
	guests      map[string]int
	client      *http.Client
}

func (l *lobby) runBad() {
	for {
		select {
		case name := <-l.enter:
			l.guests[name]++
			l.announce(name) // want `an outbound call \(\(\*http\.Client\)\.Get via \(\*lobby\)\.announce\) in an event loop, which also serves l\.exit: it is late meanwhile`
		case name := <-l.exit:
			delete(l.guests, name)
			l.announce(name) // want `an outbound call .* in an event loop, which also serves l\.enter`
		case <-l.quit:
			return
		}
	}
}

func (l *lobby) announce(name string) {
	resp, err := l.client.Get("http://door.example/" + name)
	if err == nil {
		resp.Body.Close()
	}
}

// What to do with a job is a field that the constructor sets.
type agent[T any] struct {
	work  chan T
	ready chan int
	quit  chan struct{}
	do    func(T) error
	free  map[int]bool
}

func newAgent[T any](do func(T) error) *agent[T] {
	return &agent[T]{work: make(chan T), ready: make(chan int), quit: make(chan struct{}), do: do, free: map[int]bool{}}
}

func (a *agent[T]) runBad() {
	for {
		select {
		case w := <-a.work:
			a.do(w) // want `an outbound call \(smtp\.SendMail via func literal\) in an event loop, which also serves a\.ready`
		case id := <-a.ready:
			a.free[id] = true
		case <-a.quit:
			return
		}
	}
}

func startMails(server string) *agent[string] {
	a := newAgent(func(to string) error { return smtp.SendMail(server, nil, "me", []string{to}, nil) })
	go a.runBad()
	return a
}

// The subscribers are behind an interface.
type listener interface{ notify(n int) }

type inbox struct{ values chan int }

func (i *inbox) notify(n int) { i.values <- n }

type logger struct{ lines []int } // never a listener

func (l *logger) notify(n int) { l.lines = append(l.lines, n) }

type exchange struct {
	join  chan listener
	leave chan listener
	rates chan int
}

func (x *exchange) runBad() {
	all := map[listener]bool{}
	for {
		select {
		case l := <-x.join:
			all[l] = true
		case l := <-x.leave:
			delete(all, l)
		case n := <-x.rates:
			for l := range all {
				l.notify(n) // want `a send \(send on i\.values via \(\*inbox\)\.notify\) in an event loop, which also serves x\.join and x\.leave`
			}
		}
	}
}

func (x *exchange) watch() <-chan int {
	i := &inbox{make(chan int, 4)}
	x.join <- i
	return i.values
}

// Each kind of event has its function in a table.
type signal struct{ kind, host string }

type switchboard struct {
	in    chan signal
	table map[string]func(signal)
	lines map[string]string
}

func newSwitchboard() *switchboard {
	s := &switchboard{in: make(chan signal), lines: map[string]string{}}
	s.table = map[string]func(signal){"ring": s.ring, "hang": s.hang, "move": s.move}
	return s
}

func (s *switchboard) runBad() {
	for sig := range s.in {
		if f, ok := s.table[sig.kind]; ok {
			f(sig) // want `a name lookup \(net\.LookupHost via \(\*switchboard\)\.ring\) in an event loop, which also serves "hang" and "move": they are late meanwhile`
		}
	}
}

func (s *switchboard) ring(sig signal) {
	if addrs, err := net.LookupHost(sig.host); err == nil {
		s.lines[sig.host] = addrs[0]
	}
}

func (s *switchboard) hang(sig signal) { delete(s.lines, sig.host) }
func (s *switchboard) move(sig signal) { s.lines[sig.host] = sig.kind }

// The table is asked in a method of its own, and the loop has a second source.
type console struct {
	keys, resize chan string
	keymap       [256]func(string)
	w            int
	db           *sql.DB
}

func newConsole() *console {
	c := &console{keys: make(chan string), resize: make(chan string)}
	c.keymap['s'] = c.save
	return c
}

func (c *console) runBad() {
	for {
		select {
		case k := <-c.keys:
			c.press(k) // want `a database call \(\(\*sql\.DB\)\.Exec via \(\*console\)\.press, \(\*console\)\.save\) in an event loop, which also serves c\.resize`
		case s := <-c.resize:
			c.w = len(s)
		}
	}
}

func (c *console) press(k string) { c.keymap[k[0]](k) }

func (c *console) save(k string) { c.db.Exec("INSERT INTO keys VALUES (?)", k) }

// The kinds are told apart by a value, and the others only keep the loop's books.
type op int

const (
	opAdd op = iota
	opDrop
	opFetch
)

type order struct {
	op  op
	key string
}

type shelf struct {
	orders chan order
	items  map[string]string
	client *http.Client
}

func (s *shelf) runBad() {
	for o := range s.orders {
		switch o.op {
		case opAdd:
			s.items[o.key] = o.key
		case opDrop:
			delete(s.items, o.key)
		case opFetch:
			s.client.Get(o.key) // want `an outbound call .* in an event loop, which also serves opAdd and opDrop`
		}
	}
}

// One kind gathers what another one writes, and two have nothing to do with it.
type (
	enter  struct{ name string }
	exit   struct{ name string }
	talk   struct{ text string }
	record struct{}
)

type salon struct {
	in     chan any
	guests map[string]bool
	said   []string
	db     *sql.DB
}

func (s *salon) runBad() {
	for e := range s.in {
		switch e := e.(type) {
		case enter:
			s.guests[e.name] = true
		case exit:
			delete(s.guests, e.name)
		case talk:
			s.said = append(s.said, e.text)
		case record:
			for _, t := range s.said {
				s.db.Exec("INSERT INTO said VALUES (?)", t) // want `a database call .* in an event loop, which also serves enter, exit and talk`
			}
			s.said = nil
		}
	}
}

// A reader passes on what one peer sends to all others.
type peer struct {
	in     *bufio.Reader
	others map[string]net.Conn
}

func (p *peer) fanOutBad() error {
	for {
		line, err := p.in.ReadString('\n')
		if err != nil {
			return err
		}
		for _, conn := range p.others {
			io.WriteString(conn, line) // want `an outbound call \(io\.WriteString\) in an event loop, which also serves the peer behind p\.in: it is late meanwhile`
		}
	}
}

func (p *peer) fanOutInHelperBad() {
	for {
		line, err := p.in.ReadString('\n')
		if err != nil {
			return
		}
		p.spread(line) // want `an outbound call \(fmt\.Fprintln via \(\*peer\)\.spread\) in an event loop, which also serves the peer behind p\.in`
	}
}

func (p *peer) spread(line string) {
	for _, conn := range p.others {
		fmt.Fprintln(conn, line)
	}
}

// The reader goes away with the context, and nothing takes the value.
func numbersBad(ctx context.Context, in <-chan int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for {
			select {
			case <-ctx.Done():
				return
			case n := <-in:
				out <- 2 * n // want `a send \(send on out\) in a loop that ends with ctx\.Done\(\): it cannot end meanwhile`
			}
		}
	}()
	return out
}

func firstEven(ctx context.Context, in <-chan int) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for n := range numbersBad(ctx, in) {
		if n%2 == 0 {
			return n
		}
	}
	return 0
}

// The channel is made by who reads it, and who goes away.
func produceBad(ctx context.Context, out chan<- int) {
	for n := 0; ; n++ {
		if ctx.Err() != nil {
			return
		}
		out <- n // want `a send \(send on out\) in a loop that ends with ctx`
	}
}

func take(ctx context.Context, most int) (sum int) {
	numbers := make(chan int)
	go produceBad(ctx, numbers)
	for n := range numbers {
		if sum += n; sum > most {
			break
		}
	}
	return sum
}

// Nobody is seen to read: whoever has the context may end, and go away.
func LinesBad(ctx context.Context, in <-chan string) <-chan string {
	out := make(chan string)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case s := <-in:
				push(out, s) // want `a send \(send on to via push\) in a loop that ends with ctx\.Done\(\)`
			}
		}
	}()
	return out
}

func push(to chan<- string, s string) { to <- s }

// What is to be done comes as a function, and one of them makes a call.
type runner struct {
	todo  chan func()
	ready chan int
	free  map[int]bool
}

func (r *runner) runBad() {
	for {
		select {
		case f := <-r.todo:
			f() // want `an outbound call \(\(\*http\.Client\)\.Get via func literal\) in an event loop, which also serves r\.ready`
		case id := <-r.ready:
			r.free[id] = true
		}
	}
}

func (r *runner) fetch(client *http.Client, url string) {
	r.todo <- func() { client.Get(url) }
}

// What to do with it is a method of the event.
type change interface{ on(*table) }

type (
	put  struct{ key string }
	drop struct{ key string }
	pull struct{ url string }
)

type table struct {
	in     chan change
	rows   map[string]bool
	client *http.Client
}

func (p put) on(t *table)  { t.rows[p.key] = true }
func (d drop) on(t *table) { delete(t.rows, d.key) }
func (p pull) on(t *table) { t.client.Get(p.url) }

func (t *table) runBad() {
	for c := range t.in {
		c.on(t) // want `an outbound call \(\(\*http\.Client\)\.Get via pull\.on\) in an event loop, which also serves put and drop`
	}
}

func (t *table) fill(url string) {
	t.in <- put{url}
	t.in <- pull{url}
	t.in <- drop{url}
}

// An encoder for each of many connections.
func encodeBad(in, remove <-chan string, conns map[string]net.Conn) {
	for {
		select {
		case s := <-in:
			for _, conn := range conns {
				json.NewEncoder(conn).Encode(s) // want `an outbound call .* in an event loop, which also serves remove`
			}
		case s := <-remove:
			delete(conns, s)
		}
	}
}

// A method accepts for the loop.
type door struct{ net.Listener }

func (d door) next() (net.Conn, error) { return d.Accept() }

func (d door) serveBad(serve func(net.Conn)) {
	for {
		conn, err := d.next()
		if err != nil {
			return
		}
		bufio.NewReader(conn).ReadString('\n') // want `an outbound call .* in an accept loop`
		go serve(conn)
	}
}

// Who reads decides how often: after the stop he does not any more.
type Feed struct {
	items chan string
	stop  chan struct{}
}

func (f *Feed) readBad(in *bufio.Scanner) {
	for in.Scan() {
		select {
		case <-f.stop:
			return
		default:
		}
		f.items <- in.Text() // want `a send \(send on f\.items\) in a loop that ends with f\.stop`
	}
}

func (f *Feed) Next() string { return <-f.items }
func (f *Feed) Stop()        { close(f.stop) }
