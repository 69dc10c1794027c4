package waitq

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func values(l *List[int]) []int {
	var out []int
	for w := l.Front(); w != nil; w = w.Next() {
		out = append(out, w.Value)
	}
	return out
}

func TestListKeepsTheOrderOfArrival(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var l List[int]
	var want []int
	byValue := make(map[int]*Waiter[int])
	for i := range 10000 {
		if rng.IntN(2) == 0 || len(want) == 0 {
			byValue[i] = l.Push(i)
			want = append(want, i)
		} else {
			k := rng.IntN(len(want))
			w := byValue[want[k]]
			if !l.Remove(w) {
				t.Fatalf("waiter %d was not in the list", want[k])
			}
			if l.Remove(w) {
				t.Fatalf("waiter %d was removed twice", want[k])
			}
			w.Wake()
			<-w.Ready()
			l.Free(w)
			want = slices.Delete(want, k, k+1)
		}
		if got := values(&l); !slices.Equal(got, want) || l.Len() != len(want) {
			t.Fatalf("step %d: %v of %d, want %v", i, got, l.Len(), want)
		}
		if len(want) > 0 && (l.Front().Value != want[0] || l.Back().Value != want[len(want)-1]) {
			t.Fatalf("step %d: front %d, back %d, want %v", i, l.Front().Value, l.Back().Value, want)
		}
	}
}

func TestWaitersAreReused(t *testing.T) {
	var l List[*int]
	x := new(int)
	allocs := testing.AllocsPerRun(100, func() {
		w := l.Push(x)
		l.Remove(w)
		l.Free(w)
	})
	if allocs != 0 {
		t.Errorf("%v allocations a wait", allocs)
	}
	if l.free.Value != nil {
		t.Error("a free waiter keeps the value alive")
	}
	var ws []*Waiter[*int]
	for range 2 * maxFree {
		ws = append(ws, l.Push(x))
	}
	for _, w := range ws {
		l.Remove(w)
		l.Free(w)
	}
	if l.nfree != maxFree {
		t.Errorf("%d waiters are kept, want %d", l.nfree, maxFree)
	}
}
