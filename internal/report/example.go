package report

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// isExample reports whether a package shows how its module is used, or is a toy in
// it, by its path in the module. A module that is an example as a whole shows what
// a service looks like.
func isExample(pass *analysis.Pass) bool {
	path := pass.Pkg.Path()
	if m := pass.Module; m != nil {
		path = strings.TrimPrefix(path, m.Path)
	}
	for elem := range strings.SplitSeq(path, "/") {
		switch elem {
		case "example", "examples", "_example", "_examples", "demo", "demos", "sample", "samples", "hello", "helloworld", "playground":
			return true
		}
	}
	return false
}

// Excused reports whether a comment at the line of pos, or alone on the line
// before it, tells one of some linters to be silent: the maintainers know what it
// says there, and leave it. The names of rules of gosec count for #nosec.
func Excused(pass *analysis.Pass, pos token.Pos, linters ...string) bool {
	if !pos.IsValid() {
		return false
	}
	line := pass.Fset.PositionFor(pos, false).Line
	for _, f := range pass.Files {
		if pos < f.FileStart || pos > f.FileEnd {
			continue
		}
		for _, group := range f.Comments {
			for _, c := range group.List {
				at := pass.Fset.PositionFor(c.Pos(), false)
				if (at.Line == line || at.Line == line-1 && alone(pass.Fset, f, c)) && excuses(c.Text, linters) {
					return true
				}
			}
		}
	}
	return false
}

// alone reports whether nothing but the comment stands on its line.
func alone(fset *token.FileSet, f *ast.File, c *ast.Comment) bool {
	tf := fset.File(f.FileStart)
	start := tf.LineStart(tf.Line(c.Pos()))
	code := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.Comment, *ast.CommentGroup:
			return false
		}
		if n.Pos() >= start && n.Pos() < c.Pos() || n.End() > start && n.End() <= c.Pos() {
			code = true
		}
		return !code && n.Pos() < c.Pos() && n.End() > start
	})
	return !code
}

// excuses reports whether a comment is a //nolint or #nosec for one of the linters.
func excuses(text string, linters []string) bool {
	text = strings.TrimSpace(strings.TrimPrefix(text, "//"))
	if rest, ok := strings.CutPrefix(text, "#nosec"); ok {
		rules := strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == ',' })
		return slices.ContainsFunc(rules, func(rule string) bool { return slices.Contains(linters, rule) })
	}
	list, ok := strings.CutPrefix(text, "nolint:")
	if !ok {
		return false
	}
	list, _, _ = strings.Cut(strings.TrimSpace(list), " ")
	return slices.ContainsFunc(strings.Split(list, ","), func(name string) bool { return slices.Contains(linters, strings.TrimSpace(name)) })
}
