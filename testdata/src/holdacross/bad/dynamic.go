package bad

import (
	"net/http"
	"os/exec"
	"sync"
	"time"
)

// Calls whose callee is not written at the call.

type notifier struct {
	mu     sync.Mutex
	notify func()
	state  map[string]int
}

// A field that is assigned once in the package is what it is assigned. The
// finding stands in the literal: that is where the call is.
func (n *notifier) fieldBad() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.state["a"]++
	n.notify()
}

func newNotifier() *notifier {
	return &notifier{notify: func() {
		http.Get(peer) // want `n\.mu .* is held across an outbound call .*holdacross/lock-blocking`
	}}
}

// So it is if the constructor stands above the method that calls the field.
type alarm struct {
	mu     sync.Mutex
	notify func()
	state  map[string]int
}

func newAlarm() *alarm {
	return &alarm{notify: func() {
		http.Get(peer) // want `a\.mu .* is held across an outbound call .*holdacross/lock-blocking`
	}}
}

func (a *alarm) fieldAssignedAboveBad() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.state["a"]++
	a.notify()
}

// A package variable, too.
var ping = func() {
	http.Get(peer) // want `n\.mu .* is held across an outbound call .*holdacross/lock-blocking`
}

func (n *notifier) variableBad() {
	n.mu.Lock()
	defer n.mu.Unlock()
	ping()
}

var pingNamed = visit

func (n *notifier) namedVariableBad() {
	n.mu.Lock()
	defer n.mu.Unlock()
	pingNamed() // want `n\.mu .* is held across an outbound call \(http\.Get via visit\).*holdacross/lock-blocking`
}

// A local variable that holds a function.
func (n *notifier) localBad() {
	call := func() { time.Sleep(time.Second) } // want `n\.mu .* is held across a sleep of 1s.*holdacross/lock-blocking`
	n.mu.Lock()
	defer n.mu.Unlock()
	call()
}

func (n *notifier) localMethodValueBad() {
	call := n.work
	n.mu.Lock()
	defer n.mu.Unlock()
	call() // want `n\.mu .* is held across a sleep of 2s \(time\.Sleep via \(\*notifier\)\.work\)`
}

func (n *notifier) work() { time.Sleep(2 * time.Second) }

func (n *notifier) methodExpressionBad() {
	n.mu.Lock()
	defer n.mu.Unlock()
	(*notifier).rest(n) // want `n\.mu .* is held across a sleep of 3s \(time\.Sleep via \(\*notifier\)\.rest\)`
}

func (n *notifier) rest() { time.Sleep(3 * time.Second) }

// A literal that is called at once.
func (n *notifier) immediateBad() {
	n.mu.Lock()
	defer n.mu.Unlock()
	func() {
		http.Get(peer) // want `n\.mu .* is held across an outbound call \(http\.Get\).*holdacross/lock-blocking`
	}()
}

func (n *notifier) nestedImmediateBad() {
	n.mu.Lock()
	defer n.mu.Unlock()
	func() {
		func() {
			http.Get(peer) // want `n\.mu .* is held across an outbound call \(http\.Get\).*holdacross/lock-blocking`
		}()
	}()
}

// The literal locks, and what it leaves locked is locked around it.
func (n *notifier) literalLocksBad() {
	func() { n.mu.Lock() }()
	http.Get(peer) // want `n\.mu .* is held across an outbound call \(http\.Get\).*holdacross/lock-blocking`
	func() { n.mu.Unlock() }()
}

// An interface of the package that one type implements is that type.
type mailer interface{ send(to string) error }

type smtpMailer struct{}

func (smtpMailer) send(to string) error {
	_, err := http.Get(peer)
	return err
}

func (n *notifier) soleImplementationBad(m mailer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	m.send("a") // want `n\.mu .* is held across an outbound call .*via smtpMailer\.send.*holdacross/lock-blocking`
}

// An interface of the standard library with a row.
func (n *notifier) roundTripperBad(rt http.RoundTripper, req *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	rt.RoundTrip(req) // want `n\.mu .* is held across an outbound call .*holdacross/lock-blocking`
}

// Recursion: the summary of each contains that of the other.
func even(n int) {
	if n > 0 {
		odd(n - 1)
	}
}

func odd(n int) {
	time.Sleep(time.Second)
	even(n - 1)
}

func (n *notifier) recursionBad() {
	n.mu.Lock()
	defer n.mu.Unlock()
	even(4) // want `n\.mu .* is held across a sleep of 1s.*holdacross/lock-blocking`
}

// The recursion calls itself with the lock held.
func (n *notifier) tree(depth int) {
	if depth == 0 {
		return
	}
	n.tree(depth - 1)
	time.Sleep(4 * time.Second)
}

func (n *notifier) selfRecursionBad() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.tree(3) // want `n\.mu .* is held across a sleep of 4s.*holdacross/lock-blocking`
}

// Functions in package variables are analysed too.
var handlers = map[string]func(n *notifier){
	"get": func(n *notifier) {
		n.mu.Lock()
		defer n.mu.Unlock()
		http.Get(peer) // want `n\.mu .* is held across an outbound call \(http\.Get\).*holdacross/lock-blocking`
	},
}

// Aliases change nothing.
type (
	aliasMutex    = sync.Mutex
	aliasNotifier = notifier
)

type aliased struct {
	mu    aliasMutex
	state map[string]int
}

func (a *aliased) aliasBad() {
	a.mu.Lock()
	defer a.mu.Unlock()
	http.Get(peer) // want `a\.mu .* is held across an outbound call \(http\.Get\).*holdacross/lock-blocking`
}

func aliasOfStructBad(n *aliasNotifier) {
	n.mu.Lock()
	defer n.mu.Unlock()
	http.Get(peer) // want `n\.mu .* is held across an outbound call \(http\.Get\).*holdacross/lock-blocking`
}

// doer is what programs declare to put a test double in place of a client.
type doer interface {
	Do(*http.Request) (*http.Response, error)
}

type sender struct {
	mu     sync.Mutex
	client doer
}

func (s *sender) doerBad(req *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.client.Do(req) // want `s\.mu .* is held across an outbound call .*holdacross/lock-blocking`
}

// planner has a method of the same name that sends nothing.
type planner interface {
	Do(*http.Request) error
}

func (s *sender) plannerOk(p planner, req *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.Do(req)
}

// What is in the field is known by all that is assigned to it, though the
// interface has two implementations.
type paidNotifier interface{ Paid(id int64) error }

type paidHook struct{ client *http.Client }

func (h *paidHook) Paid(id int64) error {
	_, err := h.client.Get("http://hook.example")
	return err
}

type paidLog struct{ ids []int64 }

func (l *paidLog) Paid(id int64) error { l.ids = append(l.ids, id); return nil }

type paidOrders struct {
	mu     sync.Mutex
	notify paidNotifier
	log    paidNotifier
	ping   func(url string) (*http.Response, error)
	either paidNotifier
}

func newPaidOrders(c *http.Client, quiet bool) *paidOrders {
	o := &paidOrders{notify: &paidHook{client: c}, log: &paidLog{}, ping: c.Get}
	o.either = &paidHook{client: c}
	if quiet {
		o.either = &paidLog{}
	}
	return o
}

func (o *paidOrders) fieldTypeBad() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.notify.Paid(1) // want `o\.mu .* is held across an outbound call .*via \(\*paidHook\)\.Paid.*holdacross/lock-blocking`
}

func (o *paidOrders) fieldTypeOk() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.log.Paid(1)
}

func (o *paidOrders) eitherOk() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.either.Paid(1)
}

func (o *paidOrders) methodValueBad() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ping("http://hook.example") // want `o\.mu .* is held across an outbound call .*holdacross/lock-blocking`
}

// A lock that is named after what it guards, in package variables.
var (
	pluginsMu sync.Mutex
	plugins   = map[string]string{}
)

func registerPluginBad(name, path string) error {
	pluginsMu.Lock()
	defer pluginsMu.Unlock()
	if _, dup := plugins[name]; dup {
		return nil
	}
	out, err := exec.Command(path, "--version").Output() // want `pluginsMu .* is held across a wait for another process.*holdacross/lock-blocking`
	if err != nil {
		return err
	}
	plugins[name] = string(out)
	return nil
}

func lookupPluginOk(name string) string {
	pluginsMu.Lock()
	defer pluginsMu.Unlock()
	return plugins[name]
}
