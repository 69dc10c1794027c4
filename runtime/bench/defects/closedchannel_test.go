//go:build !race

// The race detector reports what this test shows.

package defects

import (
	"errors"
	"runtime"
	"testing"

	"github.com/concvet/concvet/runtime/bqueue"
)

// A queue is closed while a producer waits for room: with a channel, the
// producer panics.
func TestACloseWhileAProducerWaits(t *testing.T) {
	t.Parallel()
	blocked := func(push func() error, closeIt func()) (err error) {
		done := make(chan error)
		started := make(chan struct{})
		go func() {
			var err error
			defer func() {
				if r := recover(); r != nil {
					err, _ = r.(error)
				}
				done <- err
			}()
			close(started)
			err = push()
		}()
		<-started
		closeIt()
		mustEnd(t, "the producer", func() { err = <-done })
		return err
	}
	c := make(chan int, 1)
	c <- 1
	var panicked runtime.Error
	if err := blocked(func() error { c <- 2; return nil }, func() { close(c) }); !errors.As(err, &panicked) {
		t.Errorf("channel: %v, and this page says that it panics", err)
	}
	q := bqueue.New[int](1, bqueue.Block)
	q.TryPush(1)
	if err := blocked(func() error { return q.Push(background, 2) }, q.Close); err != bqueue.ErrClosed {
		t.Errorf("bqueue: %v, want ErrClosed", err)
	}
}
