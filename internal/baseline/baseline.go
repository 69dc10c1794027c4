// Package baseline keeps a list of findings that a project lives with for now,
// so that only new ones are reported.
//
// An entry is a file, a category, and the function around the finding, with a
// number: lines may move, and messages may change, without a change of the
// list. Each entry stands on a line of its own, sorted, so that git merges two
// lists as it merges code.
package baseline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/vetrun"
)

// FileName is the usual name of the file.
const FileName = ".concvet-baseline.json"

// maxSize bounds what is read: half a million entries.
const maxSize = 64 << 20

// remedy is what to do about a file that cannot be read. No command writes over
// it: most often it is a merge with conflicts, and has what somebody accepted.
const remedy = "; repair it, or delete it and run concvet baseline create"

// A List is the contents of a baseline file.
type List struct {
	File   string // absolute
	counts counts
}

// counts are by path relative to the folder of the file, category and symbol.
type counts map[string]map[string]map[string]int

type document struct {
	Version  int    `json:"version"`
	Findings counts `json:"findings"`
}

// New returns an empty list for a file.
func New(file string) *List { return &List{File: file, counts: counts{}} }

// Load reads a list.
func Load(file string) (*List, error) {
	bad := func(format string, args ...any) (*List, error) {
		return nil, fmt.Errorf("%s: %s", file, fmt.Sprintf(format, args...))
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return bad("there is no such baseline; concvet baseline create writes one")
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return bad("the baseline is not a regular file")
	case info.Size() > maxSize:
		return bad("the baseline is larger than 64 MB")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var doc document
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&doc); err != nil {
		line := 1 + bytes.Count(data[:min(int(dec.InputOffset()), len(data))], []byte("\n"))
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			line = 1 + bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
		}
		return nil, fmt.Errorf("%s:%d: not a baseline: %v%s", file, line, err, remedy)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return bad("not a baseline: something follows its end%s", remedy)
	}
	if doc.Version != 1 {
		return bad("version %d is not known to this concvet", doc.Version)
	}
	l := New(file)
	for name, categories := range doc.Findings {
		for category, symbols := range categories {
			for symbol, n := range symbols {
				if n < 1 {
					return bad("%s, %s, %q: %d findings, where a number is at least 1%s", name, category, symbol, n, remedy)
				}
				l.add(entry{name, category, symbol}, n)
			}
		}
	}
	return l, nil
}

// Marshal returns the contents of the file: the same list is the same bytes.
func (l *List) Marshal() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(document{Version: 1, Findings: l.counts})
	return out.Bytes(), err
}

// Len is the number of findings in the list.
func (l *List) Len() int {
	n := 0
	for _, e := range l.entries() {
		n += l.count(e)
	}
	return n
}

// Add adds a finding.
func (l *List) Add(f vetrun.Finding) { l.add(l.entry(f), 1) }

// An entry is the key of a number in a list.
type entry struct{ path, category, symbol string }

func (l *List) entry(f vetrun.Finding) entry {
	rel, err := filepath.Rel(filepath.Dir(l.File), f.File)
	if err != nil {
		rel = f.File
	}
	return entry{filepath.ToSlash(rel), f.Category, f.Symbol}
}

// file is the file that an entry speaks of.
func (l *List) file(e entry) string {
	return filepath.Join(filepath.Dir(l.File), filepath.FromSlash(e.path))
}

func (l *List) count(e entry) int { return l.counts[e.path][e.category][e.symbol] }

// add adds n to an entry, and removes it if nothing is left.
func (l *List) add(e entry, n int) {
	categories := l.counts[e.path]
	if categories == nil {
		categories = map[string]map[string]int{}
		l.counts[e.path] = categories
	}
	symbols := categories[e.category]
	if symbols == nil {
		symbols = map[string]int{}
		categories[e.category] = symbols
	}
	symbols[e.symbol] += n
	if symbols[e.symbol] > 0 {
		return
	}
	delete(symbols, e.symbol)
	if len(symbols) == 0 {
		delete(categories, e.category)
	}
	if len(categories) == 0 {
		delete(l.counts, e.path)
	}
}

func (l *List) entries() []entry {
	var list []entry
	for name, categories := range l.counts {
		for category, symbols := range categories {
			for symbol := range symbols {
				list = append(list, entry{name, category, symbol})
			}
		}
	}
	slices.SortFunc(list, func(a, b entry) int {
		return strings.Compare(a.path+"\x00"+a.category+"\x00"+a.symbol, b.path+"\x00"+b.category+"\x00"+b.symbol)
	})
	return list
}

func (l *List) clone() *List {
	c := New(l.File)
	for _, e := range l.entries() {
		c.add(e, l.count(e))
	}
	return c
}

// Match says which of findings the list covers, and returns what of the list
// no finding was for. Each entry covers as many findings as its number says, in
// the order of findings.
func (l *List) Match(findings []vetrun.Finding) (covered []bool, left *List) {
	covered, left = make([]bool, len(findings)), l.clone()
	for i, f := range findings {
		if e := left.entry(f); left.count(e) > 0 {
			left.add(e, -1)
			covered[i] = true
		}
	}
	for i, f := range findings {
		if covered[i] {
			continue
		}
		if e, ok := left.moved(left.entry(f)); ok {
			left.add(e, -1)
			covered[i] = true
		}
	}
	return covered, left
}

// moved finds the entry for a file that was renamed or moved since: one of the
// same function in a file that is gone, with the same folder or the same name.
func (l *List) moved(e entry) (entry, bool) {
	for _, old := range l.entries() {
		if old.category != e.category || old.symbol != e.symbol || path.Dir(old.path) != path.Dir(e.path) && path.Base(old.path) != path.Base(e.path) {
			continue
		}
		if _, err := os.Lstat(l.file(old)); errors.Is(err, fs.ErrNotExist) {
			return old, true
		}
	}
	return entry{}, false
}
