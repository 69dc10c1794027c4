// Package feeds has loops of every kind; the comments say what feeds them.
package feeds

import (
	"bufio"
	"context"
	"net"
	"os"
	"sync"
	"time"
)

func work(...any) {}

func constant() {
	for i := 0; i < 4; i++ { // want `const 4`
		go work(i)
	}
	for i := range 8 { // want `const 8`
		go work(i)
	}
	for _, s := range [...]string{"a", "b"} { // want `const 2`
		go work(s)
	}
	for _, s := range []string{"a", "b", "c"} { // want `const 3`
		go work(s)
	}
}

func counted(n int, limit func() int) {
	for i := 0; i < n; i++ { // want `count`
		go work(i)
	}
	for i := range limit() { // want `count`
		go work(i)
	}
	for n > 0 { // want `count`
		n--
		go work()
	}
}

func slices(list []string, m map[string]int) {
	for _, s := range list { // want `slice`
		go work(s)
	}
	for i := 0; i < len(list); i++ { // want `slice`
		go work(list[i])
	}
	for i := len(list) - 1; i >= 0; i-- { // want `slice`
		go work(list[i])
	}
	for k := range m { // want `map`
		go work(k)
	}
	for _, c := range "text" { // want `slice`
		go work(c)
	}
}

func channels(in chan string, quit chan struct{}, signals chan os.Signal, conns chan net.Conn) {
	for s := range in { // want `chan`
		go work(s)
	}
	for { // want `chan`
		s, ok := <-in
		if !ok {
			break
		}
		go work(s)
	}
	for range quit { // want `signal`
		go work()
	}
	for s := range signals { // want `signal`
		go work(s)
	}
	for c := range conns { // want `accept`
		go work(c)
	}
}

// What a case of a select receives is what matters in it.
func selected(ctx context.Context, in chan string, every time.Duration) {
	ticker := time.NewTicker(every)
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			go work() // want `ticker`
		case s := <-in:
			go work(s) // want `chan`
		}
	}
}

func ticking(every time.Duration) {
	for range time.Tick(every) { // want `ticker`
		go work()
	}
}

type server struct{ ln net.Listener }

func (s *server) next() (net.Conn, error) { return s.ln.Accept() }

func accepting(ln net.Listener, pc net.PacketConn, s *server) {
	for { // want `accept`
		c, err := ln.Accept()
		if err != nil {
			break
		}
		go work(c)
	}
	for { // want `accept`
		c, err := s.next()
		if err != nil {
			break
		}
		go work(c)
	}
	buf := make([]byte, 512)
	for { // want `consume`
		n, _, err := pc.ReadFrom(buf)
		if err != nil {
			break
		}
		go work(n)
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() { // want `consume`
		go work(lines.Text())
	}
}

// The inner loop has its own feed.
func nested(in chan []string) {
	for list := range in { // want `chan`
		for _, s := range list { // want `slice`
			go work(s)
		}
	}
}

// Something is received in every round, but the list decides.
func scatter(list []string, results chan int) {
	for range list { // want `slice`
		<-results
	}
}

func waiting(mu *sync.Mutex, ready func() bool) {
	for !ready() { // want `unknown`
		mu.Lock()
		mu.Unlock()
	}
}
