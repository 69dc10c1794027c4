// Package refuse has findings without a fix: the lock may be needed, or what
// would change is not understood.
package refuse

import (
	"bufio"
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

type item struct{ count int }

type server struct {
	mu      sync.Mutex
	rw      sync.RWMutex
	cond    *sync.Cond
	n       int
	m       map[string]*item
	list    []string
	url     string
	ch      chan string
	swapped chan string
	closed  chan string
	done    bool
	client  *http.Client
	other   *http.Client
	w       *bufio.Writer
	hook    func()
	sub     storer
}

type storer interface{ Store(string) error }

func (s *server) swap() {
	s.mu.Lock()
	s.swapped = make(chan string)
	s.other = &http.Client{}
	s.url = ""
	s.mu.Unlock()
}

func (s *server) stop() {
	s.mu.Lock()
	s.done = true
	close(s.closed)
	s.mu.Unlock()
}

func (s *server) readAfterRefuse() int {
	s.mu.Lock()
	s.n++
	time.Sleep(time.Second) // want `across a sleep`
	n := s.n
	s.mu.Unlock()
	return n
}

func (s *server) guardedValueRefuse() {
	s.mu.Lock()
	s.n++
	s.ch <- s.url // want `across a channel send`
	s.mu.Unlock()
}

func (s *server) swappedChannelRefuse(k string) {
	s.mu.Lock()
	s.n++
	s.swapped <- k // want `across a channel send`
	s.mu.Unlock()
}

func (s *server) closedChannelRefuse(k string) {
	s.mu.Lock()
	if s.done {
		s.mu.Unlock()
		return
	}
	s.closed <- k // want `across a channel send`
	s.mu.Unlock()
}

func (s *server) loopRefuse(keys []string) {
	for _, k := range keys {
		s.mu.Lock()
		s.n++
		s.ch <- k // want `across a channel send`
		s.mu.Unlock()
	}
}

func (s *server) innerLoopRefuse(keys []string) {
	s.mu.Lock()
	s.n++
	for _, k := range keys {
		s.ch <- k // want `across a channel send`
	}
	s.mu.Unlock()
}

func (s *server) conditionalRefuse(ok bool) {
	s.mu.Lock()
	s.n++
	time.Sleep(time.Second) // want `across a sleep`
	if ok {
		s.mu.Unlock()
		return
	}
	s.mu.Unlock()
}

func (s *server) returnBetweenRefuse() error {
	s.mu.Lock()
	s.n++
	if _, err := s.client.Get("http://example.org"); err != nil { // want `across an outbound call`
		s.mu.Unlock()
		return err
	}
	s.mu.Unlock()
	return nil
}

func (s *server) condRefuse() {
	s.mu.Lock()
	for s.n == 0 {
		s.cond.Wait()
	}
	s.n--
	time.Sleep(time.Second) // want `across a sleep`
	s.mu.Unlock()
}

func (s *server) tryRefuse() {
	s.mu.Lock()
	s.n++
	if s.rw.TryLock() {
		s.rw.Unlock()
	}
	time.Sleep(time.Second) // want `across a sleep`
	s.mu.Unlock()
}

func (s *server) shadowedRefuse(o *server) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	s = o
	time.Sleep(time.Second) // want `across a sleep`
}

func (s *server) deferOrderRefuse() {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.count()
	s.n++
	time.Sleep(time.Second) // want `across a sleep`
}

func (s *server) count() { s.n++ }

func (s *server) deferredElsewhereRefuse(ok bool) {
	if ok {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.n++
		time.Sleep(time.Second) // want `across a sleep`
	}
}

func (s *server) returnBeforeRefuse(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m[k] == nil {
		return
	}
	s.n++
	time.Sleep(time.Second) // want `across a sleep`
}

func (s *server) closureRefuse() func() {
	return func() {
		s.mu.Lock()
		s.n++
		time.Sleep(time.Second) // want `across a sleep`
		s.mu.Unlock()
	}
}

func (s *server) literalAfterRefuse() {
	s.mu.Lock()
	s.n++
	time.Sleep(time.Second) // want `across a sleep`
	func() { s.n++ }()
	s.mu.Unlock()
}

func (s *server) gotoRefuse() {
	s.mu.Lock()
	s.n++
again:
	time.Sleep(time.Second) // want `across a sleep`
	if s.client == nil {
		goto again
	}
	s.mu.Unlock()
}

func (s *server) commentedUnlockRefuse() {
	s.mu.Lock()
	s.n++
	time.Sleep(time.Second) // want `across a sleep`
	s.mu.Unlock()           // now others
}

func (s *server) reasonRefuse() {
	s.mu.Lock()
	s.n++
	// Nobody else may begin: keep holding it.
	time.Sleep(time.Second) // want `across a sleep`
	s.mu.Unlock()
}

func (s *server) severalReturnsRefuse() (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	return s.client.Get("http://example.org") // want `across an outbound call`
}

func (s *server) nothingGuardedRefuse() {
	s.mu.Lock()
	time.Sleep(time.Second) // want `across a sleep`
	s.mu.Unlock()
}

func (s *server) aliasRefuse(k string) {
	s.mu.Lock()
	it := s.m[k]
	time.Sleep(time.Second) // want `across a sleep`
	it.count++
	s.mu.Unlock()
}

func (s *server) sliceAliasRefuse() {
	s.mu.Lock()
	list := s.list
	time.Sleep(time.Second) // want `across a sleep`
	_, _ = json.Marshal(list)
	s.mu.Unlock()
}

func (s *server) storedRefuse(k string, it *item) {
	s.mu.Lock()
	s.m[k] = it
	time.Sleep(time.Second) // want `across a sleep`
	println(it.count)
	s.mu.Unlock()
}

func (s *server) swappedClientRefuse() {
	s.mu.Lock()
	s.n++
	_, _ = s.other.Get("http://example.org") // want `across an outbound call`
	s.mu.Unlock()
}

func (s *server) funcValueRefuse() {
	s.mu.Lock()
	s.n++
	time.Sleep(time.Second) // want `across a sleep`
	s.hook()
	s.mu.Unlock()
}

func (s *server) interfaceRefuse(k string) {
	s.mu.Lock()
	s.n++
	time.Sleep(time.Second) // want `across a sleep`
	_ = s.sub.Store(k)
	s.mu.Unlock()
}

func (s *server) writerRefuse() {
	s.mu.Lock()
	s.n++
	time.Sleep(time.Second) // want `across a sleep`
	_ = s.w.Flush()
	s.mu.Unlock()
}

func (s *server) reset() { s.n = 0 }

func (s *server) helperRefuse() {
	s.mu.Lock()
	s.n++
	time.Sleep(time.Second) // want `across a sleep`
	s.reset()
	s.mu.Unlock()
}

func (s *server) twoLocksRefuse() {
	s.rw.Lock()
	s.mu.Lock()
	s.n++
	time.Sleep(time.Second) // want `across a sleep`
	s.mu.Unlock()
	s.rw.Unlock()
}

func (s *server) earlierCallRefuse(k string) {
	s.mu.Lock()
	s.ch <- "begin" // want `across a channel send`
	s.n++
	s.ch <- k // want `across a channel send`
	s.mu.Unlock()
}

func (s *server) marshalRefuse() {
	s.mu.Lock()
	s.n++
	time.Sleep(time.Second) // want `across a sleep`
	_, _ = json.Marshal(s)
	s.mu.Unlock()
}

func (s *server) oneLineRefuse() { s.mu.Lock(); s.n++; time.Sleep(time.Second); s.mu.Unlock() } // want `across a sleep`

func (s *server) lockedByHelperRefuse() {
	s.lock()
	s.n++
	time.Sleep(time.Second) // want `across a sleep`
	s.mu.Unlock()
}

func (s *server) lock() { s.mu.Lock() }

func capturedRefuse() {
	var mu sync.Mutex
	n := 0
	go func() {
		mu.Lock()
		n++
		mu.Unlock()
	}()
	mu.Lock()
	n++
	time.Sleep(time.Second) // want `across a sleep`
	println(n)
	mu.Unlock()
}

func (s *server) callFirstNeedsItRefuse() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = s.client.Get(s.url) // want `across an outbound call`
	s.n++
}

func (s *server) callFirstAloneRefuse() {
	s.mu.Lock()
	defer s.mu.Unlock()
	time.Sleep(time.Second) // want `across a sleep`
}

func (s *server) callFirstRebindsRefuse(in chan *server) {
	s.mu.Lock()
	s, ok := <-in // want `across a channel receive`
	if ok {
		s.n++
	}
	s.mu.Unlock()
}

// signalAllRefuse keeps the two calls together: no start may come in between.
func (s *server) signalAllRefuse(wg *sync.WaitGroup) {
	s.mu.Lock()
	s.signal()
	wg.Wait() // want `across a wait for other goroutines`
	s.mu.Unlock()
}

func (s *server) signal() {
	s.rw.Lock()
	s.done = true
	s.rw.Unlock()
}

// documentedRefuse is serialised: one sleep at a time.
func (s *server) documentedRefuse() {
	s.mu.Lock()
	s.n++
	time.Sleep(time.Second) // want `across a sleep`
	s.mu.Unlock()
}
