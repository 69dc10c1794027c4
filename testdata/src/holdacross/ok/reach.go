package ok

import (
	"database/sql"
	"net/http"
	"sync"
)

// A function with a transaction parameter owns its findings; the call that hands
// it to a runner of transactions has none of its own.
type runner struct{ db *sql.DB }

func (r *runner) withTx(f func(*sql.Tx) error) error {
	tx, err := r.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func (r *runner) namedCallbackOk() error { return r.withTx(insert) }

func insert(tx *sql.Tx) error {
	//concvet:ignore holdacross/tx-outbound what is tested is that the caller has no finding
	http.Get(peer)
	return nil
}

// A helper that lets go of the caller's lock around a callback.
type guarded struct {
	mu sync.Mutex
	n  int
}

func (g *guarded) outside(f func()) {
	g.mu.Unlock()
	defer g.mu.Lock()
	f()
}

func (g *guarded) temporaryUnlockAroundCallbackOk() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n++
	g.outside(func() { http.Get(peer) })
}

// A condition variable gives up the lock that it was made with.
func localCondOk(ready func() bool) {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	mu.Lock()
	defer mu.Unlock()
	for !ready() {
		cond.Wait()
	}
}

// Once in the life of the process is not worth a word.
type once struct {
	mu   sync.Mutex
	once sync.Once
	url  string
	seen int
}

func (o *once) find() string {
	o.once.Do(func() {
		if resp, err := http.Get(peer); err == nil {
			o.url = resp.Request.URL.String()
		}
	})
	return o.url
}

func (o *once) onceOk() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen++
	return o.find()
}
