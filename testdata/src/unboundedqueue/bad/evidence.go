package bad

import (
	"net"
	"sync"
)

// The channel is given by a caller, and with it the load.
func handedChannelBad(in <-chan string) {
	for e := range in {
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

func tell(url string) { go get(url) }

// Nothing else is done in a round.
func tellAllBad(sessions []string) {
	for _, s := range sessions {
		tell(s) // want `go-per-item`
	}
}
