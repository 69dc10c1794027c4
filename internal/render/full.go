package render

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/vetrun"
)

// writeFull writes for a person at a terminal: each finding with its line of
// source and the way to what blocks.
func writeFull(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	p := palette(r.Color)
	src := sources{}
	fixable, unsafe, shown := 0, 0, 0
	for _, f := range r.Findings {
		r.writeFinding(out, p, f, src)
		fmt.Fprintln(out)
		if f.Suppressed == nil {
			shown++
			if safeFix(f) {
				fixable++
			} else if len(f.Fixes) > 0 {
				unsafe++
			}
		}
	}
	switch {
	case shown == 0 && len(r.Problems) == 0:
		fmt.Fprintf(out, "No findings in %s.\n", count(r.Packages, "package"))
	case fixable > 0:
		more := ""
		if unsafe > 0 {
			more = fmt.Sprintf("; -unsafe-fixes adds %d more", unsafe)
		}
		fmt.Fprintf(out, "%s, %d with a safe fix: concvet -diff shows the fixes, concvet -fix applies them%s.\n", count(shown, "finding"), fixable, more)
	case unsafe > 0:
		fmt.Fprintf(out, "%s, %d with a fix that changes more than the finding: concvet -diff -unsafe-fixes shows them.\n", count(shown, "finding"), unsafe)
	case shown > 0:
		fmt.Fprintf(out, "%s. concvet explain CATEGORY says more.\n", count(shown, "finding"))
	}
	return out.Flush()
}

// WriteFinding writes the findings of r as the full format does, without a
// summary.
func WriteFinding(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	src := sources{}
	for _, f := range r.Findings {
		r.writeFinding(out, palette(r.Color), f, src)
	}
	return out.Flush()
}

func (r *Report) writeFinding(out io.Writer, p colors, f vetrun.Finding, src sources) {
	mark := p.warn
	if f.Tier == report.Audit {
		mark = p.note
	}
	fmt.Fprintf(out, "%s%s%s: %s%s%s [%s]%s\n", p.bold, Escape(Position(r.display(f.File), f.Line, f.Column)), p.reset,
		mark, Escape(f.Text), p.reset, Escape(f.Category), r.note(f))
	if text, ok := src.of(f).line(f.Line); ok {
		writeSnippet(out, p, f, text)
	}
	for _, fr := range f.Frames {
		fmt.Fprintf(out, "      %s→%s %s\n", p.faint, p.reset, r.frameLine(fr))
	}
	for _, fix := range f.Fixes {
		if fix.Unsafe == "" {
			fmt.Fprintf(out, "      %sfix:%s %s\n", p.note, p.reset, Escape(fix.Title))
		} else {
			fmt.Fprintf(out, "      %sfix (unsafe: %s):%s %s\n", p.note, Escape(fix.Unsafe), p.reset, Escape(fix.Title))
		}
	}
}

func safeFix(f vetrun.Finding) bool {
	for _, fix := range f.Fixes {
		if fix.Unsafe == "" {
			return true
		}
	}
	return false
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// writeSnippet writes a line of source and marks the part that is meant.
func writeSnippet(out io.Writer, p colors, f vetrun.Finding, text string) {
	const widest = 160 // what follows is cut: a generated line may be of any length
	start, end := f.Column-1, len(text)
	if f.EndLine == f.Line && f.EndColumn > f.Column {
		end = f.EndColumn - 1
	}
	start, end = max(0, min(start, len(text))), max(0, min(end, len(text)))
	before, marked := printable(text[:start]), printable(text[start:end])
	line := printable(text)
	gutter := fmt.Sprintf("%5d", f.Line)
	if utf8.RuneCountInString(line) > widest {
		line = string([]rune(line)[:widest]) + "…"
	}
	fmt.Fprintf(out, "%s%s |%s %s\n", p.faint, gutter, p.reset, line)
	if pad := utf8.RuneCountInString(before); f.Column > 0 && pad < widest {
		width := max(1, min(utf8.RuneCountInString(marked), widest-pad))
		fmt.Fprintf(out, "%s%s |%s %s%s%s%s\n", p.faint, strings.Repeat(" ", len(gutter)), p.reset,
			strings.Repeat(" ", pad), p.warn, strings.Repeat("^", width), p.reset)
	}
}

// printable makes source fit for the terminal, with tabs of a known width.
func printable(s string) string {
	return strings.ReplaceAll(escapeSource(s), "\t", "    ")
}

type colors struct{ bold, warn, note, faint, reset string }

func palette(on bool) colors {
	if !on {
		return colors{}
	}
	return colors{bold: "\x1b[1m", warn: "\x1b[33m", note: "\x1b[36m", faint: "\x1b[2m", reset: "\x1b[0m"}
}
