package vetrun

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/concvet/concvet/internal/report"
)

// The shape of what unitchecker prints: package → analyzer → diagnostics, or
// an object with one error. One such document a package, one after the other.
type (
	jsonTree       map[string]map[string]json.RawMessage
	jsonDiagnostic struct {
		Category string        `json:"category"`
		Posn     string        `json:"posn"`
		End      string        `json:"end"`
		Message  string        `json:"message"`
		Fixes    []jsonFix     `json:"suggested_fixes"`
		Related  []jsonRelated `json:"related"`
	}
	jsonFix struct {
		Message string `json:"message"`
		Edits   []struct {
			Filename   string
			Start, End int
			New        string
		} `json:"edits"`
	}
	jsonRelated struct {
		Posn    string `json:"posn"`
		Message string `json:"message"`
	}
	jsonError struct {
		Err string `json:"error"`
	}
)

// decode reads the JSON stream of go vet.
func decode(r io.Reader) (findings []Finding, problems []Problem, err error) {
	dec := json.NewDecoder(r)
	for {
		var tree jsonTree
		if err := dec.Decode(&tree); errors.Is(err, io.EOF) {
			return findings, problems, nil
		} else if err != nil {
			return findings, problems, fmt.Errorf("go vet printed something that is not its JSON (at byte %d): %v", dec.InputOffset(), err)
		}
		for _, pkg := range slices.Sorted(maps.Keys(tree)) {
			for _, name := range slices.Sorted(maps.Keys(tree[pkg])) {
				raw := tree[pkg][name]
				var diags []jsonDiagnostic
				if json.Unmarshal(raw, &diags) == nil {
					for _, d := range diags {
						f := d.finding(importPath(pkg), name)
						f.WithTest = pkg != f.Package
						findings = append(findings, f)
					}
					continue
				}
				var e jsonError
				if err := json.Unmarshal(raw, &e); err != nil {
					return findings, problems, fmt.Errorf("go vet printed JSON for %s of %s that is not known to this concvet: %v", name, pkg, err)
				}
				problems = append(problems, Problem{
					Package:  importPath(pkg),
					Internal: true,
					Text:     fmt.Sprintf("internal error in %s on %s: %s", name, importPath(pkg), firstLine(e.Err)),
				})
			}
		}
	}
}

// importPath drops the suffix of a test variant: "p [p.test]".
func importPath(id string) string {
	path, _, _ := strings.Cut(id, " ")
	return path
}

func (d jsonDiagnostic) finding(pkg, analyzer string) Finding {
	f := Finding{Package: pkg, Analyzer: analyzer, Category: d.Category, Tier: report.Default, Text: d.Message}
	if f.Category == "" {
		f.Category = analyzer
	} else if !strings.Contains(f.Category, "/") {
		f.Category = analyzer + "/" + f.Category
	}
	f.File, f.Line, f.Column = splitPosn(d.Posn)
	var endFile string
	if endFile, f.EndLine, f.EndColumn = splitPosn(d.End); endFile != f.File || f.EndLine < f.Line {
		f.EndLine, f.EndColumn = f.Line, f.Column
	}
	m, wire := report.ParseMessage(d.Message)
	if wire {
		f.Tier, f.Text, f.Symbol, f.Fingerprint = m.Tier, m.Text, m.Symbol, m.Fingerprint
		f.Suppressed, f.Test, f.Generated = m.Suppressed, m.Test, m.Generated
		for _, fr := range m.Frames {
			f.Frames = append(f.Frames, Frame{Pos: fr.Pos, Text: fr.Text})
		}
	}
	if !f.Test {
		f.Test = strings.HasSuffix(f.File, "_test.go")
	}
	if len(f.Frames) == 0 {
		for _, r := range d.Related {
			file, line, _ := splitPosn(r.Posn)
			f.Frames = append(f.Frames, Frame{Pos: fmt.Sprintf("%s:%d", filepath.Base(file), line), File: file, Line: line, Text: r.Message})
		}
	}
	for _, jf := range d.Fixes {
		fix := Fix{Title: jf.Message, Unsafe: m.Unsafe[jf.Message]}
		for _, e := range jf.Edits {
			fix.Edits = append(fix.Edits, Edit{File: e.Filename, Start: e.Start, End: e.End, New: e.New})
		}
		f.Fixes = append(f.Fixes, fix)
	}
	return f
}

// splitPosn splits "file:line:column" from the right, since a file name may
// hold colons and a //line directive leaves the column out.
func splitPosn(s string) (file string, line, column int) {
	rest, last, ok := cutNumber(s)
	if !ok {
		return s, 0, 0
	}
	if file, line, ok := cutNumber(rest); ok {
		return file, line, last
	}
	return rest, last, 0
}

func cutNumber(s string) (string, int, bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil && n >= 0
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
