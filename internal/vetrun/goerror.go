package vetrun

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// goError is why a go command, run in dir, failed as a whole: one line, which
// begins with a position where the command gave one.
func goError(what, dir string, stderr []byte, err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("no go command on PATH; concvet runs go vet, so install Go %s or newer", strings.TrimPrefix(MinGo, "go"))
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	if text := badVendor(string(stderr)); text != "" {
		return errors.New(text)
	}
	problems, _ := parseStderr(string(stderr), dir)
	if len(problems) == 0 {
		return fmt.Errorf("%s: %v", what, err)
	}
	if i := slices.IndexFunc(problems, func(p Problem) bool { return p.File != "" }); i >= 0 {
		p := problems[i] // "errors parsing go.mod:" says nothing more
		place := nearby(p.File)
		if p.Line > 0 {
			place += fmt.Sprintf(":%d", p.Line)
		}
		return fmt.Errorf("%s: %s", place, p.Text)
	}
	var texts []string
	for _, p := range problems {
		texts = append(texts, p.Text)
	}
	if here, err := os.Getwd(); err == nil && dir != here {
		what += " in " + nearby(dir)
	}
	return fmt.Errorf("%s: %s", what, strings.Join(strings.Fields(strings.Join(texts, " ")), " "))
}

// badVendor is the complaint that vendor and go.mod differ, of which the go
// command prints a line a module.
func badVendor(stderr string) string {
	_, text, ok := strings.Cut(stderr, "go: inconsistent vendoring in ")
	if !ok {
		return ""
	}
	dir, text, _ := strings.Cut(text, ":\n")
	first, more := "", 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" && first != "":
			text = "inconsistent vendoring in " + nearby(dir) + ": " + first
			if more > 0 {
				text += fmt.Sprintf(", and %d more", more)
			}
			return text + "; go mod vendor puts it right, -mod=readonly looks past the folder"
		case first == "":
			first = line
		default:
			more++
		}
	}
	return ""
}

// nearby is path as seen from the working folder, if it is below.
func nearby(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

var (
	needsGo = regexp.MustCompile(`^(\S*go\.(?:mod|work)) requires go >= (\S+) \(running go ([^;)]+)(?:; (GOTOOLCHAIN=[^)]*))?\)$`)

	// The go command shows how it came to an import that it cannot load:
	// "package m imports m/b from a.go imports m from b.go: import cycle not allowed".
	stackPosition = regexp.MustCompile(`^package .*?(\S+\.go):(\d+):(\d+): (.*)$`)
	stackCycle    = regexp.MustCompile(`^package (\S+)((?: imports \S+ from \S+)+): import cycle not allowed$`)
	stackImport   = regexp.MustCompile(` imports (\S+) from (\S+)`)
)

// newerGo gives a position and a remedy to the complaint that a module wants a
// newer Go.
func (p *Problem) newerGo(dir string) bool {
	m := needsGo.FindStringSubmatch(p.Text)
	if m == nil {
		return false
	}
	p.File = m[1]
	if !filepath.IsAbs(p.File) {
		p.File = filepath.Join(dir, p.File)
	}
	p.Line = goLine(p.File)
	why := ""
	if m[4] != "" {
		why = " (" + m[4] + ")"
	}
	p.Text = fmt.Sprintf("requires Go %s, and the go command is %s%s; install a newer Go, or let it fetch one with GOTOOLCHAIN=auto", m[2], m[3], why)
	return true
}

// goLine is the line of a go.mod or go.work that says which Go it is for.
func goLine(file string) int {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	n := 0
	for line := range bytes.Lines(data) {
		if n++; bytes.HasPrefix(line, []byte("go ")) {
			return n
		}
	}
	return 0
}

// unstack makes a position and a sentence of the chain of imports in a message.
func (p *Problem) unstack(dir string) {
	if p.File != "" {
		return
	}
	if m := stackCycle.FindStringSubmatch(p.Text); m != nil {
		p.Text = "import cycle not allowed: " + m[1]
		for i, step := range stackImport.FindAllStringSubmatch(m[2], -1) {
			if i > 0 {
				p.Text += ", which"
			}
			p.Text += fmt.Sprintf(" imports %s (%s)", step[1], step[2])
		}
		return
	}
	if m := stackPosition.FindStringSubmatch(p.Text); m != nil {
		p.File, p.Text = m[1], m[4]
		if !filepath.IsAbs(p.File) {
			p.File = filepath.Join(dir, p.File)
		}
		p.Line, _ = strconv.Atoi(m[2])
		p.Column, _ = strconv.Atoi(m[3])
	}
}
