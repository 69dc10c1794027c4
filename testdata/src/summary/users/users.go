// Package users reads the facts of package facts and hands them on: a fact
// needs no other fact to be read.
package users

import (
	"context"
	"database/sql"

	"summary/facts"
)

func Net() { facts.Net() } // want Net:`^blocks\(net\)$`

func NetDeep() { facts.ThroughTwo() } // want NetDeep:`^blocks\(net\)$`

func Send(ch chan int) { facts.Send(ch) } // want Send:`^blocks\(chan-send on p0\)$`

func Lock(s *facts.Store) { s.Lock() } // want Lock:`^locks\(lock p0\.mu\)$`

func Finish(tx *sql.Tx) error { return facts.Commit(tx) } // want Finish:`^blocks\(db on p0\) releases\(p0\)$`

func Begin(ctx context.Context, s *facts.Store) (*sql.Tx, error) { return s.Begin(ctx) } // want Begin:`^blocks\(db ctx=p0 pool p1\.DB\) acquires\(tx r0 from p1\.DB\)$`

func Run(f func()) { facts.Run(f) } // want Run:`^calls\(p0\)$`

func InTx(s *facts.Store, f func(*sql.Tx) error) error { return s.InTx(f) } // want InTx:`^blocks\(db pool p0\.DB\) blocks\(db\) calls\(p1 under tx p0\.DB\)$`

func Locked(s *facts.Store) { s.Locked(func() { facts.Net() }) } // want Locked:`^blocks\(net\)$`

type Wrapper struct{ store *facts.Store }

func (w *Wrapper) Outside() { w.store.Outside() } // want Outside:`^blocks\(sleep <=1s free recv\.store\.mu\)$`

func Instance(ch chan string) { facts.Generic(ch, "a") } // want Instance:`^blocks\(chan-send on p0\)$`
