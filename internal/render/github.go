package render

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/vetrun"
)

// writeGitHub writes workflow commands, which GitHub shows as annotations. It
// shows only the first ten of a step, so the more severe come first.
func writeGitHub(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	root := r.from("GITHUB_WORKSPACE")
	for _, p := range r.Problems {
		fmt.Fprint(out, "::error ")
		if p.File != "" {
			fmt.Fprintf(out, "file=%s,", githubProperty(root.portable(p.File)))
			if p.Line > 0 {
				fmt.Fprintf(out, "line=%d,", p.Line)
			}
		}
		fmt.Fprintf(out, "title=concvet::%s\n", githubData(Escape(p.Text)))
	}
	findings := slices.Clone(r.Findings)
	slices.SortStableFunc(findings, func(a, b vetrun.Finding) int { return rank(a) - rank(b) })
	for _, f := range findings {
		if f.Suppressed == nil {
			root.writeAnnotation(out, f)
		}
	}
	return out.Flush()
}

func rank(f vetrun.Finding) int {
	if f.Tier == report.Audit {
		return 1
	}
	return 0
}

func (r *Report) writeAnnotation(w io.Writer, f vetrun.Finding) {
	command := "warning"
	if f.Tier == report.Audit {
		command = "notice"
	}
	fmt.Fprintf(w, "::%s file=%s", command, githubProperty(r.portable(f.File)))
	if f.Line > 0 {
		fmt.Fprintf(w, ",line=%d,endLine=%d", f.Line, max(f.Line, f.EndLine))
		// Columns are only allowed within one line.
		if f.Column > 0 && f.EndLine <= f.Line {
			fmt.Fprintf(w, ",col=%d", f.Column)
			if f.EndColumn > f.Column {
				fmt.Fprintf(w, ",endColumn=%d", f.EndColumn)
			}
		}
	}
	var text strings.Builder
	text.WriteString(Escape(f.Text))
	for _, fr := range f.Frames {
		fmt.Fprintf(&text, "\n%s", Escape(Position(r.framePath(fr), fr.Line, 0)+": "+fr.Text))
	}
	fmt.Fprintf(w, ",title=%s::%s\n", githubProperty(f.Category), githubData(text.String()))
}

var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// githubData encodes the text of a command, and githubProperty one of its
// properties, which needs more.
func githubData(s string) string     { return dataEscapes.Replace(s) }
func githubProperty(s string) string { return propertyEscapes.Replace(Escape(s)) }
