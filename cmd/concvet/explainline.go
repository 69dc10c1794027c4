package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/concvet/concvet/internal/lineinfo"
	"github.com/concvet/concvet/internal/render"
	"github.com/concvet/concvet/internal/vetrun"
)

// fileLine splits "FILE:LINE", or the "FILE:LINE:COLUMN" of a finding.
func fileLine(arg string) (file string, line int, ok bool) {
	file, line, ok = cutLine(arg)
	if ok {
		if f, l, both := cutLine(file); both {
			file, line = f, l
		}
	}
	return file, line, ok
}

func cutLine(s string) (file string, line int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i <= 0 {
		return "", 0, false
	}
	line, err := strconv.Atoi(s[i+1:])
	return s[:i], line, err == nil && line > 0
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
	places, err := locate(dir, file, line)
	if err != nil {
		return fail(err)
	}
	var files []string
	var names []spot
	run.overlay = map[string][]byte{}
	for _, p := range places {
		files, names = append(files, p.file), append(names, p.names...)
		text := slices.Clip(p.code)
		for _, n := range p.lines {
			text = fmt.Appendf(text, "\n//concvet:explain %d\n", n)
		}
		run.overlay[p.file] = text
	}
	run.withTests = slices.ContainsFunc(files, isTestFile) // to tell what is not reported there
	if err := run.prepare(ctx, files); err != nil {
		return fail(err)
	}
	if err := run.analyse(ctx); err != nil {
		return fail(err)
	}
	var b strings.Builder
	found, printed := 0, map[string]bool{}
	var seen []vetrun.Finding
	for i := range run.targets {
		t := &run.targets[i]
		fl := run.filter(t)
		for _, f := range t.result.Findings {
			if f.Category == lineinfo.Category {
				seen = append(seen, f)
				continue
			}
			if !slices.ContainsFunc(names, func(s spot) bool { return touches(f, s) }) {
				continue
			}
			at := fmt.Sprintf("%s:%d:%d %s %s", f.File, f.Line, f.Column, f.Category, f.Symbol)
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
func touches(f vetrun.Finding, s spot) bool {
	return f.File == s.file && f.Line <= s.line && s.line <= max(f.Line, f.EndLine) ||
		slices.ContainsFunc(f.Frames, func(fr vetrun.Frame) bool { return fr.File == s.file && fr.Line == s.line })
}

// printSeen prints what concvet sees at a line, findings or not.
func printSeen(b *strings.Builder, place string, found int, seen []vetrun.Finding) {
	place = render.Escape(place)
	if found == 0 {
		fmt.Fprintf(b, "%s: nothing is found on this line, in any tier.\n", place)
	}
	if len(seen) == 0 {
		fmt.Fprintf(b, "%s: the file is not part of the build: its constraints or its name leave it out.\n", place)
		return
	}
	said := map[string]bool{}
	inside := slices.ContainsFunc(seen, func(s vetrun.Finding) bool { return s.Symbol != "" })
	for _, s := range seen {
		if inside && s.Symbol == "" {
			continue // a directive gives the line to a declaration, too
		}
		var one strings.Builder
		fmt.Fprintf(&one, "%s: %s\n", place, render.Escape(s.Text))
		for _, f := range s.Frames {
			if f.Pos == "" {
				fmt.Fprintf(&one, "\t%s\n", render.Escape(f.Text))
			} else {
				fmt.Fprintf(&one, "\t%s (%s)\n", render.Escape(f.Text), render.Escape(f.Pos))
			}
		}
		if text := one.String(); !said[text] { // of another platform it may be the same
			said[text] = true
			b.WriteString(text)
		}
	}
}
