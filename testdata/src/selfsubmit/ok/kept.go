package ok

import (
	"context"

	"github.com/panjf2000/ants/v2"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// The struct keeps a group that nobody limits.
type freeWalker struct {
	group *errgroup.Group
	under func(string) []string
}

func newFreeWalker(under func(string) []string) *freeWalker {
	return &freeWalker{group: new(errgroup.Group), under: under}
}

func (w *freeWalker) visitOk(dir string) error {
	for _, d := range w.under(dir) {
		w.group.Go(func() error { return w.visitOk(d) })
	}
	return nil
}

// One constructor limits the group, the other, for trees, does not.
type someWalker struct {
	group *errgroup.Group
	under func(string) []string
}

func newFlat() *someWalker {
	g := new(errgroup.Group)
	g.SetLimit(6)
	return &someWalker{group: g}
}

func newDeep(under func(string) []string) *someWalker {
	g := new(errgroup.Group)
	return &someWalker{group: g, under: under}
}

func (w *someWalker) visitOk(dir string) error {
	for _, d := range w.under(dir) {
		w.group.Go(func() error { return w.visitOk(d) })
	}
	return nil
}

// The subscriber of one bus publishes on another.
type relayBus struct {
	ch   chan string
	subs []func(string)
}

func newRelayBus() *relayBus { return &relayBus{ch: make(chan string, 32)} }

func (b *relayBus) serve() {
	for msg := range b.ch {
		for _, sub := range b.subs {
			sub(msg)
		}
	}
}

func (b *relayBus) On(sub func(string)) { b.subs = append(b.subs, sub) }
func (b *relayBus) Emit(msg string)     { b.ch <- msg }

type relay struct{ from, to *relayBus }

func newRelay(from, to *relayBus) *relay {
	r := &relay{from: from, to: to}
	from.On(r.forwardOk)
	return r
}

func (r *relay) forwardOk(msg string) { r.to.Emit(msg) }

// The field is set again later: to what, is not known.
type tap struct{ to *relayBus }

func newTap(from *relayBus) *tap {
	t := &tap{to: from}
	from.On(t.forwardOk)
	return t
}

func (t *tap) point(to *relayBus)   { t.to = to }
func (t *tap) forwardOk(msg string) { t.to.Emit(msg) }

// Two pools with a function each.
type stages struct {
	first, second *ants.PoolWithFunc
	do            func(any)
}

func newStages(do func(any)) (*stages, error) {
	s := &stages{do: do}
	var err error
	if s.first, err = ants.NewPoolWithFunc(4, s.startOk); err != nil {
		return nil, err
	}
	s.second, err = ants.NewPoolWithFunc(4, s.finish)
	return s, err
}

func (s *stages) startOk(v any) { _ = s.second.Invoke(v) }
func (s *stages) finish(v any)  { s.do(v) }

// Two ends of two queues.
type stage struct {
	in  <-chan int
	out chan<- int
}

func newStage(in, out chan int) *stage { return &stage{in: in, out: out} }

func (s *stage) loopOk() {
	for n := range s.in {
		s.out <- n + 1
	}
}

func startStages() chan int {
	a, b := make(chan int), make(chan int)
	go newStage(a, b).loopOk()
	go func() {
		for range b {
		}
	}()
	return a
}

// One queue by two names in one struct, two queues in another.
type mixedStage struct {
	in  <-chan int
	out chan<- int
}

func (s *mixedStage) loopOk() {
	for n := range s.in {
		s.out <- n + 1
	}
}

func startMixed(a, b chan int) {
	go (&mixedStage{in: a, out: a}).loopOk()
	go (&mixedStage{in: a, out: b}).loopOk()
}

// The hook only asks for the end.
type asker struct {
	over, quit chan struct{}
	fail       func(error)
	next       func() error
}

func newAsker(next func() error) *asker {
	t := &asker{over: make(chan struct{}), quit: make(chan struct{}), next: next}
	t.fail = func(error) { close(t.quit) }
	go t.runOk()
	return t
}

func (t *asker) runOk() {
	defer close(t.over)
	for {
		if err := t.next(); err != nil {
			t.fail(err)
			return
		}
	}
}

func (t *asker) Wait() { <-t.over }

// The hook of one waits for another.
type chained struct {
	over chan struct{}
	fail func()
	next func() error
}

func newChained(before *chained, next func() error) *chained {
	t := &chained{over: make(chan struct{}), next: next}
	t.fail = func() { <-before.over }
	go t.runOk()
	return t
}

func (t *chained) runOk() {
	defer close(t.over)
	for t.next() == nil {
	}
	t.fail()
}

// The first slot is given back before the second one is taken.
type gates struct{ sem *semaphore.Weighted }

func newGates() *gates { return &gates{sem: semaphore.NewWeighted(3)} }

func (d *gates) enter(ctx context.Context) (leave func(), err error) {
	if err := d.sem.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	return func() { d.sem.Release(1) }, nil
}

func (d *gates) oneByOneOk(ctx context.Context, do func()) error {
	leave, err := d.enter(ctx)
	if err != nil {
		return err
	}
	do()
	leave()
	leave, err = d.enter(ctx)
	if err != nil {
		return err
	}
	do()
	leave()
	return nil
}

// A lexer in one goroutine: it runs a step only when no token is left, and a step
// makes fewer tokens than there is room for.
type lexer struct {
	tokens chan string
	step   lexStep
	input  []string
}

type lexStep func(*lexer) lexStep

func newLexer(input []string) *lexer {
	return &lexer{tokens: make(chan string, 10), step: lexWord, input: input}
}

func (l *lexer) nextOk() string {
	for {
		select {
		case t := <-l.tokens:
			return t
		default:
			l.step = l.step(l)
		}
	}
}

func (l *lexer) emit(t string) { l.tokens <- t }

func lexWord(l *lexer) lexStep {
	if len(l.input) == 0 {
		l.emit("end")
		return lexEnd
	}
	l.emit(l.input[0])
	l.emit(" ")
	l.input = l.input[1:]
	return lexWord
}

func lexEnd(l *lexer) lexStep {
	l.emit("end")
	return lexEnd
}
