package vetrun

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Problem is a reason why something was not analysed. Any problem means exit
// status 2.
type Problem struct {
	Package      string // import path, empty where it concerns the whole run
	File         string // absolute, empty without a position
	Line, Column int
	Text         string // one line
	Internal     bool   // a fault of concvet, not of the code
	Detail       string // stack trace of an internal error
	Platforms    []string
}

// Compare orders problems by position, then text.
func (p Problem) Compare(q Problem) int {
	a := fmt.Sprintf("%s\x00%09d\x00%09d\x00%s", p.File, p.Line, p.Column, p.Text)
	b := fmt.Sprintf("%s\x00%09d\x00%09d\x00%s", q.File, q.Line, q.Column, q.Text)
	return strings.Compare(a, b)
}

var problemLine = regexp.MustCompile(`^(?:vet: )?(.+?\.(?:go|s|c|h|mod|work)):(\d+)(?::(\d+))?: (.*)$`)

var notInStd = regexp.MustCompile(`^package (\S+) is not in std`)

// parseStderr reads what go vet printed on standard error. Each package that
// could not be analysed gives one problem, however many lines it printed.
// early reports whether something stands before the first package, which is
// how the go command says that it gave up before it began.
func parseStderr(text, dir string) (problems []Problem, early bool) {
	perPackage := map[string][]Problem{}
	var order []string
	pkg, inTrace := "", false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if header, ok := strings.CutPrefix(line, "# "); ok {
			pkg, inTrace = importPath(strings.Trim(header, "[]")), false
			continue
		}
		list := perPackage[pkg]
		if len(list) == 0 {
			order = append(order, pkg)
		}
		var last *Problem
		if len(list) > 0 {
			last = &list[len(list)-1]
		}
		switch {
		case inTrace:
			last.Detail += line + "\n"
		case noise(line):
		case strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "runtime: goroutine stack exceeds"):
			inTrace = true
			what := strings.TrimPrefix(line, "panic: ")
			list = append(list, Problem{
				Package: pkg, Internal: true, Detail: line + "\n",
				Text: fmt.Sprintf("internal error on %s: %s; please report it with the output of -v", pkg, what),
			})
		case last != nil && (line[0] == '\t' || line[0] == ' '):
			last.Text += " " + strings.TrimSpace(line)
		default:
			list = append(list, parseProblem(line, pkg, dir))
		}
		perPackage[pkg] = list
	}
	failed := slices.ContainsFunc(order, func(p string) bool {
		return slices.ContainsFunc(perPackage[p], func(p Problem) bool { return p.Internal })
	})
	for _, pkg := range slices.Compact(order) {
		list := perPackage[pkg]
		if failed {
			// A package whose dependency crashed says that a fact file is
			// missing: true, but no news.
			list = slices.DeleteFunc(list, func(p Problem) bool { return strings.Contains(p.Text, "no package vetx file") })
		}
		if pkg == "" {
			early = len(list) > 0
			for i := range list {
				list[i].unstack(dir)
			}
			problems = append(problems, list...)
		} else if len(list) > 0 {
			problems = append(problems, list[0])
		}
	}
	return problems, early
}

// noise reports whether a line of the go command says nothing about a package.
func noise(line string) bool {
	for _, p := range []string{"go: downloading ", "go: extracting ", "go: finding ", "exit status ", "go: warning: "} {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return strings.TrimSpace(line) == "" || line == "too many errors"
}

func parseProblem(line, pkg, dir string) Problem {
	p := Problem{Package: pkg}
	m := problemLine.FindStringSubmatch(line)
	if m == nil {
		p.Text = strings.TrimPrefix(strings.TrimPrefix(line, "vet: "), "go: ")
		if p.newerGo(dir) {
			return p
		}
		if strings.HasSuffix(p.Text, ": toolchain not available") {
			p.Text += "; the go or toolchain line of go.mod, or GOTOOLCHAIN, asks for it: correct that, or take the Go that is installed with GOTOOLCHAIN=local"
		}
		if m := notInStd.FindStringSubmatch(p.Text); m != nil {
			if info, err := os.Stat(filepath.Join(dir, m[1])); err == nil && info.IsDir() {
				p.Text += "; for the folder write ./" + m[1]
			}
		}
		return p
	}
	p.File = m[1]
	if !filepath.IsAbs(p.File) {
		p.File = filepath.Join(dir, p.File)
	}
	p.Line, _ = strconv.Atoi(m[2])
	p.Column, _ = strconv.Atoi(m[3])
	p.Text = m[4]
	if strings.Contains(p.Text, "package requires newer Go version") {
		p.Text += "; rebuild concvet with that version of Go"
	}
	return p
}

// MergeProblems sorts problems and drops repetitions.
func MergeProblems(list []Problem) []Problem {
	slices.SortStableFunc(list, Problem.Compare)
	merged := list[:0]
	for _, p := range list {
		if n := len(merged); n > 0 && p.Compare(merged[n-1]) == 0 {
			merged[n-1].Platforms = union(merged[n-1].Platforms, p.Platforms)
			continue
		}
		merged = append(merged, p)
	}
	return merged
}
