// Package noreturn knows which functions never return: os.Exit, log.Fatal and
// everything that ends in one of them.
//
// The analysis is that of golang.org/x/tools/go/analysis/passes/ctrlflow. Run on
// whole packages it builds a control-flow graph of every function and walks
// every file once more, which on a large package is a tenth of the time and a
// third of the memory of an analysis. Here it is shown only the functions that
// may come to an end, which are few.
package noreturn

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// Analyzer gives a [*Set].
var Analyzer = &analysis.Analyzer{
	Name:       "concvetnoreturn",
	Doc:        "find the functions that never return",
	Run:        run,
	FactTypes:  []analysis.Fact{new(NeverReturns)},
	ResultType: reflect.TypeFor[*Set](),
}

// NeverReturns is the fact of a function that never returns. It is a type of
// its own since two analyzers of one program must not share a fact type, and
// other linters run beside this one bring ctrlflow's.
type NeverReturns struct{}

// AFact implements [analysis.Fact].
func (*NeverReturns) AFact() {}

func (*NeverReturns) String() string { return "neverReturns" }

// A Set answers for the functions that a package declares or refers to.
type Set struct {
	pass *analysis.Pass
	memo map[*types.Func]bool
}

// Has reports whether fn never returns. It is not safe for concurrent use.
func (s *Set) Has(fn *types.Func) bool {
	fn = fn.Origin()
	never, ok := s.memo[fn]
	if !ok {
		never = s.pass.ImportObjectFact(fn, new(NeverReturns))
		s.memo[fn] = never
	}
	return never
}

func run(pass *analysis.Pass) (any, error) {
	set := &Set{pass: pass, memo: make(map[*types.Func]bool)}
	c := &candidates{set: set, decls: make(map[*types.Func]*ast.FuncDecl), known: make(map[*types.Func]bool)}
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			if decl, ok := d.(*ast.FuncDecl); ok {
				if fn, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func); ok {
					c.decls[fn] = decl
				}
			}
		}
	}
	var files []*ast.File
	for _, f := range pass.Files {
		few := *f
		few.Decls = slices.DeleteFunc(slices.Clone(f.Decls), func(d ast.Decl) bool {
			decl, ok := d.(*ast.FuncDecl)
			if !ok {
				return true
			}
			fn, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func)
			return !ok || !c.mayStop(fn)
		})
		if len(few.Decls) > 0 {
			files = append(files, &few)
		}
	}
	if len(files) == 0 {
		return set, nil
	}
	narrow := *pass
	narrow.Analyzer = ctrlflow.Analyzer
	narrow.Files = files
	narrow.ResultOf = map[*analysis.Analyzer]any{inspect.Analyzer: inspector.New(files)}
	narrow.ExportObjectFact = func(obj types.Object, _ analysis.Fact) {
		pass.ExportObjectFact(obj, new(NeverReturns))
	}
	narrow.ImportObjectFact = func(obj types.Object, _ analysis.Fact) bool {
		return pass.ImportObjectFact(obj, new(NeverReturns))
	}
	if _, err := ctrlflow.Analyzer.Run(&narrow); err != nil {
		return nil, fmt.Errorf("%s: %v", ctrlflow.Analyzer.Name, err)
	}
	clear(set.memo) // what was asked before the package's own facts
	return set, nil
}

// candidates finds the functions that may never return. It errs on the side of
// yes: a function that it leaves out returns.
type candidates struct {
	set   *Set
	decls map[*types.Func]*ast.FuncDecl
	known map[*types.Func]bool
}

// mayStop reports whether fn, of this package, may never return.
func (c *candidates) mayStop(fn *types.Func) bool {
	may, ok := c.known[fn]
	if ok {
		return may
	}
	c.known[fn] = true // in a recursion
	decl := c.decls[fn]
	may = stopsByName(fn.Name()) || decl != nil && decl.Body != nil && c.anyStops(decl.Body.List)
	c.known[fn] = may
	return may
}

// stopsByName reports whether ctrlflow may know a function by its name alone,
// as it does those of some packages for logging, whatever its body looks like.
func stopsByName(name string) bool {
	name = strings.ToLower(name)
	for _, prefix := range []string{"exit", "fatal", "panic", "goexit"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func (c *candidates) anyStops(list []ast.Stmt) bool {
	return slices.ContainsFunc(list, c.stops)
}

// stops reports whether control may never get past a statement.
func (c *candidates) stops(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		return ok && c.callStops(call)
	case *ast.BlockStmt:
		return c.anyStops(s.List)
	case *ast.LabeledStmt:
		return c.stops(s.Stmt)
	case *ast.BranchStmt:
		return s.Tok == token.GOTO
	case *ast.IfStmt:
		return s.Else != nil && c.anyStops(s.Body.List) && c.stops(s.Else)
	case *ast.ForStmt:
		return s.Cond == nil
	case *ast.SelectStmt:
		return c.allStop(s.Body.List)
	case *ast.SwitchStmt:
		return c.allStop(s.Body.List)
	case *ast.TypeSwitchStmt:
		return c.allStop(s.Body.List)
	}
	return false
}

// allStop reports whether no clause may be got past. One that falls through
// goes on in the next.
func (c *candidates) allStop(clauses []ast.Stmt) bool {
	for _, s := range clauses {
		var body []ast.Stmt
		switch s := s.(type) {
		case *ast.CaseClause:
			body = s.Body
		case *ast.CommClause:
			body = s.Body
		}
		if n := len(body); n > 0 {
			if last, ok := body[n-1].(*ast.BranchStmt); ok && last.Tok == token.FALLTHROUGH {
				continue
			}
		}
		if !c.anyStops(body) {
			return false
		}
	}
	return true
}

func (c *candidates) callStops(call *ast.CallExpr) bool {
	info := c.set.pass.TypesInfo
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := info.Uses[id].(*types.Builtin); ok {
			return b.Name() == "panic"
		}
	}
	fn := typeutil.StaticCallee(info, call)
	if fn == nil {
		return false
	}
	fn = fn.Origin()
	if c.decls[fn] != nil {
		return c.mayStop(fn)
	}
	return c.set.Has(fn)
}
