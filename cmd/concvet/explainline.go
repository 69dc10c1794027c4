package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/concvet/concvet/internal/lineinfo"
	"github.com/concvet/concvet/internal/render"
	"github.com/concvet/concvet/internal/vetrun"
)

// fileLine splits "FILE.go:LINE", or the "FILE.go:LINE:COLUMN" of a finding.
func fileLine(arg string) (file string, line int, ok bool) {
	i := strings.LastIndex(arg, ".go:")
	if i < 0 {
		return "", 0, false
	}
	file, rest := arg[:i+len(".go")], arg[i+len(".go:"):]
	text, column, has := strings.Cut(rest, ":")
	if n, err := strconv.Atoi(column); has && (err != nil || n <= 0) {
		return "", 0, false
	}
	line, err := strconv.Atoi(text)
	return file, line, err == nil && line > 0
}

// explainLine prints every finding on a line of a file, those that pass through
// it, and for each why it is not reported if it is not; then what is seen there
// at all.
func explainLine(file string, line int) int {
	ctx, stop := untilSignal()
	defer stop()
	dir, err := os.Getwd()
	if err != nil {
		return fail(err)
	}
	run := newCheckRun(&options{color: "auto"}, dir)
	run.withTests = isTestFile(file) // to tell what is not reported there
	if err := run.prepare(ctx, []string{file}); err != nil {
		return fail(err)
	}
	path := file
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, file)
	}
	code, err := os.ReadFile(path)
	if err != nil {
		return fail(fmt.Errorf("%s: %v", file, reason(err)))
	}
	if n := lineCount(code); line > n {
		return fail(fmt.Errorf("%s:%d: the file has %d lines", file, line, n))
	}
	run.overlay = map[string][]byte{path: fmt.Appendf(slices.Clip(code), "\n//concvet:explain %d\n", line)}
	if err := run.analyse(ctx); err != nil {
		return fail(err)
	}
	var b strings.Builder
	found, printed := 0, map[string]bool{}
	var seen *vetrun.Finding
	for i := range run.targets {
		t := &run.targets[i]
		fl := run.filter(t)
		for _, f := range t.result.Findings {
			if f.Category == lineinfo.Category {
				seen = &f
				continue
			}
			if !touches(f, path, line) {
				continue
			}
			at := fmt.Sprintf("%s:%d:%d %s", f.File, f.Line, f.Column, f.Category)
			if printed[at] {
				continue // on another platform, too
			}
			printed[at] = true
			found++
			one := *run.report
			one.Findings, one.Problems = []vetrun.Finding{f}, nil
			if err := render.WriteFinding(&b, &one); err != nil {
				return fail(err)
			}
			why := fl.hides(f)
			if why == "" && run.baselines.covers(f) {
				why = "it is in the baseline; -baseline none reports it"
			}
			if why != "" {
				fmt.Fprintf(&b, "      not reported: %s\n", render.Escape(why))
			}
			b.WriteByte('\n')
		}
	}
	if len(run.report.Problems) == 0 {
		printSeen(&b, fmt.Sprintf("%s:%d", file, line), found, seen)
	}
	run.printProblems()
	if status := printOut(b.String()); status != exitClean || len(run.report.Problems) == 0 {
		return status
	}
	return exitFailure
}

// touches reports whether the finding is on the line, or one of its frames is.
func touches(f vetrun.Finding, file string, line int) bool {
	return f.File == file && f.Line <= line && line <= max(f.Line, f.EndLine) ||
		slices.ContainsFunc(f.Frames, func(fr vetrun.Frame) bool { return fr.File == file && fr.Line == line })
}

// printSeen prints what concvet sees at a line, findings or not.
func printSeen(b *strings.Builder, place string, found int, seen *vetrun.Finding) {
	place = render.Escape(place)
	if found == 0 {
		fmt.Fprintf(b, "%s: nothing is found on this line, in any tier.\n", place)
	}
	if seen == nil {
		fmt.Fprintf(b, "%s: the file is not part of the build: its constraints or its name leave it out.\n", place)
		return
	}
	fmt.Fprintf(b, "%s: %s\n", place, render.Escape(seen.Text))
	for _, f := range seen.Frames {
		if f.Pos == "" {
			fmt.Fprintf(b, "\t%s\n", render.Escape(f.Text))
		} else {
			fmt.Fprintf(b, "\t%s (%s)\n", render.Escape(f.Text), render.Escape(f.Pos))
		}
	}
}

// lineCount is the number of lines of a file.
func lineCount(code []byte) int {
	n := bytes.Count(code, []byte("\n"))
	if len(code) > 0 && code[len(code)-1] != '\n' {
		n++
	}
	return n
}
