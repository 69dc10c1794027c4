// Package config reads .concvet.yaml. It is strict: whatever it does not know
// is an error with its place and the nearest word it knows, since a setting
// that is silently ignored is worse than none.
package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/concvet/concvet/internal/knowledge"
)

// FileName is the name of the configuration file.
const FileName = ".concvet.yaml"

// maxSize bounds what is read: a configuration is written by hand.
const maxSize = 1 << 20

// A Config is the content of a configuration file.
type Config struct {
	File string // absolute, empty for the defaults

	Checks    []Name // elements of -checks
	Tests     bool
	Audit     bool
	Generated bool // findings in generated files are shown
	Ignore    []Ignore
	Safe      []Name // categories whose unsafe fixes are taken as safe
	Unsafe    []Name // categories whose safe fixes are taken as unsafe
	Baseline  string // absolute, empty if the file says nothing
	Platforms []string
	Models    []Model
}

// A Name is the name of an analyzer or a category, and where it stands.
type Name struct {
	Text         string
	Line, Column int
}

// An Ignore drops the findings of some categories in some files.
type Ignore struct {
	Path       string // glob, relative to the folder of the file
	Categories []Name // empty: all
	Reason     string
	Line       int
	File       string
}

// A Model is one row in the grammar of package knowledge.
type Model struct {
	Text         string // canonical: single spaces
	Row          *knowledge.Row
	File         string
	Line, Column int
}

// An Error is a mistake in a configuration file.
type Error struct {
	File         string
	Line, Column int
	Text         string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Text)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text)
}

// Find returns the nearest configuration file for a module or workspace in
// root, or "" if there is none.
func Find(root string) (string, error) { return Nearest(root, FileName) }

// Nearest returns the nearest file of that name: in root itself or in a folder
// above it, up to the folder of the repository. It returns "" if there is none.
func Nearest(root, fileName string) (string, error) {
	for dir, top := root, Repository(root); ; dir = filepath.Dir(dir) {
		name := filepath.Join(dir, fileName)
		if _, err := os.Lstat(name); err == nil {
			return name, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("cannot look for %s: %v", fileName, err)
		}
		if dir == top || dir == filepath.Dir(dir) {
			return "", nil
		}
	}
}

// Repository is the folder with .git at or above dir, or dir itself without
// one: a file in somebody's home folder must not configure every module below.
func Repository(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if d == filepath.Dir(d) {
			return dir
		}
	}
}

// Load reads the configuration file name.
func Load(name string) (*Config, error) {
	data, err := read(name)
	if err != nil {
		return nil, err
	}
	return parse(name, data)
}

func read(name string) ([]byte, error) {
	bad := func(format string, args ...any) ([]byte, error) {
		return nil, &Error{File: name, Text: fmt.Sprintf(format, args...)}
	}
	// Stat first: opening a FIFO would wait for ever.
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return bad("no such file")
	}
	if err != nil {
		return bad("cannot read the configuration: %v", errors.Unwrap(err))
	}
	if !info.Mode().IsRegular() {
		return bad("the configuration is not a regular file")
	}
	file, err := os.Open(name)
	if err != nil {
		return bad("cannot read the configuration: %v", errors.Unwrap(err))
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxSize+1))
	if err != nil {
		return bad("cannot read the configuration: %v", err)
	}
	if len(data) > maxSize {
		return bad("the configuration is larger than 1 MB")
	}
	return data, nil
}

func parse(name string, data []byte) (*Config, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, syntaxError(name, err)
	}
	cfg := &Config{File: name}
	if doc.Kind == 0 {
		return nil, &Error{File: name, Line: 1, Column: 1, Text: `the file is empty; write at least "version: 1"`}
	}
	d := &decoder{file: name}
	d.document(doc.Content[0], cfg)
	if d.err != nil {
		return nil, d.err
	}
	return cfg, nil
}

// syntaxError turns "yaml: line 3: …" into an error with a place.
func syntaxError(name string, err error) error {
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "unmarshal errors:\n")
	e := &Error{File: name, Text: "not valid YAML: " + strings.Join(strings.Fields(text), " ")}
	var line int
	if _, serr := fmt.Sscanf(text, "line %d:", &line); serr == nil {
		_, text, _ = strings.Cut(text, ": ")
		e.Line, e.Column, e.Text = line, 1, "not valid YAML: "+text
	}
	return e
}
