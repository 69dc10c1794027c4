package workpool

import (
	"context"
	"sync/atomic"
)

// A workerCtx is the context of tasks of Submit: that of the pool, and it knows
// the worker.
type workerCtx struct {
	context.Context
	w *worker
}

func (c *workerCtx) Value(key any) any {
	if k, ok := key.(workerKey); ok && k.p == c.w.p {
		return c.w
	}
	return c.Context.Value(key)
}

// A taskCtx is the context of a task of Go: it ends with the caller's context
// and with the pool's, and has the values of the caller's. The two are merged
// only if the task asks when that is: a merge costs a microsecond and six
// allocations.
type taskCtx struct {
	context.Context // of the caller
	pool            context.Context
	w               *worker
	merged          atomic.Pointer[mergedCtx]
	over            atomic.Bool // the task has returned
}

type mergedCtx struct {
	context.Context
	cancel context.CancelCauseFunc
	stop   func() bool
}

func (c *taskCtx) merge() *mergedCtx {
	if m := c.merged.Load(); m != nil {
		return m
	}
	ctx, cancel := context.WithCancelCause(c.Context)
	if c.pool.Err() != nil {
		cancel(context.Cause(c.pool))
	}
	m := &mergedCtx{ctx, cancel, context.AfterFunc(c.pool, func() { cancel(context.Cause(c.pool)) })}
	if !c.merged.CompareAndSwap(nil, m) {
		m.release()
		return c.merged.Load()
	}
	if c.over.Load() {
		m.release()
	}
	return m
}

func (m *mergedCtx) release() {
	m.stop()
	m.cancel(context.Canceled)
}

// end gives back what a merge holds.
func (c *taskCtx) end() {
	c.over.Store(true)
	if m := c.merged.Load(); m != nil {
		m.release()
	}
}

func (c *taskCtx) Done() <-chan struct{} {
	if c.Context.Done() == nil {
		return c.pool.Done()
	}
	return c.merge().Done()
}

func (c *taskCtx) Err() error {
	if m := c.merged.Load(); m != nil {
		return m.Err()
	}
	if err := c.Context.Err(); err != nil {
		return err
	}
	return c.pool.Err()
}

func (c *taskCtx) Value(key any) any {
	if k, ok := key.(workerKey); ok && k.p == c.w.p && !c.over.Load() {
		return c.w
	}
	// Package context asks for a private key to learn which of its own
	// contexts stands behind this one, and spares a goroutine if there is one.
	if m := c.merged.Load(); m != nil {
		return m.Value(key)
	}
	if v := c.Context.Value(key); v != nil || c.Context.Done() != nil {
		return v
	}
	return c.pool.Value(key)
}
