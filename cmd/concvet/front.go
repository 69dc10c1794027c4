package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/render"
)

// The exit statuses. A run that could not look at everything is 2, whatever it
// found, so that a script can tell "clean" from "not checked".
const (
	exitClean    = 0
	exitFindings = 1
	exitFailure  = 2

	exitSignal = 128 // and the number of the signal, as shells have it
)

// frontMain is concvet as a person or a script runs it.
func frontMain(args []string) int {
	outliveReader()
	if len(args) > 0 {
		name := args[0]
		switch {
		case isHelpFlag(name):
			name = "help"
		case name == "-version" || name == "--version":
			name = "version"
		}
		if c, ok := commandNamed(name); ok {
			if slices.ContainsFunc(args[1:], isHelpFlag) {
				return c.help()
			}
			return c.run(args[1:])
		}
	}
	opts, patterns, err := parseFlags(args)
	if err == nil && opts.help {
		return help(nil)
	}
	if err != nil {
		// A flag may only be unknown because the command before it is.
		if dir, derr := os.Getwd(); derr == nil && !strings.HasPrefix(args[0], "-") {
			err = cmp.Or(newCheckRun(new(options), dir).mistyped(context.Background(), args[:1]), err)
		}
		return fail(err)
	}
	return check(opts, patterns)
}

func changeDir(dir string) error {
	if err := os.Chdir(dir); err != nil {
		return fmt.Errorf("-C %s: %v", dir, errors.Unwrap(err))
	}
	// The go command believes PWD, and so would see the old folder.
	if os.Getenv("PWD") != "" {
		if wd, err := os.Getwd(); err == nil {
			os.Setenv("PWD", wd)
		}
	}
	return nil
}

// fail prints err as one line and returns the exit status of a failure. Whatever
// fails after a signal fails because of it.
func fail(err error) int {
	if n := endedBy.Load(); n != 0 {
		fmt.Fprintln(os.Stderr, "concvet: interrupted")
		return exitSignal + int(n)
	}
	if readerGone(err) {
		return exitPipe
	}
	fmt.Fprintf(os.Stderr, "concvet: %s\n", render.Escape(err.Error()))
	return exitFailure
}
