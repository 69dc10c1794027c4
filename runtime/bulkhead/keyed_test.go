package bulkhead

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestKeyedGivesEveryKeyItsOwn(t *testing.T) {
	k := NewKeyed(2, func(key string) *Bulkhead { return New(1, WithName(key)) })
	a, b := k.Get("a"), k.Get("b")
	if a == b || k.Get("a") != a || k.Get("b") != b {
		t.Fatal("keys share a bulkhead")
	}
	a.TryAcquire()
	if !b.TryAcquire() {
		t.Error("a full bulkhead refuses another key")
	}
	s := k.Stats()
	if len(s.Keys) != 2 || s.Keys[0].Key != "b" || s.Keys[0].Name != "b" || s.Keys[1].InUse != 1 || s.Other != nil {
		t.Errorf("%+v", s)
	}
}

func TestKeyedKeepsAtMostMaxKeys(t *testing.T) {
	k := NewKeyed(10, func(int) *Bulkhead { return New(1) })
	for i := range 1000 {
		k.Get(i)
	}
	s := k.Stats()
	if len(s.Keys) != 10 || s.Evicted != 990 {
		t.Fatalf("%d keys, %d evicted", len(s.Keys), s.Evicted)
	}
	for i, ks := range s.Keys {
		if ks.Key != 999-i {
			t.Fatalf("key %d is kept at place %d: not the latest used", ks.Key, i)
		}
	}
	known := func() int {
		k.mu.Lock()
		defer k.mu.Unlock()
		return len(k.known)
	}
	for i := 0; known() > 0; i++ {
		if i == 500 {
			t.Fatalf("%d evicted bulkheads that nobody has are still known", known())
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

func TestKeyedEvictsTheIdleOnly(t *testing.T) {
	k := NewKeyed(2, func(int) *Bulkhead { return New(1) })
	k.Get(1).TryAcquire()
	k.Get(2)
	k.Get(3)
	s := k.Stats()
	if len(s.Keys) != 2 || s.Keys[0].Key != 3 || s.Keys[1].Key != 1 {
		t.Errorf("%+v", s)
	}
}

func TestAKeyNeverHasTwoBulkheads(t *testing.T) {
	k := NewKeyed(1, func(int) *Bulkhead { return New(1) })
	first := k.Get(1)
	k.Get(2) // evicts 1, which is idle and in our hands
	runtime.GC()
	if k.Get(1) != first {
		t.Fatal("the key got a second bulkhead while somebody has the first")
	}
	first.TryAcquire()
	k.Get(2)
	runtime.GC()
	if k.Get(1) != first {
		t.Fatal("the key got a second bulkhead while a permit of the first is out")
	}
	runtime.KeepAlive(first)
}

func TestKeysBeyondMaxKeysShareOne(t *testing.T) {
	made := 0
	k := NewKeyed(2, func(int) *Bulkhead { made++; return New(3) })
	total := 0
	for key := range 100 {
		for k.Get(key).TryAcquire() {
			total++
		}
	}
	if total != 3*3 {
		t.Errorf("%d permits are out, want (2 + 1) × 3", total)
	}
	if made != 3 {
		t.Errorf("%d bulkheads were made, want 3", made)
	}
	if s := k.Stats(); s.Other == nil || s.Other.InUse != 3 || len(s.Keys) != 2 {
		t.Errorf("%+v", s)
	}
	k.Get(0).ReleaseN(3)
	if b := k.Get(77); b.Stats().InUse != 0 {
		t.Error("a place became free and the next key did not get it")
	}
}

func TestTheFunctionOfKeyedMayCallBack(t *testing.T) {
	var k *Keyed[int]
	k = NewKeyed(4, func(key int) *Bulkhead {
		if key > 0 {
			k.Get(key - 1)
		}
		k.Stats()
		return New(1)
	})
	k.Get(3)
	if s := k.Stats(); len(s.Keys) != 4 {
		t.Errorf("%+v", s)
	}
}

// TestStressKeyedHoldsTheLimitOfEveryKey has more keys than places, so that
// bulkheads are evicted, found again and collected all the time. What a key has
// in bulkheads of its own is never more than the limit of one.
func TestStressKeyedHoldsTheLimitOfEveryKey(t *testing.T) {
	const keys, limit = 8, 2
	k := NewKeyed(3, func(int) *Bulkhead { return New(limit) })
	shared := func(b *Bulkhead) bool {
		k.mu.Lock()
		defer k.mu.Unlock()
		return b == k.other
	}
	var out [keys]atomic.Int32
	var own, other atomic.Int32
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 3000 {
				key := (i*7 + g) % keys
				b := k.Get(key)
				if i%3 == 0 {
					runtime.Gosched() // others evict it meanwhile
				}
				if !b.TryAcquire() {
					continue
				}
				if shared(b) {
					other.Add(1)
				} else {
					own.Add(1)
					if n := out[key].Add(1); n > limit {
						t.Errorf("key %d has %d calls under way, the limit is %d", key, n, limit)
					}
					if i%5 == 0 {
						runtime.Gosched()
					}
					out[key].Add(-1)
				}
				b.Release()
				if i%500 == 0 {
					runtime.GC()
				}
			}
		})
	}
	wg.Wait()
	s := k.Stats()
	for _, ks := range s.Keys {
		if ks.InUse != 0 {
			t.Errorf("%+v", ks)
		}
	}
	if own.Load() == 0 || s.Evicted == 0 {
		t.Errorf("%d calls on bulkheads of their own, %d shared, %d evicted: not all was tested", own.Load(), other.Load(), s.Evicted)
	}
}
