// Package fix writes the edits of suggested fixes: statements that move, that
// come and go by whole lines, expressions that are replaced, imports that are
// added.
//
// It works on lines of the file as it is, not on printed syntax, so that
// comments stay where they are and every line that is not touched keeps its
// bytes. What cannot be done so is refused: no fix is better than one that
// loses a comment. The package knows nothing of why an edit is made.
package fix

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// A File is a source file that edits are made for.
type File struct {
	Syntax *ast.File
	fset   *token.FileSet
	tok    *token.File
	data   string
}

// Open returns the file around pos. It fails for a file whose text cannot be
// trusted to be the one that the positions are of: one that imports C or has
// //line directives, which name other files than the one to edit.
func Open(pass *analysis.Pass, pos token.Pos) (*File, error) {
	for _, f := range pass.Files {
		if pos < f.FileStart || pos > f.FileEnd {
			continue
		}
		for _, imp := range f.Imports {
			if imp.Path.Value == `"C"` {
				return nil, fmt.Errorf("the file imports C")
			}
		}
		tok := pass.Fset.File(f.FileStart)
		data, err := pass.ReadFile(tok.Name())
		if err != nil {
			return nil, err
		}
		if len(data) != tok.Size() {
			return nil, fmt.Errorf("%s has changed", tok.Name())
		}
		if pass.Fset.PositionFor(f.FileEnd, false) != pass.Fset.PositionFor(f.FileEnd, true) ||
			pass.Fset.PositionFor(pos, false) != pass.Fset.PositionFor(pos, true) {
			return nil, fmt.Errorf("%s has //line directives", tok.Name())
		}
		return &File{Syntax: f, fset: pass.Fset, tok: tok, data: string(data)}, nil
	}
	return nil, fmt.Errorf("no file of the package has the position")
}

// Text returns the source of a node.
func (f *File) Text(n ast.Node) string {
	return f.data[f.tok.Offset(n.Pos()):f.tok.Offset(n.End())]
}

// Line is the line that a position stands in, whatever //line says.
func (f *File) Line(pos token.Pos) int { return f.tok.Line(pos) }

// lineStart is the offset at which line n begins, the end of the file for the
// line after the last.
func (f *File) lineStart(n int) int {
	if n > f.tok.LineCount() {
		return len(f.data)
	}
	return f.tok.Offset(f.tok.LineStart(n))
}

// line is the text of line n, without white space around it.
func (f *File) line(n int) string {
	if n < 1 || n > f.tok.LineCount() {
		return ""
	}
	return strings.TrimSpace(f.data[f.lineStart(n):f.lineStart(n+1)])
}

// indent is the white space before the node on its first line.
func (f *File) indent(n ast.Node) string {
	start := f.lineStart(f.Line(n.Pos()))
	text := f.data[start:]
	return text[:len(text)-len(strings.TrimLeft(text, " \t"))]
}

// first reports whether nothing stands before the node on its first line.
func (f *File) first(n ast.Node) bool {
	start, offset := f.lineStart(f.Line(n.Pos())), f.tok.Offset(n.Pos())
	return strings.TrimSpace(f.data[start:offset]) == ""
}

// rest is what follows the node on its last line.
func (f *File) rest(n ast.Node) string {
	offset, end := f.tok.Offset(n.End()), f.lineStart(f.Line(n.End())+1)
	return strings.TrimSpace(f.data[offset:end])
}

// Alone reports whether the node has its lines for itself.
func (f *File) Alone(n ast.Node) bool { return f.first(n) && f.rest(n) == "" }

// OwnLines reports whether the node shares its lines with comments only.
func (f *File) OwnLines(n ast.Node) bool {
	return f.first(n) && (f.rest(n) == "" || strings.HasPrefix(f.rest(n), "//"))
}

// OwnLinesWithComma is [File.OwnLines] for an element of a list that has a comma
// after it.
func (f *File) OwnLinesWithComma(n ast.Node) bool {
	rest, ok := strings.CutPrefix(f.rest(n), ",")
	rest = strings.TrimSpace(rest)
	return ok && f.first(n) && (rest == "" || strings.HasPrefix(rest, "//"))
}

// Comments lists the comments between two positions.
func (f *File) Comments(from, to token.Pos) []*ast.Comment {
	var out []*ast.Comment
	for _, group := range f.Syntax.Comments {
		for _, c := range group.List {
			if c.Pos() >= from && c.End() <= to {
				out = append(out, c)
			}
		}
	}
	return out
}

// LineEnd is the position of the end of the line that pos stands in.
func (f *File) LineEnd(pos token.Pos) token.Pos {
	return f.tok.Pos(f.lineStart(f.Line(pos) + 1))
}

// above is the first line of the comments directly above the node: they belong
// to it.
func (f *File) above(n ast.Node) int {
	line := f.Line(n.Pos())
	for _, group := range f.Syntax.Comments {
		if f.Line(group.End()) == f.Line(n.Pos())-1 && f.first(group) {
			line = f.Line(group.Pos())
		}
	}
	return line
}

// Commented reports whether a comment directly above the node belongs to it.
func (f *File) Commented(n ast.Node) bool { return f.above(n) != f.Line(n.Pos()) }
