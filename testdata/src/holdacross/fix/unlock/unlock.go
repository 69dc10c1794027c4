// Package unlock has locks that can be released before the call.
package unlock

import (
	"net/http"
	"sync"
	"time"
)

type store struct {
	mu      sync.Mutex
	rw      sync.RWMutex
	m       map[string]string
	n       int
	url     string
	last    time.Time
	client  *http.Client
	updates chan string
	wake    chan struct{}
	name    string
}

func newStore(c *http.Client) *store {
	s := &store{m: make(map[string]string), client: c}
	s.updates = make(chan string)
	s.wake = make(chan struct{})
	s.name = "store"
	return s
}

func (s *store) setURL(url string) {
	s.mu.Lock()
	s.url = url
	s.mu.Unlock()
}

func (s *store) sleepGood() {
	s.mu.Lock()
	s.n++
	time.Sleep(time.Second) // want `across a sleep of 1s`
	s.mu.Unlock()
}

func (s *store) signalGood(k string) {
	s.mu.Lock()
	delete(s.m, k)
	s.last = time.Now()

	// Somebody waits for it.
	s.wake <- struct{}{} // want `across a channel send`
	s.mu.Unlock()
}

func (s *store) orderJudge(k, v string) {
	s.mu.Lock()
	s.m[k] = v
	s.updates <- k // want `across a channel send`
	s.mu.Unlock()
}

func (s *store) deferredSleepGood() {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.n++
	time.Sleep(time.Second) // want `across a sleep`
}

func (s *store) deferredSendJudge(k, v string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = v
	s.updates <- k // want `across a channel send`
}

func (s *store) returnSleepGood() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.n
	time.Sleep(time.Second) // want `across a sleep`
	return n
}

func (s *store) snapshotJudge() error {
	s.mu.Lock()
	url := s.url
	resp, err := s.client.Get(url) // want `across an outbound call`
	s.mu.Unlock()
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (s *store) readLockJudge() error {
	s.rw.RLock()
	defer s.rw.RUnlock()
	url := s.url
	resp, err := s.client.Get(url) // want `across an outbound call`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (s *store) earlyReturnJudge(k string) {
	s.mu.Lock()
	if _, ok := s.m[k]; !ok {
		s.mu.Unlock()
		return
	}
	s.updates <- k // want `across a channel send`
	s.mu.Unlock()
}

func (s *store) readOnlyGood(k string) int {
	s.mu.Lock()
	n := s.n
	s.updates <- k // want `across a channel send`
	s.mu.Unlock()
	return n
}

func (s *store) constantGood() {
	s.mu.Lock()
	s.n++
	s.updates <- "changed" // want `across a channel send`
	s.mu.Unlock()
}

func (s *store) notify(k string) {
	s.updates <- s.name + k
}

func (s *store) throughHelperGood(k string) int {
	s.mu.Lock()
	n := s.n
	s.notify(k) // want `across a channel send`
	s.mu.Unlock()
	return n
}

func (s *store) panicJudge(keys []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[keys[0]] = ""
	time.Sleep(time.Second) // want `across a sleep`
}

func (s *store) conditionalSendGood(k string, send bool) int {
	s.mu.Lock()
	n := s.n
	if send {
		s.updates <- k // want `across a channel send`
	}
	s.mu.Unlock()
	return n
}

func (s *store) selectGood() {
	s.mu.Lock()
	s.n = 0
	select { // want `across a select`
	case <-s.wake:
	case s.wake <- struct{}{}:
	}
	s.mu.Unlock()
}

func (s *store) waitJudge(wg *sync.WaitGroup) {
	s.mu.Lock()
	s.n++
	wg.Wait() // want `across a wait for other goroutines`
	s.mu.Unlock()
}

func (s *store) branchGood(k string, on bool) {
	if on {
		s.mu.Lock()
		s.n++
		time.Sleep(time.Second) // want `across a sleep`
		s.mu.Unlock()
	}
}

func (s *store) trailingCommentGood() {
	s.mu.Lock()
	s.n++                   // one more
	time.Sleep(time.Second) // want `across a sleep`

	s.mu.Unlock()
}

var (
	global  = map[string]int{}
	globals sync.Mutex
)

func globalGood(k string) {
	globals.Lock()
	global[k]++
	time.Sleep(time.Second) // want `across a sleep`
	globals.Unlock()
}

type embedded struct {
	sync.Mutex
	n int
}

func (e *embedded) sleepGood() {
	e.Lock()
	e.n++
	time.Sleep(time.Second) // want `across a sleep`
	e.Unlock()
}

// One fix is enough for two findings.
func (s *store) firstOfTwo(k string) {
	s.mu.Lock()
	s.n++
	time.Sleep(time.Second) // want `across a sleep`
	s.updates <- k          // want `across a channel send`
	s.mu.Unlock()
}
