// Package directive reads the //concvet: comments of a package.
//
//	//concvet:ignore ANALYZER[/SLUG][,…] reason   no finding here, and no effect for callers
//	//concvet:blocking [KIND]                     the function may block, whatever its code says
//	//concvet:nonblocking reason                  it may not
//	//concvet:bounded reason                      what it waits for is bounded
//	//concvet:latency                             nothing may block in this function or loop
//
// Parsing is strict: an unknown verb or name, or a missing reason, is a problem
// to report, never obeyed and never passed over.
package directive

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/analysis/lint"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/nearest"
)

// A Verb is what a directive asks for.
type Verb string

const (
	Ignore      Verb = "ignore"
	Blocking    Verb = "blocking"
	Nonblocking Verb = "nonblocking"
	Bounded     Verb = "bounded"
	Latency     Verb = "latency"

	// Explain names a line of the file to be explained. The front end writes
	// it in an overlay, nobody else does.
	Explain Verb = "explain"
)

var verbs = []string{"ignore", "blocking", "nonblocking", "bounded", "latency"}

// A Directive is one comment, understood.
type Directive struct {
	Verb   Verb
	Names  []string // Ignore: "holdacross" or "holdacross/lock-blocking"
	Kind   string   // Blocking: the kind, "" for any
	Line   int      // Explain
	Reason string
	Pos    token.Pos
	End    token.Pos
	Lint   bool // a //lint:ignore concvet/… comment
	Nolint bool // a //nolint:concvet comment

	file   string // physical
	first  int    // lines it speaks of
	last   int
	UsedBy int // findings and effects it suppressed
}

// A Problem is a comment that looks like a directive and is none.
type Problem struct {
	Pos, End token.Pos
	Message  string
}

// Set is all directives of a package.
type Set struct {
	Problems []Problem
	All      []*Directive
	fset     *token.FileSet
	byFile   map[string][]*Directive
	nolint   []*Directive
	funcs    map[*ast.FuncDecl][]*Directive
}

// Names are the analyzers and categories that a directive may name; set once by
// the suite. While it is empty every name is accepted.
var Names []string

// known reports whether name is an analyzer or category, and if not, which one
// was most likely meant.
func known(name string) (ok bool, hint string) {
	if len(Names) == 0 || slices.Contains(Names, name) {
		return true, ""
	}
	return false, nearest.Hint(name, Names)
}

// Analyzer gives the [*Set] of the package.
var Analyzer = &analysis.Analyzer{
	Name:       "concvetdirectives",
	Doc:        "read the //concvet: comments",
	Run:        run,
	ResultType: reflect.TypeFor[*Set](),
}

func run(pass *analysis.Pass) (any, error) {
	s := &Set{fset: pass.Fset, byFile: make(map[string][]*Directive), funcs: make(map[*ast.FuncDecl][]*Directive)}
	for _, f := range pass.Files {
		s.addFile(f)
	}
	var lintFiles []*ast.File // parsing them costs a comment map each, and few have one
	for _, f := range pass.Files {
		if mentionsLint(f) {
			lintFiles = append(lintFiles, f)
		}
	}
	for _, d := range lint.ParseDirectives(lintFiles, pass.Fset) {
		s.addLint(d)
	}
	return s, nil
}

func mentionsLint(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//lint:") && strings.Contains(c.Text, "concvet/") {
				return true
			}
		}
	}
	return false
}

const prefix = "//concvet:"

func (s *Set) addFile(f *ast.File) {
	var scopes []ast.Node // found lazily: most files have no directive
	for _, group := range f.Comments {
		for i, c := range group.List {
			d, err := parseNolint(c.Text), almost(c.Text, i == 0)
			if d == nil && err == nil {
				if !strings.HasPrefix(c.Text, prefix) {
					continue
				}
				d, err = Parse(c.Text)
			}
			if err != nil {
				s.Problems = append(s.Problems, Problem{c.Pos(), c.End(), err.Error()})
				continue
			}
			if scopes == nil {
				scopes = nodesOf(f)
			}
			d.Pos, d.End = c.Pos(), c.End()
			s.place(d, group, scopes)
		}
	}
}

// Parse reads one comment that starts with //concvet:.
func Parse(text string) (*Directive, error) {
	rest := strings.TrimPrefix(text, prefix)
	verb, args, _ := strings.Cut(rest, " ")
	if i := strings.IndexByte(verb, '\t'); i >= 0 {
		verb, args = verb[:i], verb[i+1:]+" "+args
	}
	args = strings.TrimSpace(args)
	d := &Directive{Verb: Verb(verb)}
	switch d.Verb {
	case Ignore:
		names, reason, _ := strings.Cut(args, " ")
		d.Reason = strings.TrimSpace(reason)
		if names == "" {
			return nil, fmt.Errorf("//concvet:ignore names no analyzer; write //concvet:ignore ANALYZER[/CATEGORY] reason")
		}
		for name := range strings.SplitSeq(names, ",") {
			if name == "" {
				return nil, fmt.Errorf("//concvet:ignore has an empty name; write names with a comma and no space between them")
			}
			if ok, hint := known(name); !ok {
				return nil, fmt.Errorf("//concvet:ignore names %q, which is no analyzer or category%s", name, hint)
			}
			d.Names = append(d.Names, name)
		}
		if d.Reason == "" {
			return nil, fmt.Errorf("//concvet:ignore %s has no reason; say after the name why this is right", names)
		}
	case Blocking:
		kind, reason, _ := strings.Cut(args, " ")
		if _, ok := effect.ParseKind(kind); kind != "" && !ok {
			return nil, fmt.Errorf("//concvet:blocking names the kind %q, which there is not%s", clip(kind), nearest.Hint(kind, effect.Kinds()))
		}
		d.Kind, d.Reason = kind, strings.TrimSpace(reason)
	case Nonblocking, Bounded:
		d.Reason = args
		if args == "" {
			return nil, fmt.Errorf("//concvet:%s has no reason; say why it is so", verb)
		}
	case Latency:
		d.Reason = args
	case Explain:
		line, err := strconv.Atoi(args)
		if err != nil || line < 1 {
			return nil, fmt.Errorf("//concvet:explain is not for source code; run concvet explain FILE:LINE")
		}
		d.Line = line
	default:
		return nil, fmt.Errorf("unknown directive //concvet:%s; there are: %s", clip(verb), strings.Join(verbs, ", "))
	}
	return d, nil
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

// addLint takes over //lint:ignore concvet/ANALYZER reason, the spelling of
// staticcheck. Directives for other tools are none of our business.
func (s *Set) addLint(d lint.Directive) {
	if d.Command != "ignore" && d.Command != "file-ignore" || len(d.Arguments) < 1 {
		return
	}
	out := &Directive{Verb: Ignore, Lint: true, Pos: d.Directive.Pos(), End: d.Directive.End()}
	for name := range strings.SplitSeq(d.Arguments[0], ",") {
		if own, ok := strings.CutPrefix(name, "concvet/"); ok {
			if ok, hint := known(own); !ok {
				s.Problems = append(s.Problems, Problem{out.Pos, out.End, fmt.Sprintf("//lint:ignore names %q, which is no analyzer or category%s", name, hint)})
				return
			}
			out.Names = append(out.Names, own)
		}
	}
	if len(out.Names) == 0 {
		return
	}
	if len(d.Arguments) < 2 {
		s.Problems = append(s.Problems, Problem{out.Pos, out.End, "//lint:ignore has no reason; say after the name why this is right"})
		return
	}
	out.Reason = strings.Join(d.Arguments[1:], " ")
	pos := s.fset.PositionFor(d.Node.Pos(), false)
	out.file = pos.Filename
	out.first, out.last = pos.Line, s.fset.PositionFor(d.Node.End(), false).Line
	if d.Command == "file-ignore" {
		out.first, out.last = 1, 1<<30
	} else if stmt, ok := d.Node.(ast.Stmt); ok {
		out.last = lastLine(s.fset, stmt)
	}
	s.add(out)
}

func (s *Set) add(d *Directive) {
	if d.Nolint {
		s.nolint = append(s.nolint, d)
		return
	}
	s.All = append(s.All, d)
	s.byFile[d.file] = append(s.byFile[d.file], d)
}

// nodesOf lists the declarations and statements of a file in source order.
func nodesOf(f *ast.File) []ast.Node {
	var out []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case ast.Stmt, ast.Decl, ast.Spec, *ast.Field:
			if _, ok := n.(*ast.BlockStmt); !ok {
				out = append(out, n)
			}
		}
		return true
	})
	return out
}

// place finds what a directive speaks of: the statement or declaration on its
// own line, or else the one that starts on the next line that has one.
func (s *Set) place(d *Directive, group *ast.CommentGroup, nodes []ast.Node) {
	pos := s.fset.PositionFor(d.Pos, false)
	next := s.fset.PositionFor(group.End(), false).Line + 1 // directives may stand above each other
	d.file, d.first, d.last = pos.Filename, pos.Line, pos.Line
	var best ast.Node
	for _, n := range nodes {
		first := s.fset.PositionFor(n.Pos(), false).Line
		if decl, ok := n.(*ast.FuncDecl); ok && decl.Doc != nil && decl.Doc.Pos() <= d.Pos && d.Pos < decl.Doc.End() {
			best = n
			break
		}
		if gen, ok := n.(*ast.GenDecl); ok && gen.Doc != nil && gen.Doc.Pos() <= d.Pos && d.Pos < gen.Doc.End() {
			best = n
			break
		}
		if first == pos.Line && n.Pos() < d.Pos {
			best = n // code before the comment on its line
			break
		}
		if last := s.fset.PositionFor(n.End(), false).Line; last == pos.Line && n.End() <= d.Pos && simple(n) {
			best = n // the last line of a statement of several lines
			break
		}
		if first == next && best == nil {
			best = n // the outermost that starts there comes first
		}
	}
	if best != nil {
		d.first = min(d.first, s.fset.PositionFor(best.Pos(), false).Line)
		d.last = s.fset.PositionFor(best.End(), false).Line
		if decl, ok := best.(*ast.FuncDecl); ok {
			s.funcs[decl] = append(s.funcs[decl], d)
		} else if stmt, ok := best.(ast.Stmt); ok {
			d.last = lastLine(s.fset, stmt)
		}
	}
	s.add(d)
}

func simple(n ast.Node) bool {
	switch n.(type) {
	case *ast.ExprStmt, *ast.AssignStmt, *ast.SendStmt, *ast.ReturnStmt, *ast.DeferStmt, *ast.GoStmt:
		return true
	}
	return false
}

// lastLine is the last line of a statement, or, for one that contains others,
// of its head: a comment before a loop does not speak of all that is in it.
func lastLine(fset *token.FileSet, stmt ast.Stmt) int {
	end := stmt.End()
	switch s := stmt.(type) {
	case *ast.ForStmt:
		end = s.Body.Lbrace
	case *ast.RangeStmt:
		end = s.Body.Lbrace
	case *ast.IfStmt:
		end = s.Body.Lbrace
	case *ast.SwitchStmt:
		end = s.Body.Lbrace
	case *ast.TypeSwitchStmt:
		end = s.Body.Lbrace
	case *ast.SelectStmt:
		end = s.Body.Lbrace
	}
	return fset.PositionFor(end, false).Line
}

// Ignored returns the directive that suppresses category at pos, if any.
// The category is "analyzer/slug"; "" asks for any analyzer, as an effect does
// that callers shall not see.
func (s *Set) Ignored(category string, pos token.Pos) *Directive {
	if len(s.byFile) == 0 {
		return nil
	}
	p := s.fset.PositionFor(pos, false)
	for _, d := range s.byFile[p.Filename] {
		if d.Verb != Ignore || p.Line < d.first || p.Line > d.last {
			continue
		}
		for _, name := range d.Names {
			if category == "" || name == category || strings.HasPrefix(category, name+"/") {
				return d
			}
		}
	}
	return nil
}

// OnFunc returns the directive with verb on the declaration, if any.
func (s *Set) OnFunc(decl *ast.FuncDecl, verb Verb) *Directive {
	for _, d := range s.funcs[decl] {
		if d.Verb == verb {
			return d
		}
	}
	return nil
}

// OnLine returns the directive with verb that speaks of pos.
func (s *Set) OnLine(pos token.Pos, verb Verb) *Directive {
	if len(s.byFile) == 0 {
		return nil
	}
	p := s.fset.PositionFor(pos, false)
	for _, d := range s.byFile[p.Filename] {
		if d.Verb == verb && p.Line >= d.first && p.Line <= d.last {
			return d
		}
	}
	return nil
}
