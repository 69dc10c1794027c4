// Package render writes findings in the formats that people and programs read:
// text, full, json, sarif, github, gitlab and rdjson.
package render

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/vetrun"
)

// A Report is what is written.
type Report struct {
	Findings []vetrun.Finding
	Problems []vetrun.Problem
	Packages int

	Platforms []string // those that were checked for, if any were asked for

	Dir     string // folder that paths are relative to
	Version string // of concvet

	// Categories lists every rule, for the formats that list them all.
	Categories []Category

	Color bool
}

// A Category describes a rule.
type Category struct {
	ID      string // "holdacross/lock-blocking"
	Summary string // one sentence
	Page    string // Markdown
}

// Site is where the project and the pages of its categories are.
const Site = "https://github.com/concvet/concvet"

// URL is the page of a category.
func URL(category string) string { return Site + "/blob/main/docs/" + category + ".md" }

// Formats lists the names of the formats.
func Formats() []string {
	return []string{"text", "full", "json", "sarif", "github", "gitlab", "rdjson"}
}

// Write writes r in the named format.
func Write(w io.Writer, format string, r *Report) error {
	switch format {
	case "text":
		return writeText(w, r)
	case "full":
		return writeFull(w, r)
	case "json":
		return writeJSON(w, r)
	case "sarif":
		return writeSARIF(w, r)
	case "github":
		return writeGitHub(w, r)
	case "gitlab":
		return writeGitLab(w, r)
	case "rdjson":
		return writeRDJSON(w, r)
	}
	return fmt.Errorf("unknown format %q", format)
}

// display is the path of file for a person: relative to r.Dir if it is below.
func (r *Report) display(file string) string {
	if rel, ok := r.below(file); ok {
		return rel
	}
	return file
}

func (r *Report) below(file string) (string, bool) {
	rel, err := filepath.Rel(r.Dir, file)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return file, false
	}
	return rel, true
}

// portable is the path of file for a program: relative and with slashes.
func (r *Report) portable(file string) string {
	rel, err := filepath.Rel(r.Dir, file)
	if err != nil {
		rel = file
	}
	return filepath.ToSlash(rel)
}

// from is r with paths relative to the folder that a variable of the CI system
// names, if r.Dir is in it: that is where the system looks for files.
func (r *Report) from(variable string) *Report {
	root := *r
	if dir := os.Getenv(variable); dir != "" {
		if _, ok := (&Report{Dir: dir}).below(r.Dir); ok {
			root.Dir = filepath.Clean(dir)
		}
	}
	return &root
}

// framePath is the path of a frame for a program. A frame in the standard
// library or a dependency keeps its import path, which is the same on every
// machine.
func (r *Report) framePath(f vetrun.Frame) string {
	if rel, ok := r.below(f.File); ok && f.File != "" {
		return filepath.ToSlash(rel)
	}
	if i := strings.LastIndexByte(f.Pos, ':'); i > 0 {
		return f.Pos[:i]
	}
	return f.Pos
}

// Position writes "path:line:column", without what is unknown.
func Position(path string, line, column int) string {
	if line <= 0 {
		return path
	}
	if column <= 0 {
		return fmt.Sprintf("%s:%d", path, line)
	}
	return fmt.Sprintf("%s:%d:%d", path, line, column)
}

// ProblemLine is one line about a problem.
func (r *Report) ProblemLine(p vetrun.Problem) string {
	if p.File == "" {
		return Escape(p.Text)
	}
	return Escape(Position(r.display(p.File), p.Line, p.Column) + ": " + p.Text)
}

func severity(t report.Tier) string {
	if t == "" {
		return string(report.Default)
	}
	return string(t)
}
