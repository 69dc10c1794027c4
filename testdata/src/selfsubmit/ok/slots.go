package ok

import (
	"sync"
)

// The goroutine gives its slot back before it calls the function.
type politeSpawner struct{ room chan struct{} }

func newPoliteSpawner() *politeSpawner { return &politeSpawner{room: make(chan struct{}, 12)} }

func (b *politeSpawner) spawn(prepare, job func()) {
	b.room <- struct{}{}
	go func() {
		prepare()
		<-b.room
		job()
	}()
}

func (b *politeSpawner) treeOk(list func() []func()) {
	for _, p := range list() {
		b.spawn(p, func() { b.treeOk(list) })
	}
}

// Runs it itself when there is no slot.
type willingSpawner struct{ room chan struct{} }

func newWillingSpawner() *willingSpawner { return &willingSpawner{room: make(chan struct{}, 12)} }

func (b *willingSpawner) spawn(job func()) {
	select {
	case b.room <- struct{}{}:
		go func() {
			defer func() { <-b.room }()
			job()
		}()
	default:
		job()
	}
}

func (b *willingSpawner) treeOk(list func() []string) {
	for range list() {
		b.spawn(func() { b.treeOk(list) })
	}
}

// The task hands its successor over in a goroutine of its own.
type plainSpawner struct{ room chan struct{} }

func newPlainSpawner() *plainSpawner { return &plainSpawner{room: make(chan struct{}, 12)} }

func (b *plainSpawner) spawn(job func()) {
	b.room <- struct{}{}
	go func() {
		defer func() { <-b.room }()
		job()
	}()
}

func (b *plainSpawner) againOk(job func()) {
	b.spawn(func() {
		job()
		go b.againOk(job)
	})
}

// A spawner of its own for each level.
func (b *plainSpawner) levelsOk(list func() []func()) {
	b.spawn(func() {
		next := newPlainSpawner()
		for _, job := range list() {
			next.spawn(job)
		}
	})
}

// The slot is given back before the wait.
type eagerSizer struct {
	slots chan struct{}
	under func(string) []string
}

func newEagerSizer() *eagerSizer { return &eagerSizer{slots: make(chan struct{}, 9)} }

func (s *eagerSizer) sizeOk(dir string) {
	s.slots <- struct{}{}
	list := s.under(dir)
	<-s.slots
	var wg sync.WaitGroup
	for _, d := range list {
		wg.Go(func() { s.sizeOk(d) })
	}
	wg.Wait()
}

// The goroutines that are waited for need no slot; those that do are not waited
// for.
type mixedSizer struct {
	slots chan struct{}
	wg    sync.WaitGroup
	under func(string) []string
}

func newMixedSizer() *mixedSizer { return &mixedSizer{slots: make(chan struct{}, 9)} }

func (s *mixedSizer) sizeOk(dir string, stat func(string)) {
	s.slots <- struct{}{}
	defer func() { <-s.slots }()
	var wg sync.WaitGroup
	for _, d := range s.under(dir) {
		wg.Go(func() { stat(d) })
		s.wg.Go(func() { s.sizeOk(d, stat) })
	}
	wg.Wait()
}

// Somebody else may answer, too.
type eitherSummer struct {
	gate  chan struct{}
	under func(int) []int
}

func newEitherSummer() *eitherSummer { return &eitherSummer{gate: make(chan struct{}, 2)} }

func (s *eitherSummer) sumOk(n int) int {
	s.gate <- struct{}{}
	defer func() { <-s.gate }()
	out := make(chan int, 1)
	go func() { out <- n }()
	for _, p := range s.under(n) {
		go func() { out <- s.sumOk(p) }()
	}
	return <-out
}

// As many slots as there is room for, and a loop that gives one back.
type listener struct {
	room  chan struct{}
	quit  chan struct{}
	ready func() (func(), error)
}

func newListener() *listener {
	l := &listener{room: make(chan struct{}, 50), quit: make(chan struct{})}
	for range 50 {
		l.room <- struct{}{}
	}
	return l
}

func (l *listener) listenOk() {
	for {
		select {
		case <-l.room:
		case <-l.quit:
			return
		}
		serve, err := l.ready()
		if err != nil {
			l.room <- struct{}{}
			continue
		}
		go func() {
			defer func() { l.room <- struct{}{} }()
			serve()
		}()
	}
}
