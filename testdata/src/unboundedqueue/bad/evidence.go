package bad

import (
	"net"
	"os"
	"sync"
)

// The channel is given by a caller, and with it the load.
func handedChannelBad(in <-chan string) {
	for e := range in {
		go get(e) // want `go-per-item`
	}
}

// Whoever calls Publish decides.
type bus struct{ events chan string }

func (b *bus) Publish(e string) { b.events <- e }

func (b *bus) run() {
	for e := range b.events {
		go get(e) // want `go-per-item`
	}
}

// The object is given a channel to receive from.
type fan struct{ in <-chan string }

func (f *fan) run() {
	for e := range f.in {
		go get(e) // want `go-per-item`
	}
}

// A map is asked, but nothing is put there: every datagram starts one.
func knownBad(pc *net.UDPConn, known map[string]bool) {
	for {
		b := make([]byte, 1500)
		n, addr, err := pc.ReadFromUDP(b)
		if err != nil {
			return
		}
		if known[addr.String()] {
			go work(b[:n]) // want `go-per-item`
		}
	}
}

// The number is asked for, but compared with nothing that limits it.
type counted struct {
	mu    sync.Mutex
	items []string
	n     int
}

func (q *counted) PushBad(s string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, s) // want `slice-queue`
	q.n++
}

func (q *counted) Pop() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return ""
	}
	s := q.items[0]
	q.items = q.items[1:]
	q.n--
	return s
}

func (q *counted) Count() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.n
}

func (q *counted) idle() bool { return q.Count() == 0 }

// What is to be sent is decided by others, and it is not sent yet.
type spoolBox struct {
	mu     sync.Mutex
	unsent []string
}

func (o *spoolBox) addBad(name string, b []byte) error {
	if err := os.WriteFile(name, b, 0o600); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.unsent = append(o.unsent, name) // want `slice-queue`
	return nil
}

func (o *spoolBox) next() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.unsent) == 0 {
		return ""
	}
	name := o.unsent[0]
	o.unsent = o.unsent[1:]
	return name
}

// The feeds are as many as users have added.
func updateFeedsBad(urls []string) {
	for _, u := range urls {
		go get(u) // want `go-per-item`
	}
}

func tell(url string) { go get(url) }

// Nothing else is done in a round.
func tellAllBad(sessions []string) {
	for _, s := range sessions {
		tell(s) // want `go-per-item`
	}
}
