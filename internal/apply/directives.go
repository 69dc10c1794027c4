package apply

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/vetrun"
)

// Directives returns findings whose only fix is a comment that suppresses them,
// one for all findings of a statement. What cannot be suppressed, such as a
// finding on a directive itself, is left out.
func Directives(findings []vetrun.Finding, reason string) []vetrun.Finding {
	files := map[string]*commented{}
	type place struct {
		file string
		pos  int
	}
	at := map[place]int{} // index in out
	names := map[place][]string{}
	var out []vetrun.Finding
	for _, f := range findings {
		if f.Suppressed != nil || f.Generated || !f.Physical || strings.HasPrefix(f.Category, "directive/") {
			continue
		}
		file, ok := files[f.File]
		if !ok {
			file = readCommented(f.File)
			files[f.File] = file
		}
		if file == nil {
			continue
		}
		p := place{f.File, file.before(f)}
		if !slices.Contains(names[p], f.Category) {
			names[p] = append(names[p], f.Category)
		}
		if _, ok := at[p]; !ok {
			at[p] = len(out)
			f.Fixes = nil
			out = append(out, f)
		}
	}
	for p, i := range at {
		slices.Sort(names[p])
		file := files[p.file]
		text := fmt.Sprintf("%s//concvet:ignore %s %s\n", file.indent(p.pos), strings.Join(names[p], ","), strings.TrimSpace(reason))
		out[i].Fixes = []vetrun.Fix{{Title: "ignore with a reason", Edits: []vetrun.Edit{{File: p.file, Start: p.pos, End: p.pos, New: text}}}}
	}
	return out
}

// commented is a file that gets comments.
type commented struct {
	text []byte
	file *token.File
	ast  *ast.File
}

func readCommented(name string) *commented {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	c, err := parseCommented(name, text)
	if err != nil {
		return nil
	}
	return c
}

func parseCommented(name string, text []byte) (*commented, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &commented{text, fset.File(f.FileStart), f}, nil
}

// before returns the offset of the line that a directive for f stands before.
func (c *commented) before(f vetrun.Finding) int {
	return c.file.Offset(c.file.LineStart(c.statement(f.Line)))
}

// StatementLine returns the line on which the innermost statement or declaration
// around a line of src begins: a directive on the line before speaks of all its
// lines. Lines count from 1.
func StatementLine(src []byte, line int) (int, error) {
	c, err := parseCommented("", src)
	if err != nil {
		return 0, err
	}
	return c.statement(line), nil
}

func (c *commented) statement(of int) int {
	line := of
	ast.Inspect(c.ast, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		first, last := c.file.PositionFor(n.Pos(), false).Line, c.file.PositionFor(n.End(), false).Line
		if of < first || of > last {
			return false
		}
		switch n.(type) {
		case *ast.BlockStmt, *ast.File:
		case ast.Stmt, ast.Decl, ast.Spec:
			if c.begins(n) {
				line = first
			}
		}
		return true
	})
	return line
}

// begins reports whether nothing but blanks stands before n on its line.
func (c *commented) begins(n ast.Node) bool {
	pos := c.file.PositionFor(n.Pos(), false)
	return len(bytes.TrimSpace(c.text[pos.Offset-pos.Column+1:pos.Offset])) == 0
}

// indent is the white space that the line at an offset begins with.
func (c *commented) indent(offset int) string {
	rest := c.text[offset:]
	return string(rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))])
}
