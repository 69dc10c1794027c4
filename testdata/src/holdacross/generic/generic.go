// Package generic has the cases that type parameters make: a generic function
// or method is analysed once, on its generic body.
package generic

import (
	"database/sql"
	"iter"
	"net/http"
	"sync"
	"time"
)

const peer = "http://peer.example"

// A generic store: the lock is a field like any other.
type store[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]V
	load   chan K
}

func (s *store[K, V]) getBad(k K) V {
	s.mu.Lock()
	defer s.mu.Unlock()
	http.Get(peer) // want `s\.mu \(locked at line \d+\) is held across an outbound call \(http\.Get\).*holdacross/lock-blocking`
	return s.values[k]
}

func (s *store[K, V]) getOk(k K) V {
	s.mu.Lock()
	v := s.values[k]
	s.mu.Unlock()
	http.Get(peer)
	return v
}

// A method that waits, called under the lock of another.
func (s *store[K, V]) fetch(k K) { s.load <- k }

func (s *store[K, V]) methodBad(k K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fetch(k) // want `s\.mu .* is held across a channel send \(send on s\.load via .*fetch\)`
}

// The instance is called from code that is not generic.
type service struct {
	mu    sync.Mutex
	users store[string, int]
	n     int
}

func (s *service) instanceBad() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	s.users.fetch("a") // want `s\.mu .* is held across a channel send`
}

func (s *service) instanceOk() {
	s.mu.Lock()
	s.n++
	s.mu.Unlock()
	s.users.fetch("a")
}

// Generic helpers that lock, run and unlock.
func with[T any](mu *sync.Mutex, f func() T) T {
	mu.Lock()
	defer mu.Unlock()
	return f()
}

func (s *service) helperBad() *http.Response {
	return with(&s.mu, func() *http.Response {
		resp, _ := http.Get(peer) // want `s\.mu .* is held across an outbound call \(http\.Get\).*holdacross/lock-blocking`
		return resp
	})
}

func (s *service) helperOk() int {
	return with(&s.mu, func() int { return s.n })
}

func inTx[T any](db *sql.DB, f func(*sql.Tx) (T, error)) (zero T, err error) {
	tx, err := db.Begin()
	if err != nil {
		return zero, err
	}
	defer tx.Rollback()
	v, err := f(tx)
	if err != nil {
		return zero, err
	}
	return v, tx.Commit()
}

func txBad(db *sql.DB) (int, error) {
	return inTx(db, func(tx *sql.Tx) (int, error) {
		http.Get(peer) // want `transaction tx .* is held across an outbound call.*holdacross/tx-outbound`
		return 1, nil
	})
}

func txExplicitBad(db *sql.DB) (string, error) {
	return inTx[string](db, func(tx *sql.Tx) (string, error) {
		_, err := db.Exec("delete from t") // want `transaction tx .* holds a connection of db .*holdacross/same-pool`
		return "", err
	})
}

func txOk(db *sql.DB) (int64, error) {
	return inTx(db, func(tx *sql.Tx) (int64, error) {
		res, err := tx.Exec("delete from t")
		if err != nil {
			return 0, err
		}
		return res.RowsAffected()
	})
}

// A closure in a method of a generic type.
func (s *store[K, V]) closureBad(keys []K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	visit := func(k K) {
		time.Sleep(time.Second) // want `s\.mu .* is held across a sleep of 1s.*holdacross/lock-blocking`
	}
	for _, k := range keys {
		visit(k)
	}
}

// Channels of a type parameter, and parameters that are channels.
func sendBad[T any](mu *sync.Mutex, ch chan<- T, v T) {
	mu.Lock()
	defer mu.Unlock()
	ch <- v // want `mu .* is held across a channel send \(send on ch\)`
}

func takeAllBad[C ~chan E | ~<-chan E, E any](mu *sync.Mutex, ch C) {
	mu.Lock()
	defer mu.Unlock()
	<-ch // want `mu .* is held across a channel receive \(receive from ch\)`
}

// The constraint has the lock.
func constraintBad[L sync.Locker](l L) {
	l.Lock()
	defer l.Unlock()
	http.Get(peer) // want `l \(locked at line \d+\) is held across an outbound call`
}

func constraintOk[L interface{ sync.Locker }](l L) {
	l.Lock()
	l.Unlock()
	http.Get(peer)
}

// A local type over a type parameter.
func localTypeBad[T any](v T) {
	type box struct {
		mu  sync.Mutex
		val T
		ch  chan T
	}
	b := get[*box]()
	go func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.val = v
	}()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ch <- v // want `b\.mu .* is held across a channel send`
}

func get[T any]() (zero T) { return }

// A function of a type parameter is not known.
func unknownOk[F ~func()](mu *sync.Mutex, f F) {
	mu.Lock()
	defer mu.Unlock()
	f()
}

// Generic aliases are what they stand for.
type (
	boxed[T any] struct {
		mu sync.Mutex
		v  T
	}
	aliased[T any] = boxed[T]
	sender[T any]  = chan<- T
)

func aliasBad(a *aliased[int], ch sender[int]) {
	a.mu.Lock()
	defer a.mu.Unlock()
	ch <- a.v // want `a\.mu .* is held across a channel send \(send on ch\)`
}

// Embedded in a generic struct.
type base[T any] struct {
	sync.RWMutex
	items []T
}

type derived struct{ base[int] }

func (d *derived) embeddedBad() {
	d.RLock()
	defer d.RUnlock()
	http.Get(peer) // want `d\.base\.RWMutex \(read-locked at line \d+\) is held across an outbound call`
}

// Mutually recursive generic functions.
func ping[T any](n int, v T) {
	if n > 0 {
		pong(n-1, v)
	}
}

func pong[T any](n int, v T) {
	time.Sleep(time.Second)
	ping(n-1, v)
}

func recursionBad(mu *sync.Mutex) {
	mu.Lock()
	defer mu.Unlock()
	pong(3, "a") // want `mu .* is held across a sleep of 1s`
}

// The iterator of a generic type, and a generic iterator.
func (s *store[K, V]) each() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for k, v := range s.values {
			if !yield(k, v) {
				return
			}
		}
	}
}

func iterateBad(s *store[string, int]) {
	for range s.each() {
		http.Get(peer) // want `s\.mu .* is held across an outbound call \(http\.Get\).*holdacross/lock-blocking`
	}
}

func query[T any](db *sql.DB, text string) iter.Seq[T] {
	return func(yield func(T) bool) {
		rows, err := db.Query(text)
		if err != nil {
			return
		}
		defer rows.Close()
		for rows.Next() {
			var v T
			rows.Scan(&v)
			if !yield(v) {
				return
			}
		}
	}
}

func queryBad(db *sql.DB) {
	for name := range query[string](db, "SELECT name FROM t") {
		http.Get(name) // want `open rows .* is held across an outbound call \(http\.Get\).*holdacross/rows-outbound`
	}
}

func (d *derived) add(n int) {
	d.Lock()
	defer d.Unlock()
	d.items = append(d.items, n)
}
