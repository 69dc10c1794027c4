package workpool

import (
	"context"
	"errors"
	"fmt"
)

var (
	// ErrQueueFull says that all workers are busy and the queue is full.
	ErrQueueFull = errors.New("workpool: queue full")
	// ErrClosed says that Shutdown or Close was called.
	ErrClosed = errors.New("workpool: closed")
	// ErrSelfSubmit says that a task was about to wait for a place in its own
	// pool, where it may wait for itself.
	ErrSelfSubmit = errors.New("workpool: a task waits for a place in its own pool")
	// ErrExpired says that a task was not run, because its context ended while
	// it was queued, or because it was queued for longer than
	// [WithMaxQueueWait] allows.
	ErrExpired = errors.New("workpool: expired in the queue")
	// ErrDropped says that a task was not run, because it was cancelled or was
	// still queued when Shutdown gave up.
	ErrDropped = errors.New("workpool: dropped from the queue")
	// ErrGoexit says that a task called runtime.Goexit.
	ErrGoexit = errors.New("workpool: the task called runtime.Goexit")
)

// A PanicError is a panic of a task.
type PanicError struct {
	Value any    // what the task panicked with
	Stack []byte // the stack of the panic
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("workpool: the task panicked: %v\n\n%s", e.Value, e.Stack)
}

// Unwrap returns the value of the panic if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// A ShutdownError says what was left when the context of Shutdown ended. It
// wraps the cause of that end.
type ShutdownError struct {
	// Queued holds the tasks of Submit and TrySubmit that did not run, in
	// order, so that they can be run elsewhere or saved. Every one was
	// accepted and not started.
	Queued []func(context.Context)
	// Futures is the number of tasks of Go and TryGo that did not run. Their
	// futures have ErrDropped.
	Futures int
	// Running is the number of workers that had not finished their task. Its
	// context was cancelled.
	Running int

	cause error
}

func (e *ShutdownError) Error() string {
	return fmt.Sprintf("workpool: shutdown with %d tasks queued and %d running: %v", len(e.Queued)+e.Futures, e.Running, e.cause)
}

// Unwrap returns why the context of Shutdown ended.
func (e *ShutdownError) Unwrap() error { return e.cause }

// ended returns why a context has ended: its error, and its cause if that is
// another one.
func ended(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if cause == nil || cause == err {
		return err
	}
	return &causedError{err, cause}
}

type causedError struct{ err, cause error }

func (e *causedError) Error() string   { return e.err.Error() + ": " + e.cause.Error() }
func (e *causedError) Unwrap() []error { return []error{e.err, e.cause} }
