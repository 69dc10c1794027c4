package ok

import "sync"

// What cannot be resolved does nothing: unknown means silent.

type unknown struct {
	mu    sync.Mutex
	state map[string]int
	hook  func()
	Hook  func()
	two   greeter
}

func (u *unknown) parameterOk(f func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	f()
}

// Assigned twice: either.
func (u *unknown) setOk(slow bool) {
	u.hook = func() {}
	if slow {
		u.hook = outbound
	}
}

func (u *unknown) twiceAssignedOk() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.hook()
}

// Another package may assign an exported field.
func (u *unknown) exportedFieldOk() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.Hook()
}

func newUnknown() *unknown { return &unknown{Hook: outbound} }

// Two types implement it.
type greeter interface{ greet() }

type loud struct{}

func (loud) greet() { outbound() }

type quiet struct{}

func (quiet) greet() {}

func (u *unknown) interfaceOk() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.two.greet()
}

// A literal with the same effect that runs without the lock.
func (u *unknown) literalOutsideOk() {
	call := func() { outbound() }
	u.mu.Lock()
	u.state["a"]++
	u.mu.Unlock()
	call()
}

func (u *unknown) twoCallsOk() {
	once := func() { outbound() }
	once()
	u.mu.Lock()
	u.state["a"]++
	u.mu.Unlock()
	once()
}
