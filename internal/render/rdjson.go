package render

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/vetrun"
)

// The Reviewdog Diagnostic Format. Related locations are part of the message:
// older versions of reviewdog refuse the field.
type (
	rdReport struct {
		Diagnostics []rdDiagnostic `json:"diagnostics"`
		Severity    string         `json:"severity"`
		Source      rdSource       `json:"source"`
	}
	rdSource struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	}
	rdDiagnostic struct {
		Code        rdCode         `json:"code"`
		Location    rdLocation     `json:"location"`
		Message     string         `json:"message"`
		Severity    string         `json:"severity"`
		Suggestions []rdSuggestion `json:"suggestions,omitempty"`
	}
	rdCode struct {
		URL   string `json:"url"`
		Value string `json:"value"`
	}
	rdLocation struct {
		Path  string   `json:"path"`
		Range *rdRange `json:"range,omitempty"`
	}
	rdRange struct {
		Start rdPosition  `json:"start"`
		End   *rdPosition `json:"end,omitempty"`
	}
	rdPosition struct {
		Line   int `json:"line"`
		Column int `json:"column,omitempty"` // in bytes, from 1
	}
	rdSuggestion struct {
		Range rdRange `json:"range"`
		Text  string  `json:"text"`
	}
)

func writeRDJSON(w io.Writer, r *Report) error {
	doc := rdReport{Diagnostics: []rdDiagnostic{}, Severity: "WARNING", Source: rdSource{Name: "concvet", URL: Site}}
	src := sources{}
	for _, f := range r.Findings {
		if f.Suppressed != nil {
			continue
		}
		d := rdDiagnostic{Code: rdCode{URL: URL(f.Category), Value: f.Category}, Severity: "WARNING"}
		if f.Tier == report.Audit {
			d.Severity = "INFO"
		}
		d.Location.Path = r.portable(f.File)
		if f.Line > 0 {
			d.Location.Range = &rdRange{Start: rdPosition{f.Line, f.Column}}
			if f.Column > 0 && f.EndColumn > 0 {
				d.Location.Range.End = &rdPosition{f.EndLine, f.EndColumn}
			}
		}
		var text strings.Builder
		text.WriteString(Escape(f.Text))
		for _, fr := range f.Frames {
			text.WriteString("\n" + Escape(Position(r.framePath(fr), fr.Line, 0)+": "+fr.Text))
		}
		d.Message = text.String()
		for _, fix := range f.Fixes {
			if s, ok := suggestion(f, fix, src); ok {
				d.Suggestions = append(d.Suggestions, s)
			}
		}
		doc.Diagnostics = append(doc.Diagnostics, d)
	}
	return encodeJSON(w, doc)
}

// suggestion turns a safe fix into one replacement: reviewdog offers each range
// by itself, and half of a fix is none. A fix that reaches far, such as to the
// imports, is left out, since a comment of a review cannot hold it.
func suggestion(f vetrun.Finding, fix vetrun.Fix, src sources) (s rdSuggestion, ok bool) {
	const most = 40 // lines
	text := src.of(f)
	if text == nil || fix.Unsafe != "" || len(fix.Edits) == 0 {
		return s, false
	}
	edits := slices.SortedFunc(slices.Values(fix.Edits), func(a, b vetrun.Edit) int { return cmp.Compare(a.Start, b.Start) })
	var b strings.Builder
	last := edits[0].Start
	for _, e := range edits {
		if e.File != f.File || e.Start < last || e.End < e.Start || e.End > len(text.text) {
			return s, false
		}
		b.Write(text.text[last:e.Start])
		b.WriteString(e.New)
		last = e.End
	}
	start, ok1 := text.bytePosition(edits[0].Start)
	end, ok2 := text.bytePosition(last)
	if !ok1 || !ok2 || end.Line-start.Line >= most {
		return s, false
	}
	return rdSuggestion{Range: rdRange{Start: start, End: &end}, Text: b.String()}, true
}

// bytePosition is the line and column of an offset, both from 1.
func (s *source) bytePosition(offset int) (rdPosition, bool) {
	line, _, ok := s.position(offset)
	if !ok {
		return rdPosition{}, false
	}
	return rdPosition{line, offset - s.starts[line-1] + 1}, true
}
