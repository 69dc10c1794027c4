package render

import (
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/vetrun"
)

// The document of -format json, version 1. Fields are only ever added. They
// stand in the order of their names, so the output is sorted all through.
type (
	jsonReport struct {
		Errors   []jsonProblem `json:"errors"`
		Findings []jsonFinding `json:"findings"`
		Stats    jsonStats     `json:"stats"`
		Tool     jsonTool      `json:"tool"`
		Version  int           `json:"version"`
	}
	jsonTool struct {
		Name    string `json:"name"`
		URL     string `json:"url"`
		Version string `json:"version"`
	}
	jsonStats struct {
		Categories map[string]int `json:"categories"`
		Findings   int            `json:"findings"`
		Packages   int            `json:"packages"`
		Suppressed int            `json:"suppressed"`
	}
	jsonProblem struct {
		Column   int    `json:"column,omitempty"`
		Internal bool   `json:"internal,omitempty"`
		Line     int    `json:"line,omitempty"`
		Message  string `json:"message"`
		Package  string `json:"package,omitempty"`
		Path     string `json:"path,omitempty"`
	}
	jsonFinding struct {
		Analyzer    string           `json:"analyzer"`
		Category    string           `json:"category"`
		Fingerprint string           `json:"fingerprint"`
		Fixes       []jsonFix        `json:"fixes"`
		Message     string           `json:"message"`
		Package     string           `json:"package"`
		Path        string           `json:"path"`
		Platforms   []string         `json:"platforms"` // empty unless -platforms is given
		Range       jsonRange        `json:"range"`
		Related     []jsonFrame      `json:"related"`
		Severity    string           `json:"severity"`
		Suppressed  *jsonSuppression `json:"suppressed"`
		Symbol      string           `json:"symbol"`
		Test        bool             `json:"test"`
		URL         string           `json:"url"`
	}
	jsonRange struct {
		End   jsonPosition `json:"end"`
		Start jsonPosition `json:"start"`
	}
	jsonPosition struct {
		Column int  `json:"column"` // in bytes, from 1; 0 if unknown
		Line   int  `json:"line"`
		Offset *int `json:"offset"` // in bytes, from 0; null after a //line directive
	}
	jsonFrame struct {
		Line    int    `json:"line"`
		Message string `json:"message"`
		Path    string `json:"path"`
	}
	jsonFix struct {
		Applicability string     `json:"applicability"` // "safe" or "unsafe"
		Changes       string     `json:"changes,omitempty"`
		Edits         []jsonEdit `json:"edits"`
		Title         string     `json:"title"`
	}
	jsonEdit struct {
		End   int    `json:"end"` // offsets in bytes
		New   string `json:"new"`
		Path  string `json:"path"`
		Start int    `json:"start"`
	}
	jsonSuppression struct {
		Kind   string `json:"kind"`
		Reason string `json:"reason"`
	}
)

func writeJSON(w io.Writer, r *Report) error {
	doc := jsonReport{
		Errors:   []jsonProblem{},
		Findings: []jsonFinding{},
		Stats:    jsonStats{Categories: map[string]int{}, Packages: r.Packages},
		Tool:     jsonTool{Name: "concvet", URL: Site, Version: r.Version},
		Version:  1,
	}
	src := sources{}
	for _, f := range r.Findings {
		if f.Suppressed != nil {
			doc.Stats.Suppressed++
		} else {
			doc.Stats.Findings++
			doc.Stats.Categories[f.Category]++
		}
		doc.Findings = append(doc.Findings, r.jsonFinding(f, src.of(f)))
	}
	for _, p := range r.Problems {
		jp := jsonProblem{Column: p.Column, Internal: p.Internal, Line: p.Line, Message: p.Text, Package: p.Package}
		if p.File != "" {
			jp.Path = r.portable(p.File)
		}
		doc.Errors = append(doc.Errors, jp)
	}
	return encodeJSON(w, doc)
}

func encodeJSON(w io.Writer, doc any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(doc)
}

func (r *Report) jsonFinding(f vetrun.Finding, src *source) jsonFinding {
	jf := jsonFinding{
		Analyzer: f.Analyzer, Category: f.Category, Fingerprint: f.Fingerprint,
		Fixes: []jsonFix{}, Message: f.Text, Package: f.Package, Path: r.portable(f.File),
		Platforms: append([]string{}, f.Platforms...),
		Range: jsonRange{
			Start: jsonPosition{Line: f.Line, Column: f.Column},
			End:   jsonPosition{Line: f.EndLine, Column: f.EndColumn},
		},
		Related: []jsonFrame{}, Severity: severity(f.Tier), Symbol: f.Symbol, Test: f.Test, URL: URL(f.Category),
	}
	if n, ok := src.offset(f.Line, f.Column); ok {
		jf.Range.Start.Offset = &n
	}
	if n, ok := src.offset(f.EndLine, f.EndColumn); ok {
		jf.Range.End.Offset = &n
	}
	for _, fr := range f.Frames {
		jf.Related = append(jf.Related, jsonFrame{Line: fr.Line, Message: fr.Text, Path: r.framePath(fr)})
	}
	for _, fix := range f.Fixes {
		jx := jsonFix{Applicability: "safe", Edits: []jsonEdit{}, Title: fix.Title}
		if fix.Unsafe != "" {
			jx.Applicability, jx.Changes = "unsafe", fix.Unsafe
		}
		for _, e := range fix.Edits {
			jx.Edits = append(jx.Edits, jsonEdit{End: e.End, New: e.New, Path: r.portable(e.File), Start: e.Start})
		}
		jf.Fixes = append(jf.Fixes, jx)
	}
	if s := f.Suppressed; s != nil {
		jf.Suppressed = &jsonSuppression{Kind: s.Kind, Reason: s.Reason}
	}
	return jf
}

// editsByFile groups the edits of a fix, files in the order of their names.
func editsByFile(fix vetrun.Fix) (files []string, edits map[string][]vetrun.Edit) {
	edits = map[string][]vetrun.Edit{}
	for _, e := range fix.Edits {
		edits[e.File] = append(edits[e.File], e)
	}
	files = slices.SortedFunc(maps.Keys(edits), strings.Compare)
	return files, edits
}
