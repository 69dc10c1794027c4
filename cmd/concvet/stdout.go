package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// writeOut writes text to standard output. What was asked for and cannot be
// written is a failure, also where nothing else can go wrong.
func writeOut(text string) error {
	_, err := os.Stdout.WriteString(text)
	return outputError(err)
}

func outputError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("cannot write to standard output: %w", reason(err))
}

// exitPipe is how a shell sees a program that a closed pipe has ended.
const exitPipe = exitSignal + int(syscall.SIGPIPE)

// readerGone reports whether err means that nobody reads standard output any
// more, as after head: no mistake, and nothing to tell anybody.
func readerGone(err error) bool { return errors.Is(err, syscall.EPIPE) }

// outliveReader makes a write to a closed pipe an error, where otherwise it ends
// the program on the spot, with its temporary files left behind.
func outliveReader() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// printOut writes text to standard output and returns the exit status.
func printOut(text string) int {
	if err := writeOut(text); err != nil {
		return fail(err)
	}
	return exitClean
}
