package directive

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/analysis/edit"

	"github.com/concvet/concvet/internal/directive"
	"github.com/concvet/concvet/internal/fix"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// The categories.
const (
	Malformed = "malformed"
	Unused    = "unused"
)

// Slugs lists the categories, without the analyzer's name.
var Slugs = []string{Malformed, Unused}

// New returns the analyzer. It runs after the others, which note on each
// directive what it has suppressed.
func New(others ...*analysis.Analyzer) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:     "directive",
		Doc:      doc,
		URL:      "https://github.com/concvet/concvet/blob/main/docs/directives.md",
		Requires: append(append([]*analysis.Analyzer{summary.Analyzer}, report.Requires...), others...),
		Run:      run,
	}
}

func run(pass *analysis.Pass) (any, error) {
	if report.FactsOnly {
		return nil, nil
	}
	dirs, ok := pass.ResultOf[directive.Analyzer].(*directive.Set)
	if !ok {
		return nil, fmt.Errorf("no result of %s", directive.Analyzer.Name)
	}
	r, err := report.New(pass)
	if err != nil {
		return nil, err
	}
	for _, p := range dirs.Problems {
		r.Add(report.Finding{Pos: p.Pos, End: p.End, Slug: Malformed, Tier: report.Default, Message: p.Message})
	}
	if report.Wire {
		for _, d := range dirs.All {
			if d.Verb != directive.Ignore || d.UsedBy > 0 || !summary.Tests && r.InTest(d.Pos) {
				continue
			}
			f := report.Finding{
				Pos: d.Pos, End: d.End, Slug: Unused, Tier: report.Default,
				Message: fmt.Sprintf("this directive suppresses nothing: there is no finding of %s here; remove it", strings.Join(d.Names, ", ")),
			}
			removal(pass, d, &f)
			r.Add(f)
		}
	}
	r.Flush()
	return nil, nil
}

// removal adds a fix that takes the directive away. It is not a safe one: there
// may be a finding for it on another system.
func removal(pass *analysis.Pass, d *directive.Directive, f *report.Finding) {
	file, err := fix.Open(pass, d.Pos)
	if err != nil {
		return
	}
	edits, ok := file.Clean([]analysis.TextEdit{file.DeleteComment(edit.Range{d.Pos, d.End})})
	if !ok {
		return
	}
	const title = "remove the directive"
	f.Fixes = []analysis.SuggestedFix{{Message: title, TextEdits: edits}}
	f.Unsafe = map[string]string{title: "on another system it may suppress something"}
}
