package holdacross

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// calm packages have functions that do not panic, as they are commonly called.
var calm = map[string]bool{
	"time": true, "strings": true, "bytes": true, "fmt": true, "errors": true, "strconv": true, "math": true, "sync/atomic": true,
	"slices": true, "maps": true, "sort": true, "unicode": true, "path": true, "path/filepath": true, "log": true, "log/slog": true,
}

// panics names the first expression that may panic in statements which a
// deferred unlock protects, "" if there is none. That a map is made and that a
// struct is there is taken for granted: without it nothing works.
func (g *guard) panics(stmts []ast.Stmt) string {
	var found ast.Expr
	for _, s := range stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			if found != nil {
				return false
			}
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				if g.mayPanic(n) {
					found = n
				}
			case *ast.IndexExpr:
				if t := g.info.TypeOf(n.X); t != nil {
					switch types.Unalias(t).Underlying().(type) {
					case *types.Map, *types.Signature:
					default:
						found = n
					}
				}
			case *ast.SliceExpr:
				found = n
			case *ast.TypeAssertExpr:
				if _, comma := g.info.TypeOf(n).(*types.Tuple); !comma && n.Type != nil {
					found = n
				}
			case *ast.BinaryExpr:
				if (n.Op == token.QUO || n.Op == token.REM) && g.info.Types[n.Y].Value == nil && isInteger(g.info.TypeOf(n.Y)) {
					found = n
				}
			}
			return true
		})
	}
	if found == nil {
		return ""
	}
	if call, ok := found.(*ast.CallExpr); ok {
		return types.ExprString(call.Fun)
	}
	return types.ExprString(found)
}

func (g *guard) mayPanic(call *ast.CallExpr) bool {
	if tv, ok := g.info.Types[call.Fun]; ok && tv.IsType() {
		return false
	}
	switch fn := typeutil.Callee(g.info, call).(type) {
	case *types.Builtin:
		return fn.Name() == "panic" || fn.Name() == "close"
	case *types.Func:
		return fn.Pkg() == nil || !calm[fn.Pkg().Path()] || strings.HasPrefix(fn.Name(), "Must")
	}
	return true
}

func isInteger(t types.Type) bool {
	b, ok := types.Unalias(t).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}
