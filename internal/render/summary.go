package render

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/vetrun"
)

// WriteSummary writes a table of the findings in Markdown, for the summary of a
// GitHub job.
func WriteSummary(w io.Writer, r *Report) error {
	const most = 200 // GitHub takes 1 MB
	var shown []vetrun.Finding
	for _, f := range r.Findings {
		if f.Suppressed == nil {
			shown = append(shown, f)
		}
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "### concvet: %s in %s\n\n", count(len(shown), "finding"), count(r.Packages, "package"))
	for _, p := range r.Problems {
		fmt.Fprintf(out, "- not everything was checked: %s\n", markdown(r.ProblemLine(p)))
	}
	if len(shown) > 0 {
		fmt.Fprint(out, "\n| where | what | category |\n| --- | --- | --- |\n")
	}
	slices.SortStableFunc(shown, func(a, b vetrun.Finding) int { return rank(a) - rank(b) })
	for _, f := range shown[:min(len(shown), most)] {
		fmt.Fprintf(out, "| %s | %s | [%s](%s) |\n", markdown(Position(r.portable(f.File), f.Line, 0)), markdown(f.Text), markdown(f.Category), URL(f.Category))
	}
	if n := len(shown) - most; n > 0 {
		fmt.Fprintf(out, "\nand %d more\n", n)
	}
	return out.Flush()
}

// markdown escapes s for a cell of a table.
func markdown(s string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", "&", "&amp;", "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`).Replace(Escape(s))
}
