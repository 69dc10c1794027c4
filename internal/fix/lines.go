package fix

import (
	"cmp"
	"go/ast"
	"go/format"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/analysis/edit"
)

// InsertAfter puts a statement on a line of its own after the line on which n
// ends, indented as n is.
func (f *File) InsertAfter(n ast.Node, text string) analysis.TextEdit {
	at := f.LineEnd(n.End())
	return edit.ReplaceWithString(edit.Range{at, at}, f.indent(n)+text+"\n")
}

// InsertBefore puts a statement on a line of its own before n and the comments
// that belong to n, indented as n is.
func (f *File) InsertBefore(n ast.Node, text string) analysis.TextEdit {
	at := f.tok.LineStart(f.above(n))
	return edit.ReplaceWithString(edit.Range{at, at}, f.indent(n)+text+"\n")
}

// DeleteLines removes the lines of n.
func (f *File) DeleteLines(n ast.Node) analysis.TextEdit {
	return f.deleteLines(f.Line(n.Pos()), f.Line(n.End()))
}

// deleteLines removes lines, and the empty line before them if it would stand
// before another empty line or at the end of a block, where gofmt wants none.
func (f *File) deleteLines(first, last int) analysis.TextEdit {
	next := f.line(last + 1)
	if f.line(first-1) == "" && (next == "" || next[0] == '}' || strings.HasPrefix(next, "case ") || next == "default:") {
		first--
	}
	return edit.Delete(edit.Range{f.tok.Pos(f.lineStart(first)), f.tok.Pos(f.lineStart(last + 1))})
}

// DeleteComment removes a comment, with its line if nothing else is on it.
func (f *File) DeleteComment(c ast.Node) analysis.TextEdit {
	if f.Alone(c) {
		return f.DeleteLines(c)
	}
	start := f.tok.Offset(c.Pos())
	code := strings.TrimRight(f.data[:start], " \t")
	return edit.Delete(edit.Range{f.tok.Pos(len(code)), c.End()})
}

// MoveBefore moves consecutive statements, with the comments that belong to
// them, before anchor, which stands in the same list of statements.
func (f *File) MoveBefore(anchor ast.Node, stmts ...ast.Stmt) []analysis.TextEdit {
	first, last := f.above(stmts[0]), f.Line(stmts[len(stmts)-1].End())
	text := f.data[f.lineStart(first):f.lineStart(last+1)]
	at := f.tok.LineStart(f.above(anchor))
	return []analysis.TextEdit{
		edit.ReplaceWithString(edit.Range{at, at}, text),
		f.deleteLines(first, last),
	}
}

// Replace puts text in the place of a node.
func (f *File) Replace(n ast.Node, text string) analysis.TextEdit {
	return edit.ReplaceWithString(n, text)
}

// Reindent moves text by whole lines from one indentation to another. Lines
// that do not begin with the old one, such as those of raw strings, stay.
func Reindent(text, from, to string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if rest, ok := strings.CutPrefix(line, from); ok && strings.TrimSpace(line) != "" {
			lines[i] = to + rest
		}
	}
	return strings.Join(lines, "")
}

// Apply returns the text of the file after the edits. It fails if they overlap.
func (f *File) Apply(edits []analysis.TextEdit) (text string, ok bool) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b analysis.TextEdit) int { return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.End, b.End)) })
	var out strings.Builder
	last := 0
	for _, e := range edits {
		if f.tok.Offset(e.Pos) < last {
			return "", false
		}
		out.WriteString(f.data[last:f.tok.Offset(e.Pos)])
		out.Write(e.NewText)
		last = f.tok.Offset(e.End)
	}
	out.WriteString(f.data[last:])
	return out.String(), true
}

// Clean returns edits after which the file parses and is in the form of gofmt,
// if it was before: where lines that stay have to be aligned anew, they are part
// of the edits. It fails if there are none.
func (f *File) Clean(edits []analysis.TextEdit) ([]analysis.TextEdit, bool) {
	after, ok := f.Apply(edits)
	if !ok {
		return nil, false
	}
	after = toLF(after)
	out, err := format.Source([]byte(after))
	if err != nil {
		return nil, false
	}
	if string(out) == after {
		return edits, true
	}
	before := toLF(f.data)
	if old, err := format.Source([]byte(before)); err != nil || string(old) != before {
		return edits, err == nil // it was not, and is left as its author has it
	}
	if before != f.data {
		return nil, false // offsets are those of the text with other line ends
	}
	var clean []analysis.TextEdit
	for _, e := range udiff.Lines(before, string(out)) { // by characters, it may look for common ones in all of the file
		clean = append(clean, edit.ReplaceWithString(edit.Range{f.tok.Pos(e.Start), f.tok.Pos(e.End)}, e.New))
	}
	return clean, len(clean) > 0
}

func toLF(s string) string {
	return strings.ReplaceAll(strings.TrimPrefix(s, "\ufeff"), "\r\n", "\n")
}
