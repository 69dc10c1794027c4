package workpool

import (
	"context"
	"reflect"
	"runtime"
	"sync/atomic"
)

// workerKey finds in a context the worker of the pool p whose task it comes
// from. A task of another pool passes it on.
type workerKey struct{ p *Pool }

// caller reports whether ctx comes from a task of p, or the calling goroutine
// is a worker of p. It returns the worker if it can tell which.
func (p *Pool) caller(ctx context.Context) (*worker, bool) {
	if w, _ := ctx.Value(workerKey{p}).(*worker); w != nil {
		return w, true
	}
	return nil, onStack(p.id)
}

// A worker's goroutine starts below idDigits calls of mark functions, which
// spell the number of its pool. So the pool can be read from the call stack:
// without a goroutine number, which Go does not give away, without linkname,
// and at no cost for a task that does not ask.
const idDigits = 6

var ids atomic.Uint32

// newID returns the number of a new pool. After 16 million pools the numbers
// repeat; then a task of one pool may be taken for one of the other, and is
// refused to wait.
func newID() uint32 { return ids.Add(1) & (1<<(4*idDigits) - 1) }

func tagged(id uint32, f func()) { next(id, idDigits, f) }

// next calls the mark of the lowest digit of id, and f after the last.
func next(id uint32, digits int, f func()) {
	if digits == 0 {
		f()
		return
	}
	marks[id&15](id>>4, digits-1, f)
}

// onStack reports whether the goroutine runs below the marks of pool id.
func onStack(id uint32) bool {
	// The marks are at the far end, so a deep stack is read in parts, and
	// the last part is looked at together with the one before.
	var pcs [128]uintptr
	skip := 2
	n := runtime.Callers(skip, pcs[:])
	for n == len(pcs) {
		skip += n / 2
		n = runtime.Callers(skip, pcs[:])
	}
	// From the outermost call inwards. The goroutine's first functions are
	// this package's, or it is no worker.
	var got uint32
	found := 0
	for i := n - 1; i >= 0 && found < idDigits; i-- {
		fn := runtime.FuncForPC(pcs[i] - 1)
		if fn == nil {
			continue
		}
		if d, ok := markOf[fn.Entry()]; ok {
			got |= d << (4 * found)
			found++
		} else if n-i > 4+3*idDigits {
			return false
		}
	}
	return found == idDigits && got == id
}

var (
	marks  [16]func(uint32, int, func())
	markOf = make(map[uintptr]uint32)
)

func init() {
	marks = [16]func(uint32, int, func()){mark0, mark1, mark2, mark3, mark4, mark5, mark6, mark7, mark8, mark9, markA, markB, markC, markD, markE, markF}
	for i, f := range marks {
		markOf[reflect.ValueOf(f).Pointer()] = uint32(i)
	}
}

//go:noinline
func mark0(id uint32, n int, f func()) { next(id, n, f) }

//go:noinline
func mark1(id uint32, n int, f func()) { next(id, n, f) }

//go:noinline
func mark2(id uint32, n int, f func()) { next(id, n, f) }

//go:noinline
func mark3(id uint32, n int, f func()) { next(id, n, f) }

//go:noinline
func mark4(id uint32, n int, f func()) { next(id, n, f) }

//go:noinline
func mark5(id uint32, n int, f func()) { next(id, n, f) }

//go:noinline
func mark6(id uint32, n int, f func()) { next(id, n, f) }

//go:noinline
func mark7(id uint32, n int, f func()) { next(id, n, f) }

//go:noinline
func mark8(id uint32, n int, f func()) { next(id, n, f) }

//go:noinline
func mark9(id uint32, n int, f func()) { next(id, n, f) }

//go:noinline
func markA(id uint32, n int, f func()) { next(id, n, f) }

//go:noinline
func markB(id uint32, n int, f func()) { next(id, n, f) }

//go:noinline
func markC(id uint32, n int, f func()) { next(id, n, f) }

//go:noinline
func markD(id uint32, n int, f func()) { next(id, n, f) }

//go:noinline
func markE(id uint32, n int, f func()) { next(id, n, f) }

//go:noinline
func markF(id uint32, n int, f func()) { next(id, n, f) }
