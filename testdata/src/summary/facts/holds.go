package facts

import (
	"context"
	"database/sql"
	"sync"
	"time"
)

// What a function takes, gives back and keeps.

type Store struct {
	DB   *sql.DB
	mu   sync.Mutex
	rw   sync.RWMutex
	hook func()
	tx   *sql.Tx
	ch   chan *sql.Tx
}

func New(db *sql.DB) *Store { return &Store{DB: db} } // want New:`^links\(r0\.DB=p0\)$`

func (s *Store) Pool() *sql.DB { return s.DB } // want Pool:`^links\(r0=recv\.DB\)$`

func (s *Store) Begin(ctx context.Context) (*sql.Tx, error) { return s.DB.BeginTx(ctx, nil) } // want Begin:`^blocks\(db ctx=p0 pool recv\.DB\) acquires\(tx r0 from recv\.DB\)$`

func Conn(ctx context.Context, db *sql.DB) (*sql.Conn, error) { // want Conn:`^blocks\(db ctx=p0 pool p1\) acquires\(conn r0 from p1\)$`
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return conn, nil
}

func Query(db *sql.DB) (*sql.Rows, error) { return db.Query("select 1") } // want Query:`^blocks\(db pool p0\) acquires\(rows r0 from p0\)$`

func Commit(tx *sql.Tx) error { return tx.Commit() } // want Commit:`^blocks\(db on p0\) releases\(p0\)$`

func CommitDeferred(tx *sql.Tx) { // want CommitDeferred:`^blocks\(db on p0\) releases\(p0\)$`
	defer tx.Rollback()
	tx.Exec("delete from t")
}

func (s *Store) Keep(tx *sql.Tx) { s.tx = tx } // want Keep:`^keeps\(p0\)$`

func (s *Store) Hand(tx *sql.Tx) { s.ch <- tx } // want Hand:`^blocks\(chan-send on recv\.ch\) keeps\(p0\)$`

func Start(tx *sql.Tx) { go Commit(tx) } // want Start:`^starts\(spawn db\) keeps\(p0\)$`

// Locks.

func (s *Store) Lock() { s.mu.Lock() } // want Lock:`^locks\(lock recv\.mu\)$`

func (s *Store) Unlock() { s.mu.Unlock() } // want Unlock:`^unlocks\(lock recv\.mu\) unlocks\(rlock recv\.mu\)$`

func (s *Store) RLock() { s.rw.RLock() } // want RLock:`^locks\(rlock recv\.rw\)$`

func (s *Store) RUnlock() { s.rw.RUnlock() } // want RUnlock:`^unlocks\(lock recv\.rw\) unlocks\(rlock recv\.rw\)$`

func (s *Store) Balanced() {
	s.mu.Lock()
	defer s.mu.Unlock()
}

func (s *Store) LockOnePath(ok bool) {
	s.mu.Lock()
	if !ok {
		s.mu.Unlock()
	}
}

func Guard(mu *sync.Mutex) func() { // want Guard:`^locks\(lock p0\)$`
	mu.Lock()
	return mu.Unlock
}

// Unlocked around the wait.
func (s *Store) Outside() { // want Outside:`^blocks\(sleep <=1s free recv\.mu\)$`
	s.mu.Unlock()
	Sleep()
	s.mu.Lock()
}

var Shared sync.Mutex

func LockShared() { Shared.Lock() } // want LockShared:`^locks\(lock g:summary/facts\.Shared\)$`

// Parameters that are called, and under what.

func Run(f func()) { f() } // want Run:`^calls\(p0\)$`

func RunTwice(f func(), g func()) { // want RunTwice:`^calls\(p0\) calls\(p1\)$`
	g()
	f()
}

func (s *Store) Locked(f func()) { // want Locked:`^calls\(p0 under lock recv\.mu\)$`
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

func (s *Store) InTx(f func(*sql.Tx) error) error { // want InTx:`^blocks\(db pool recv\.DB\) blocks\(db\) calls\(p0 under tx recv\.DB\)$`
	tx, err := s.DB.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func PassOn(s *Store, f func(*sql.Tx) error) error { return s.InTx(f) } // want PassOn:`^blocks\(db pool p0\.DB\) blocks\(db\) calls\(p1 under tx p0\.DB\)$`

// Interfaces that nothing in sight answers stay in the summary.

type Sender interface{ Send(string) error }

type one struct{}

func (one) Send(string) error { return nil }

type two struct{}

func (two) Send(string) error { return nil }

func Symbolic(s Sender) { s.Send("a") } // want Symbolic:`^iface\(\(summary/facts\.Sender\)\.Send\)$`

// Generic functions have one summary, of the generic body.

func Generic[T any](ch chan T, v T) { ch <- v } // want Generic:`^blocks\(chan-send on p0\) keeps\(p1\)$`

type Box[T any] struct {
	mu sync.Mutex
	ch chan T
}

func (b *Box[T]) Put(v T) { b.ch <- v } // want Put:`^blocks\(chan-send on recv\.ch\) keeps\(p0\)$`

func (b *Box[T]) With(f func(T)) { // want With:`^blocks\(chan-recv on recv\.ch\) calls\(p0 under lock recv\.mu\)$`
	b.mu.Lock()
	defer b.mu.Unlock()
	f(<-b.ch)
}

// The lock is taken again when the function returns.
func (s *Store) OutsideUntilReturn() { // want OutsideUntilReturn:`^blocks\(sleep <=1s free recv\.mu\)$`
	s.mu.Unlock()
	defer s.mu.Lock()
	time.Sleep(time.Second)
}

// A parameter called inside a literal, and one that a literal hands on.
func RunInLiteral(f func()) { // want RunInLiteral:`^calls\(p0\)$`
	func() { f() }()
}

func attempt(f func() error) error { return f() }

func Retry(s *Store, f func(*sql.Tx) error) error { // want Retry:`^blocks\(db pool p0\.DB\) blocks\(db\) calls\(p1 under tx p0\.DB\)$`
	return attempt(func() error { return s.InTx(f) })
}
