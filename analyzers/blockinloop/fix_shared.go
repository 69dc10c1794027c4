package blockinloop

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// A use is what code reads and sets of variables and fields without a lock, in
// the functions of the package that it calls, too.
type use struct {
	r           *remedy
	reads, sets map[*types.Var]bool

	// elements are the maps and slices of which something is set, and kept is
	// what is set of something that is there for longer than a call: of a
	// receiver, or a variable of the package.
	elements, kept map[*types.Var]bool
}

// maxCalled is through how many calls it is followed what code uses.
const maxCalled = 4

// shared reports whether a goroutine with the call would use what the loop uses
// at the same time, and one of them sets it. The operands of a go statement are
// evaluated by the loop, so that only what the callee uses counts for it.
func (r *remedy) shared(operands bool) bool {
	_, outer := r.loops()
	if outer == nil {
		return false
	}
	ours, theirs := r.newUse(), r.newUse()
	theirs.code(outer, nil, 0)
	if operands {
		ours.code(r.stmt, nil, 0)
	} else {
		ours.callee(r.call, 0)
	}
	for v := range ours.sets {
		if theirs.reads[v] || theirs.sets[v] {
			return true
		}
	}
	for v := range ours.reads {
		if theirs.sets[v] {
			return true
		}
	}
	for _, arg := range r.call.Args {
		if v := theirs.variable(arg); v != nil && theirs.elements[v] {
			return true
		}
	}
	return false
}

// overtakes reports whether it matters that calls run side by side: a later one
// changes what an earlier one is to change, at the peer or here.
func (r *remedy) overtakes() bool {
	api := r.v.effect.API
	name := api[strings.LastIndexByte(api, '.')+1:]
	for _, verb := range []string{"Write", "Fprint", "Flush", "Send", "Encode", "Publish", "Exec", "Save", "Create", "Update", "Delete", "Insert", "Put", "Set", "Push", "Post"} {
		if strings.HasPrefix(name, verb) {
			return true
		}
	}
	u := r.newUse()
	u.callee(r.call, 0)
	return len(u.kept) > 0
}

func (r *remedy) newUse() *use {
	return &use{r: r, reads: make(map[*types.Var]bool), sets: make(map[*types.Var]bool), elements: make(map[*types.Var]bool), kept: make(map[*types.Var]bool)}
}

// code adds what a piece of code uses, apart from the statement of the fix. recv
// is the receiver of the function around it.
func (u *use) code(n ast.Node, recv *types.Var, depth int) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, lhs := range n.Lhs {
					u.set(lhs, recv)
				}
			}
		case *ast.IncDecStmt:
			u.set(n.X, recv)
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && len(n.Args) > 0 && (id.Name == "delete" || id.Name == "clear") {
				if _, ok := u.info().Uses[id].(*types.Builtin); ok {
					u.set(&ast.IndexExpr{X: n.Args[0]}, recv)
				}
			}
			if depth > 0 || n != u.r.call {
				u.callee(n, depth)
			}
		case *ast.SelectorExpr, *ast.Ident:
			if v := u.variable(n.(ast.Expr)); v != nil {
				u.reads[v] = true
			}
		}
		return depth > 0 || n != ast.Node(u.r.stmt)
	})
	if depth == 0 && n == ast.Node(u.r.stmt) {
		u.callee(u.r.call, 0)
	}
}

// callee adds what a function of the package uses that is called.
func (u *use) callee(call *ast.CallExpr, depth int) {
	if depth >= maxCalled {
		return
	}
	fn := typeutil.StaticCallee(u.info(), call)
	if fn == nil {
		return
	}
	decl := u.r.c.declared(fn)
	if decl == nil || decl.Body == nil || takesLock(decl.Body) {
		return
	}
	var recv *types.Var
	if decl.Recv != nil && len(decl.Recv.List) == 1 && len(decl.Recv.List[0].Names) == 1 {
		recv, _ = u.info().Defs[decl.Recv.List[0].Names[0]].(*types.Var)
	}
	u.code(decl.Body, recv, depth+1)
}

// set adds what an assignment sets.
func (u *use) set(e ast.Expr, recv *types.Var) {
	e = ast.Unparen(e)
	element := false
	if x, ok := e.(*ast.IndexExpr); ok {
		e, element = ast.Unparen(x.X), true
	}
	v := u.variable(e)
	if v == nil {
		return
	}
	if element {
		u.elements[v] = true
	}
	u.sets[v] = true
	root := u.root(e)
	if root != nil && (root == recv || root.Parent() == u.r.c.pass.Pkg.Scope()) {
		u.kept[v] = true
	}
}

// root is the variable that an expression begins with.
func (u *use) root(e ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.Ident:
			v, _ := u.info().Uses[x].(*types.Var)
			return v
		default:
			return nil
		}
	}
}

// variable is the variable or field that an expression names.
func (u *use) variable(e ast.Expr) *types.Var {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := u.info().Uses[x].(*types.Var)
		return v
	case *ast.SelectorExpr:
		v, _ := u.info().Uses[x.Sel].(*types.Var)
		if v != nil {
			v = v.Origin()
		}
		return v
	}
	return nil
}

func (u *use) info() *types.Info { return u.r.c.pass.TypesInfo }

// takesLock reports whether a function takes a lock: what it uses is guarded.
func takesLock(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && (sel.Sel.Name == "Lock" || sel.Sel.Name == "RLock") {
			found = true
		}
		return !found
	})
	return found
}

// declared is the declaration of a function of the package.
func (c *checker) declared(fn *types.Func) *ast.FuncDecl {
	if c.decls == nil {
		c.decls = make(map[*types.Func]*ast.FuncDecl)
		for _, file := range c.pass.Files {
			for _, d := range file.Decls {
				if decl, ok := d.(*ast.FuncDecl); ok {
					if obj, ok := c.pass.TypesInfo.Defs[decl.Name].(*types.Func); ok {
						c.decls[obj] = decl
					}
				}
			}
		}
	}
	return c.decls[fn.Origin()]
}
