package main

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// endedBy is the signal that ended this run, or 0.
var endedBy atomic.Int32

// untilSignal returns a context that ends when concvet is to end. What runs then
// gives up, in the order of its deferred calls, and fail says why: go commands
// are ended with all that they have started, temporary files are removed, and
// no file is half written.
func untilSignal() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup
		signals = append(signals, syscall.SIGHUP)
	}
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, signals...)
	go func() {
		select {
		case s := <-caught:
			if n, ok := s.(syscall.Signal); ok {
				endedBy.Store(int32(n))
			}
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(caught)
		cancel()
	}
}
