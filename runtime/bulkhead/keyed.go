package bulkhead

import (
	"runtime"
	"sync"
	"weak"
)

// Keyed is a set of bulkheads, one a key: one a dependency, a tenant, a host.
// It keeps at most a fixed number of them, so that keys which come from outside
// cannot fill the memory or the labels of the metrics.
//
// When a new key comes and all places are taken, the bulkhead that is idle for
// longest makes room. A bulkhead that somebody still has from Get is found again
// under its key, so a key never has two. If none is idle, the new key shares one
// further bulkhead with all others of its kind: no more than
// (maxKeys + 1) × limit calls are under way, whatever the keys.
type Keyed[K comparable] struct {
	mk  func(K) *Bulkhead
	max int

	mu      sync.Mutex
	kept    map[K]*place[K]
	root    place[K] // of the ring of kept, the latest used next
	known   map[K]weak.Pointer[Bulkhead]
	other   *Bulkhead
	evicted uint64
}

// A place is one of the maxKeys.
type place[K comparable] struct {
	key        K
	b          *Bulkhead
	prev, next *place[K]
}

// NewKeyed returns a set of at most maxKeys bulkheads, each made by mk when its
// key is first asked for. mk is called without a lock, and may be called for a
// key more than once, of which one result is used. It panics if maxKeys is less
// than 1.
func NewKeyed[K comparable](maxKeys int, mk func(K) *Bulkhead) *Keyed[K] {
	if maxKeys < 1 {
		panic("bulkhead: maxKeys must be at least 1")
	}
	if mk == nil {
		panic("bulkhead: NewKeyed needs a function that makes a bulkhead")
	}
	k := &Keyed[K]{mk: mk, max: maxKeys, kept: make(map[K]*place[K]), known: make(map[K]weak.Pointer[Bulkhead])}
	k.root.prev, k.root.next = &k.root, &k.root
	return k
}

// Get returns the bulkhead of the key. Permits are given back to the bulkhead
// they were taken from: keep the result, do not ask Get again.
func (k *Keyed[K]) Get(key K) *Bulkhead {
	k.mu.Lock()
	b := k.find(key)
	if b == nil && k.other != nil && k.room() == nil {
		b = k.other
	}
	k.mu.Unlock()
	if b != nil {
		return b
	}
	b = k.mk(key)
	if b == nil {
		panic("bulkhead: the function of NewKeyed returned nil")
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if first := k.find(key); first != nil {
		return first
	}
	if k.keep(key, b) {
		return b
	}
	if k.other == nil {
		k.other = b
	}
	return k.other
}

// find returns the bulkhead of a key that has one. The lock is held.
func (k *Keyed[K]) find(key K) *Bulkhead {
	if p := k.kept[key]; p != nil {
		p.unlink()
		k.root.push(p)
		return p.b
	}
	if b := k.known[key].Value(); b != nil {
		k.keep(key, b)
		return b
	}
	return nil
}

// room returns a place that a new key may have: a new one, or that of the idle
// bulkhead that was asked for longest ago. It returns nil if all are busy. The
// lock is held.
func (k *Keyed[K]) room() *place[K] {
	if len(k.kept) < k.max {
		return &place[K]{}
	}
	for p := k.root.prev; p != &k.root; p = p.prev {
		if p.b.idle() {
			return p
		}
	}
	return nil
}

// keep gives the key a place and reports whether there was one. The lock is
// held.
func (k *Keyed[K]) keep(key K, b *Bulkhead) bool {
	p := k.room()
	if p == nil {
		return false
	}
	if p.b != nil {
		p.unlink()
		delete(k.kept, p.key)
		k.evicted++
		k.remember(p.key, p.b)
	}
	p.key, p.b = key, b
	k.kept[key] = p
	k.root.push(p)
	return true
}

// remember keeps a bulkhead findable for as long as somebody else has it. The
// lock is held.
func (k *Keyed[K]) remember(key K, b *Bulkhead) {
	w := weak.Make(b)
	if k.known[key] == w {
		return
	}
	k.known[key] = w
	runtime.AddCleanup(b, k.forget, key)
}

func (k *Keyed[K]) forget(key K) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known[key].Value() == nil {
		delete(k.known, key)
	}
}

func (root *place[K]) push(p *place[K]) {
	p.prev, p.next = root, root.next
	root.next.prev = p
	root.next = p
}

func (p *place[K]) unlink() {
	p.prev.next = p.next
	p.next.prev = p.prev
}

// idle reports whether no permit is out and nobody waits.
func (b *Bulkhead) idle() bool {
	return b.state.Load()&(inUse|Bulk.flag()|Interactive.flag()) == 0
}

// KeyStats are the statistics of the bulkhead of one key.
type KeyStats[K comparable] struct {
	Key K
	Stats
}

// KeyedStats is what a set of bulkheads has done so far.
type KeyedStats[K comparable] struct {
	MaxKeys int
	Keys    []KeyStats[K] // of the keys that have a place, the latest asked for first
	Other   *Stats        // of the bulkhead that keys without a place share, nil if it was never needed
	Evicted uint64        // bulkheads that had to make room
}

// Stats returns the present figures of at most maxKeys keys.
func (k *Keyed[K]) Stats() KeyedStats[K] {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := KeyedStats[K]{MaxKeys: k.max, Evicted: k.evicted}
	for p := k.root.next; p != &k.root; p = p.next {
		s.Keys = append(s.Keys, KeyStats[K]{Key: p.key, Stats: p.b.Stats()})
	}
	if k.other != nil {
		other := k.other.Stats()
		s.Other = &other
	}
	return s
}
