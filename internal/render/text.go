package render

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/concvet/concvet/internal/vetrun"
)

// writeText writes one line a finding, as Go tools do, and a line that starts
// with a tab for each frame: editors append those to the message.
func writeText(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	for _, f := range r.Findings {
		fmt.Fprintf(out, "%s: %s [%s]%s\n", Escape(Position(r.display(f.File), f.Line, f.Column)), Escape(f.Text), Escape(f.Category), r.note(f))
		for _, fr := range f.Frames {
			fmt.Fprintf(out, "\t%s\n", r.frameLine(fr))
		}
	}
	return out.Flush()
}

func (r *Report) frameLine(f vetrun.Frame) string {
	pos := f.Pos
	if f.File != "" {
		pos = Position(r.display(f.File), f.Line, 0)
	}
	return Escape(pos + ": " + f.Text)
}

// note says what is special about a finding: that it is not shown by default, or
// not on all platforms.
func (r *Report) note(f vetrun.Finding) string {
	if len(f.Platforms) > 0 && len(f.Platforms) < len(r.Platforms) {
		return " (on " + Escape(strings.Join(f.Platforms, ", ")) + ")" + suppression(f)
	}
	return suppression(f)
}

func suppression(f vetrun.Finding) string {
	if f.Suppressed != nil && f.Suppressed.Kind == "baseline" {
		return " (in the baseline)"
	}
	if f.Suppressed != nil {
		return " (suppressed: " + Escape(f.Suppressed.Reason) + ")"
	}
	return ""
}
