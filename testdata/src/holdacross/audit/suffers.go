package audit

import (
	"net"
	"net/http"
	"os/exec"
	"sync"
	"time"
)

// Nobody else takes the lock: those who refresh the token wait for each other,
// which the lock is there for.
type tokens struct {
	mu    sync.Mutex
	token string
}

func (t *tokens) refresh(url string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	resp, err := http.Get(url) // want `t\.mu .* is held across an outbound call.*holdacross/lock-blocking`
	if err != nil {
		return err
	}
	t.token = resp.Header.Get("Token")
	return nil
}

// Kept until it is too old, for those who ask for the same.
type ticket struct {
	mu sync.Mutex
	id string
	at time.Time
}

func (s *ticket) ID(url string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.at) < time.Hour {
		return s.id, nil
	}
	resp, err := http.Get(url) // want `s\.mu .* is held across an outbound call.*holdacross/lock-blocking`
	if err != nil {
		return "", err
	}
	s.id, s.at = resp.Header.Get("Session"), time.Now()
	return s.id, nil
}

// All who take the lock wait for the same server.
type remote struct{ mu sync.Mutex }

func (r *remote) Get() {
	r.mu.Lock()
	defer r.mu.Unlock()
	http.Get("http://a.example") // want `r\.mu .* is held across an outbound call.*holdacross/lock-blocking`
}

func (r *remote) Put() {
	r.mu.Lock()
	defer r.mu.Unlock()
	http.Post("http://a.example", "", nil) // want `r\.mu .* is held across an outbound call.*holdacross/lock-blocking`
}

// Only the start and the end take it besides.
type prober struct {
	mu   sync.Mutex
	done bool
}

func (p *prober) Probe() {
	p.mu.Lock()
	defer p.mu.Unlock()
	http.Get("http://a.example") // want `p\.mu .* is held across an outbound call.*holdacross/lock-blocking`
}

func (p *prober) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = true
}

// Called by the constructor only.
type board struct {
	mu    sync.Mutex
	names []string
}

func newBoard() *board {
	b := &board{}
	b.fill()
	return b
}

func (b *board) fill() {
	b.mu.Lock()
	defer b.mu.Unlock()
	exec.Command("ls").Run() // want `b\.mu .* is held across a wait for another process.*holdacross/lock-blocking`
}

func (b *board) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.names)
}

// Two locks, of the same type and with the same name inside, are not the same.
type wrapped struct{ sync.Mutex }

type left struct {
	mu wrapped
	ch chan int
}

type right struct {
	mu wrapped
	n  int
}

func (l *left) give(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ch <- n // want `l\.mu\.Mutex .* is held across a channel send.*holdacross/lock-blocking`
}

func take(l *left, r *right) {
	n := <-l.ch
	r.mu.Lock()
	r.n += n
	r.mu.Unlock()
}

// A pause of a tenth of a second, once.
func (b *board) Pause() {
	b.mu.Lock()
	defer b.mu.Unlock()
	time.Sleep(100 * time.Millisecond) // want `b\.mu .* is held across a sleep of 100ms.*holdacross/lock-blocking`
}

// The address of a listener is nearly always one already.
func (b *board) Listen(addr string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, err := net.ResolveUDPAddr("udp", addr) // want `b\.mu .* is held across a name look-up.*holdacross/lock-blocking`
	return err
}

// A short answer stays in the buffer of the server until the handler returns.
func (b *board) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.names = nil
	answer(w, http.StatusNotFound, "not found") // want `b\.mu .* is held across an outbound call.*holdacross/lock-blocking`
}

func answer(w http.ResponseWriter, code int, text string) {
	w.WriteHeader(code)
	w.Write([]byte(text))
}
