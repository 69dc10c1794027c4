package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/concvet/concvet/internal/render"
	"github.com/concvet/concvet/internal/vetrun"
)

func fileLine(arg string) (file string, line int, ok bool) {
	i := strings.LastIndexByte(arg, ':')
	if i < 0 || !strings.HasSuffix(arg[:i], ".go") {
		return "", 0, false
	}
	line, err := strconv.Atoi(arg[i+1:])
	return arg[:i], line, err == nil && line > 0
}

// explainLine prints every finding on a line of a file, those that pass through
// it, and for each why it is not reported if it is not.
func explainLine(file string, line int) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := os.Getwd()
	if err != nil {
		return fail(err)
	}
	run := newCheckRun(&options{color: "auto"}, dir)
	if err := run.prepare(ctx, []string{file}); err != nil {
		return fail(err)
	}
	if err := run.analyse(ctx); err != nil {
		return fail(err)
	}
	path := file
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, file)
	}
	found := 0
	for i := range run.targets {
		t := &run.targets[i]
		fl := run.filter(t)
		for _, f := range t.result.Findings {
			if !touches(f, path, line) {
				continue
			}
			found++
			one := *run.report
			one.Findings, one.Problems = []vetrun.Finding{f}, nil
			if err := render.WriteFinding(os.Stdout, &one); err != nil {
				return fail(err)
			}
			if why := fl.hides(f); why != "" {
				fmt.Fprintf(os.Stdout, "      not reported: %s\n", render.Escape(why))
			}
			fmt.Fprintln(os.Stdout)
		}
	}
	run.printProblems()
	if n := lineCount(path); found == 0 && line > n {
		return fail(fmt.Errorf("%s:%d: the file has %d lines", file, line, n))
	}
	if found == 0 && len(run.report.Problems) == 0 {
		fmt.Fprintf(os.Stdout, "%s: nothing is found on this line, in any tier.\n", render.Escape(fmt.Sprintf("%s:%d", file, line)))
	}
	if len(run.report.Problems) > 0 {
		return exitFailure
	}
	return exitClean
}

// touches reports whether the finding is on the line, or one of its frames is.
func touches(f vetrun.Finding, file string, line int) bool {
	return f.File == file && f.Line <= line && line <= max(f.Line, f.EndLine) ||
		slices.ContainsFunc(f.Frames, func(fr vetrun.Frame) bool { return fr.File == file && fr.Line == line })
}

// lineCount is the number of lines of a file, 0 if it cannot be read.
func lineCount(file string) int {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	n := bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}
