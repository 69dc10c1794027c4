package summary

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/knowledge"
)

// Commands lists the functions and literals of the package that the program runs
// once, as one command of its command line.
func (r *Result) Commands() []*ssa.Function {
	in := r.in
	var out []*ssa.Function
	lits := make(map[ast.Node]*ssa.Function)
	for _, fn := range in.funcs {
		if lit, ok := fn.Syntax().(*ast.FuncLit); ok {
			lits[lit] = fn
		}
		if runsCommand(fn) {
			out = append(out, fn)
		}
	}
	var add func(e ast.Expr)
	add = func(e ast.Expr) {
		var id *ast.Ident
		switch e := ast.Unparen(e).(type) {
		case *ast.CallExpr: // decorated
			for _, a := range e.Args {
				add(a)
			}
			return
		case *ast.FuncLit:
			if fn := lits[e]; fn != nil {
				out = append(out, fn)
			}
			return
		case *ast.Ident:
			id = e
		case *ast.SelectorExpr:
			id = e.Sel
		default:
			return
		}
		if fn, ok := in.pass.TypesInfo.Uses[id].(*types.Func); ok && fn.Pkg() == in.pass.Pkg && in.pkg != nil {
			if f := in.pkg.SSA.Prog.FuncValue(fn); f != nil {
				out = append(out, f)
			}
		}
	}
	once := make(map[types.Type][]string)
	for _, f := range in.pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			t := in.pass.TypesInfo.TypeOf(lit)
			if t == nil {
				return true
			}
			fields, known := once[t]
			if !known {
				if fields = table().Once(t); len(fields) == 0 && isCommand(t) {
					fields = funcFields(t)
				}
				once[t] = fields
			}
			for _, elt := range lit.Elts {
				kv, ok := elt.(*ast.KeyValueExpr)
				if !ok {
					continue
				}
				if key, ok := kv.Key.(*ast.Ident); ok {
					for _, name := range fields {
						if name == key.Name {
							add(kv.Value)
						}
					}
				}
			}
			return true
		})
	}
	return out
}

// overSQL are database/sql, and libraries over it.
var overSQL = []string{"database/sql.", "github.com/jmoiron/sqlx.", "github.com/uptrace/bun.", "gorm.io/gorm."}

// OnFile reports whether the database that an effect works on is a file, as far
// as the imports of the package, or of the one that does the work, show:
// importers see a package's imports only as far as it mentions them.
func (r *Result) OnFile(e effect.Effect) bool {
	return e.OnFile || isOverSQL(e.API) && r.LocalDatabase()
}

// LocalDatabase reports whether the database of the package is a file, as far as
// its imports show.
func (r *Result) LocalDatabase() bool { return r.in.hasLocalDatabase() }

// AnyDatabase reports whether an effect works on a database by a library for files
// and servers alike, and no import shows that it is a server: the program that
// opens it decides, and gives it to this package.
func (r *Result) AnyDatabase(e effect.Effect) bool {
	return e.Kind == effect.DB && strings.Contains(e.API, "gorm.io/gorm.") && !r.in.databases().server
}

func isOverSQL(api string) bool {
	return slices.ContainsFunc(overSQL, func(path string) bool { return strings.Contains(api, path) })
}

func (in *inference) hasLocalDatabase() bool { return in.databases().file && !in.databases().server }

// databases are the kinds of databases that the package uses.
type databases struct{ file, server bool }

func (in *inference) databases() databases {
	if in.uses == nil {
		in.uses = &databases{}
		in.uses.file, in.uses.server = knowledge.Databases(in.pass.Pkg)
	}
	return *in.uses
}
