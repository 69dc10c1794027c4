package lsp

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// ignore inserts a directive above the statement or declaration of a finding.
// The reason is left to the author: a directive must have one, and only a person
// knows it.
func ignore(d *document, f shown) ([]textEdit, error) {
	line, err := statementLine(d.text.data, f.start)
	if err != nil {
		return nil, err
	}
	start := d.text.lines[line]
	end := start
	for end < len(d.text.data) && (d.text.data[end] == ' ' || d.text.data[end] == '\t') {
		end++
	}
	newline := "\n"
	if after := d.text.lineEnd(line); after+1 < len(d.text.data) && d.text.data[after:after+2] == "\r\n" {
		newline = "\r\n"
	}
	text := d.text.data[start:end] + "//concvet:ignore " + f.finding.Category + " TODO: reason" + newline
	return []textEdit{{d.text.span(start, start), text}}, nil
}

// statementLine is the line, from 0, on which the innermost statement or
// declaration around an offset begins.
func statementLine(src string, offset int) (int, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return 0, err
	}
	tf := fset.File(file.FileStart)
	pos := tf.Pos(min(offset, tf.Size()))
	best := pos
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || pos >= n.End() {
			return false
		}
		switch n.(type) {
		case *ast.BlockStmt, *ast.File:
		case ast.Stmt, ast.Decl, ast.Spec:
			best = n.Pos()
		}
		return true
	})
	return tf.PositionFor(best, false).Line - 1, nil
}
