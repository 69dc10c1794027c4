package baseline

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A Coverage says what a run has looked at.
type Coverage struct {
	files   map[string]bool
	folders map[string]bool
}

// NewCoverage returns a coverage of nothing.
func NewCoverage() *Coverage {
	return &Coverage{files: map[string]bool{}, folders: map[string]bool{}}
}

// Add adds the files of the package in folder that were analysed.
func (c *Coverage) Add(folder string, names []string) {
	c.folders[folder] = true
	for _, name := range names {
		c.files[filepath.Join(folder, name)] = true
	}
}

// sure reports whether nothing more can be found in file: it was analysed, or it
// is gone and so is its folder, or the rest of its package was analysed. A file
// that build constraints leave out here is not covered.
func (c *Coverage) sure(file string) bool {
	if c.files[file] {
		return true
	}
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	folder := filepath.Dir(file)
	_, err := os.Lstat(folder)
	return c.folders[folder] || errors.Is(err, fs.ErrNotExist)
}

// Stale keeps of left, the rest that [List.Match] returned, what is certain to
// be for nothing: the run would have found it.
func (left *List) Stale(c *Coverage) *List {
	stale := New(left.File)
	for _, e := range left.entries() {
		if c.sure(left.file(e)) {
			stale.add(e, left.count(e))
		}
	}
	return stale
}

// Without returns l less what is in other.
func (l *List) Without(other *List) *List {
	rest := l.clone()
	for _, e := range other.entries() {
		rest.add(e, -min(other.count(e), rest.count(e)))
	}
	return rest
}

// Lines describes the entries, one a line.
func (l *List) Lines() []string {
	var lines []string
	for _, e := range l.entries() {
		where := e.symbol
		if where == "" {
			where = "package level"
		}
		lines = append(lines, fmt.Sprintf("%s: %s in %s (%d)", e.path, e.category, where, l.count(e)))
	}
	return lines
}
