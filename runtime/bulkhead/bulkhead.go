package bulkhead

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/concvet/concvet/runtime/internal/hist"
	"github.com/concvet/concvet/runtime/internal/spin"
	"github.com/concvet/concvet/runtime/internal/waitq"
)

var (
	// ErrFull says that there was no permit and no room to wait for one, or
	// none within the time of WithMaxWait. It is a reason to shed the request.
	ErrFull = errors.New("bulkhead: full")

	// ErrTooLarge says that more permits were asked for than the limit allows
	// the class to have.
	ErrTooLarge = errors.New("bulkhead: more permits than the limit allows")
)

// A Class says who a permit is for.
type Class uint8

const (
	Bulk        Class = iota // work that nobody waits for; the zero Class
	Interactive              // work that somebody waits for
)

// String returns the name of the class in lower case.
func (c Class) String() string {
	switch c {
	case Bulk:
		return "bulk"
	case Interactive:
		return "interactive"
	}
	return fmt.Sprintf("Class(%d)", uint8(c))
}

// A Bulkhead gives out permits up to a limit. It must not be copied.
type Bulkhead struct {
	// state is the permits in use, a flag for each class that has waiters, the
	// limit, and the lowest bits of the number of acquisitions. One word, so that
	// one compare-and-swap sees the limit, that there is a permit and that nobody
	// waits for it, takes it and counts; and so that a new limit and the permits
	// that it gives to waiters are one step.
	state   atomic.Uint64
	reserve uint64
	_       [48]byte // what is above is used by every call, what is below is not

	rejected atomic.Uint64
	wraps    atomic.Uint64 // the higher bits of the number of acquisitions
	maxWait  time.Duration
	maxQueue int
	name     string

	mu       sync.Mutex
	waiting  [2]waitq.List[request]
	waited   uint64
	timeouts uint64
	canceled uint64
	acquired uint64 // the most that Stats has said
	waits    hist.Dist
}

// A request is what a waiter wants.
type request struct {
	n     uint64
	since time.Duration
}

// The layout of the state, from the lowest bit.
const (
	maxLimit   = 1<<24 - 1
	inUse      = maxLimit
	flagShift  = 24
	limitShift = 26
	countShift = 50
	one        = 1 << countShift // one acquisition
	maxCount   = 1<<(64-countShift) - 1
)

func (c Class) checked() Class {
	if c > Interactive {
		panic("bulkhead: unknown " + c.String())
	}
	return c
}

// flag is the bit of state that says that the class has waiters.
func (c Class) flag() uint64 { return 1 << (flagShift + c) }

// ahead are the flags of those whom a newcomer of the class may not overtake.
func (c Class) ahead() uint64 {
	if c == Bulk {
		return Bulk.flag() | Interactive.flag()
	}
	return Interactive.flag()
}

// An Option is an argument of New.
type Option func(*Bulkhead)

// WithWaiters lets up to n callers of Acquire and AcquireN wait for a permit.
// Without it none waits: Acquire fails at once when the bulkhead is full. A
// useful n is the wait that a caller accepts × limit / latency of a call.
func WithWaiters(n int) Option {
	if n < 0 {
		panic("bulkhead: the number of waiters must not be negative")
	}
	return func(b *Bulkhead) { b.maxQueue = n }
}

// WithMaxWait bounds each wait by d: after it Acquire fails with ErrFull. The
// context bounds it too, whichever ends first.
func WithMaxWait(d time.Duration) Option {
	if d <= 0 {
		panic("bulkhead: the longest wait must be positive")
	}
	return func(b *Bulkhead) { b.maxWait = d }
}

// WithReserve keeps n of the permits for the class Interactive. Where SetLimit
// goes down to n or below, one permit is left to the class Bulk.
func WithReserve(n int) Option {
	if n < 0 {
		panic("bulkhead: the reserve must not be negative")
	}
	return func(b *Bulkhead) { b.reserve = uint64(n) }
}

// WithName names the bulkhead in its statistics.
func WithName(name string) Option {
	return func(b *Bulkhead) { b.name = name }
}

// New returns a bulkhead with limit permits, which fails fast unless it is
// given WithWaiters. It panics if limit is less than 1 or if the reserve leaves
// nothing to the class Bulk.
func New(limit int, opts ...Option) *Bulkhead {
	b := &Bulkhead{}
	for _, opt := range opts {
		opt(b)
	}
	checkLimit(limit)
	if b.reserve >= uint64(limit) {
		panic("bulkhead: the reserve must be less than the limit")
	}
	b.state.Store(withLimit(0, limit))
	return b
}

func checkLimit(limit int) {
	if limit < 1 || limit > maxLimit {
		panic(fmt.Sprintf("bulkhead: the limit must be from 1 to %d, not %d", maxLimit, limit))
	}
}

func withLimit(s uint64, limit int) uint64 {
	return s&^(maxLimit<<limitShift) | uint64(limit)<<limitShift
}

// limit returns how many permits may be in use after one of the class, in the
// state s.
func (b *Bulkhead) limit(s uint64, c Class) uint64 {
	limit := s >> limitShift & maxLimit
	if c == Interactive {
		return limit
	}
	if limit <= b.reserve {
		return 1
	}
	return limit - b.reserve
}

// TryAcquire takes a permit of the class Bulk if there is one that no waiter is
// before. It never blocks.
func (b *Bulkhead) TryAcquire() bool {
	if b.try(1, Bulk) {
		return true
	}
	b.rejected.Add(1)
	return false
}

// TryAcquireN takes n permits for the class, all or none, unless a waiter is
// before it. It never blocks. It panics if n is less than 1.
func (b *Bulkhead) TryAcquireN(n int, c Class) bool {
	if b.try(permits(n), c.checked()) {
		return true
	}
	b.rejected.Add(1)
	return false
}

func (b *Bulkhead) try(n uint64, c Class) bool {
	s := b.state.Load()
	if s&c.ahead() != 0 || s&inUse+n > b.limit(s, c) {
		return false
	}
	if !b.state.CompareAndSwap(s, s+n+one) {
		return b.tryAgain(n, c)
	}
	if s>>countShift == maxCount {
		b.wraps.Add(1)
	}
	return true
}

// tryAgain is try where somebody else was faster. The pauses let him have the word
// for himself for some calls, which costs both less than to take turns.
func (b *Bulkhead) tryAgain(n uint64, c Class) bool {
	for failed := 0; ; failed++ {
		spin.Pause(failed)
		s := b.state.Load()
		if s&c.ahead() != 0 || s&inUse+n > b.limit(s, c) {
			return false
		}
		if b.state.CompareAndSwap(s, s+n+one) {
			if s>>countShift == maxCount {
				b.wraps.Add(1)
			}
			return true
		}
	}
}

// Acquire takes a permit of the class Bulk. Where there is none it waits if
// WithWaiters allows it, and fails with ErrFull otherwise. It fails with
// ctx.Err() if the context has ended or ends first. If it fails it has taken
// nothing.
func (b *Bulkhead) Acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if b.try(1, Bulk) {
		return nil
	}
	return b.acquire(ctx, 1, Bulk)
}

// AcquireN takes n permits for the class, all or none, like Acquire. It fails
// with ErrTooLarge if the limit is, or becomes, less than n. It panics if n is
// less than 1.
func (b *Bulkhead) AcquireN(ctx context.Context, n int, c Class) error {
	k, c := permits(n), c.checked()
	if err := ctx.Err(); err != nil {
		return err
	}
	if b.try(k, c) {
		return nil
	}
	return b.acquire(ctx, k, c)
}

// Release gives one permit back. It panics if none is out.
func (b *Bulkhead) Release() { b.release(1) }

// ReleaseN gives n permits back, to the first waiters if there are any. It
// panics if fewer are out.
func (b *Bulkhead) ReleaseN(n int) { b.release(permits(n)) }

func (b *Bulkhead) release(n uint64) {
	s := b.state.Load()
	if s&inUse < n {
		panic("bulkhead: released more permits than were acquired")
	}
	if !b.state.CompareAndSwap(s, s-n) {
		s = b.releaseAgain(n)
	}
	if s&(Bulk.flag()|Interactive.flag()) != 0 {
		b.mu.Lock()
		b.settle(0)
		b.mu.Unlock()
	}
}

// releaseAgain gives permits back where somebody else was faster, and returns the
// state before.
func (b *Bulkhead) releaseAgain(n uint64) uint64 {
	for failed := 0; ; failed++ {
		spin.Pause(failed)
		s := b.state.Load()
		if s&inUse < n {
			panic("bulkhead: released more permits than were acquired")
		}
		if b.state.CompareAndSwap(s, s-n) {
			return s
		}
	}
}

func permits(n int) uint64 {
	if n < 1 {
		panic("bulkhead: the number of permits must be at least 1")
	}
	return uint64(min(n, maxLimit+1))
}

// Do calls f while it holds a permit of the class Bulk. It returns the error of
// Acquire without calling f, or what f returns. The permit is given back also
// if f panics or ends its goroutine.
func Do[T any](ctx context.Context, b *Bulkhead, f func(context.Context) (T, error)) (T, error) {
	if err := b.Acquire(ctx); err != nil {
		var zero T
		return zero, err
	}
	defer b.Release()
	return f(ctx)
}

// SetLimit changes the limit. A higher one admits waiters at once; a lower one
// takes no permit away, and admits nobody until enough are given back. Waiters
// that want more than it allows fail with ErrTooLarge. It panics if limit is
// less than 1.
func (b *Bulkhead) SetLimit(limit int) {
	checkLimit(limit)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settle(limit)
}
