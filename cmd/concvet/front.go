package main

import (
	"errors"
	"fmt"
	"os"

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
		switch args[0] {
		case "help", "-h", "-help", "--help":
			return help(args[1:])
		case "version", "-version", "--version":
			return printVersion(args[1:])
		case "explain":
			return explain(args[1:])
		case "lsp":
			return languageServer(args[1:])
		case "baseline":
			return baselineCommand(args[1:])
		case "config":
			return configCommand(args[1:])
		}
	}
	opts, patterns, err := parseFlags(args)
	if err == nil && opts.help {
		return help(nil)
	}
	if err != nil {
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
