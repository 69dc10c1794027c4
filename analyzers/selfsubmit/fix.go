package selfsubmit

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/fix"
	"github.com/concvet/concvet/internal/pool"
)

// fixes offers what removes a finding. What is not understood is left to the
// reader: a call whose result is used, a value that is computed on the way.
func (c *checker) fixes(y *pool.Cycle, place ssa.Instruction, pos token.Pos) (out []analysis.SuggestedFix, unsafe map[string]string) {
	defer func() {
		if recover() != nil {
			out, unsafe = nil, nil // the finding is worth more than a fix of it
		}
	}()
	file, err := fix.Open(c.pass, pos)
	if err != nil {
		return nil, nil
	}
	unsafe = make(map[string]string)
	for _, try := range []func(*remedy) bool{(*remedy).first, (*remedy).ownGroup, (*remedy).workpool} {
		r := &remedy{c: c, y: y, file: file, place: place}
		if !r.locate(pos) || !file.OwnLines(r.stmt) {
			return nil, nil
		}
		if !try(r) {
			continue
		}
		edits, ok := file.Clean(r.edits)
		if !ok {
			continue
		}
		out = append(out, analysis.SuggestedFix{Message: r.title, TextEdits: edits})
		if r.change != "" {
			unsafe[r.title] = r.change
		}
	}
	return out, unsafe
}

// first is the fix that changes least.
func (r *remedy) first() bool {
	switch {
	case r.y.End:
		return r.closeElsewhere()
	case r.y.Op.Verb == pool.Submit && r.place == r.y.Op.Instr:
		return r.tryFirst()
	case r.y.Op.Verb == pool.Send && r.place == r.y.Op.Instr:
		return r.wakeUp() || r.runHere()
	}
	return false
}

// remedy is the work on one fix.
type remedy struct {
	c     *checker
	y     *pool.Cycle
	file  *fix.File
	place ssa.Instruction

	stmt  ast.Stmt      // the statement that the finding is about
	call  *ast.CallExpr // if it is a call
	fn    ast.Node      // the function or literal around it
	loop  bool          // it stands in a loop of that function
	task  bool          // that function is a literal which is handed to something
	scope *types.Scope

	title  string
	change string // what else it changes
	edits  []analysis.TextEdit
}

// locate finds the statement at pos: a call or a send that stands for itself.
func (r *remedy) locate(pos token.Pos) bool {
	var stack []ast.Node
	ast.Inspect(r.file.Syntax, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.ExprStmt:
			if call, ok := ast.Unparen(n.X).(*ast.CallExpr); ok && (call.Lparen == pos || call.Pos() == pos) {
				r.stmt, r.call = n, call
				r.around(stack)
			}
		case *ast.SendStmt:
			if n.Arrow == pos || n.Pos() == pos {
				r.stmt = n
				r.around(stack)
			}
		}
		return true
	})
	return r.stmt != nil && r.fn != nil
}

// around notes the function around the statement, and whether it stands in a
// loop of it.
func (r *remedy) around(stack []ast.Node) {
	r.fn, r.loop, r.task, r.scope = nil, false, false, nil
	scopes := r.c.pass.TypesInfo.Scopes
	if len(stack) < 2 || !inList(stack[len(stack)-2]) {
		r.stmt = nil // the post statement of a loop, the send of a select
		return
	}
	for i := len(stack) - 1; i >= 0; i-- {
		if r.scope == nil {
			r.scope = scopes[stack[i]]
		}
		switch n := stack[i].(type) {
		case *ast.FuncLit:
			if r.fn = n; r.scope == nil {
				r.scope = scopes[n.Type]
			}
			if i > 0 {
				_, r.task = stack[i-1].(*ast.CallExpr)
			}
			return
		case *ast.FuncDecl:
			if r.fn = n; r.scope == nil {
				r.scope = scopes[n.Type]
			}
			return
		case *ast.ForStmt, *ast.RangeStmt:
			r.loop = true
		}
	}
}

// inList reports whether the children of a node are a list of statements.
func inList(n ast.Node) bool {
	switch n.(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return true
	case *ast.CommClause:
		return true
	}
	return false
}

// tryFirst hands the task over only if that does not wait, and runs it here
// otherwise: g.TryGo for g.Go, p.TrySubmit for p.Submit.
func (r *remedy) tryFirst() bool {
	if r.call == nil || len(r.call.Args) != 1 || r.call.Ellipsis.IsValid() {
		return false
	}
	sel, ok := ast.Unparen(r.call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	name := "Try" + sel.Sel.Name
	task, ok := r.hasTry(sel, name)
	if !ok {
		return false
	}
	arg := r.call.Args[0]
	variable := r.free("task", "work", "run")
	id, isName := ast.Unparen(arg).(*ast.Ident)
	if isName {
		variable = id.Name
	}
	if variable == "" {
		return false
	}
	var inline string
	switch {
	case task.Results().Len() == 0:
		inline = variable + "()"
	case r.returnsError():
		failed := r.free("err")
		if failed == "" {
			failed = "err" // a new one hides the one outside
		}
		inline = "if " + failed + " := " + variable + "(); " + failed + " != nil {\nreturn " + failed + "\n}"
		if r.loop || !r.last() {
			r.change = "a task that is run here and fails ends this one, too"
		}
	default:
		return false
	}
	head, cond := "if ", "!"+r.file.Text(sel.X)+"."+name+"("+variable+")"
	if isName {
		head += cond
	} else if r.file.Line(arg.Pos()) == r.file.Line(arg.End()) {
		head = "if " + variable + " := " + r.file.Text(arg) + "; " + cond
	} else {
		if r.scope != nil && r.scope.Lookup(variable) != nil {
			return false
		}
		head = variable + " := " + r.file.Text(arg) + "\nif " + cond
	}
	r.edits = []analysis.TextEdit{r.file.Replace(r.stmt, head+" {\n"+inline+"\n}")}
	r.title = "run the task here when there is no room (" + name + ")"
	return true
}

// hasTry reports whether the type of a method's receiver has a twin of the
// method that takes the same and tells by a bool whether it took it, and returns
// the signature of the task.
func (r *remedy) hasTry(sel *ast.SelectorExpr, name string) (*types.Signature, bool) {
	info := r.c.pass.TypesInfo
	fn, ok := info.Uses[sel.Sel].(*types.Func)
	if !ok {
		return nil, false
	}
	t := info.TypeOf(sel.X)
	if t == nil {
		return nil, false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, fn.Pkg(), name)
	try, ok := obj.(*types.Func)
	if !ok {
		return nil, false
	}
	a, b := fn.Signature(), try.Signature()
	if !types.Identical(a.Params(), b.Params()) || b.Results().Len() != 1 || !types.Identical(b.Results().At(0).Type(), types.Typ[types.Bool]) {
		return nil, false
	}
	task, ok := types.Unalias(a.Params().At(0).Type()).Underlying().(*types.Signature)
	return task, ok && task.Params().Len() == 0
}

// free returns the first of some names that means nothing where the statement
// stands.
func (r *remedy) free(names ...string) string {
	for _, name := range names {
		if r.scope == nil {
			return ""
		}
		if _, obj := r.scope.LookupParent(name, r.stmt.Pos()); obj == nil {
			return name
		}
	}
	return ""
}

// returnsError reports whether the function around the statement returns an
// error and nothing else, by no name.
func (r *remedy) returnsError() bool {
	var typ *ast.FuncType
	switch fn := r.fn.(type) {
	case *ast.FuncLit:
		typ = fn.Type
	case *ast.FuncDecl:
		typ = fn.Type
	}
	if typ == nil || typ.Results == nil || len(typ.Results.List) != 1 || len(typ.Results.List[0].Names) != 0 {
		return false
	}
	t := r.c.pass.TypesInfo.TypeOf(typ.Results.List[0].Type)
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// last reports whether nothing but a return of nil follows the statement in its
// function.
func (r *remedy) last() bool {
	var body *ast.BlockStmt
	switch fn := r.fn.(type) {
	case *ast.FuncLit:
		body = fn.Body
	case *ast.FuncDecl:
		body = fn.Body
	}
	list := body.List
	for i, s := range list {
		if s.Pos() > r.stmt.Pos() || s.End() < r.stmt.End() {
			continue
		}
		rest := list[i+1:]
		if len(rest) == 0 {
			return true
		}
		ret, ok := rest[0].(*ast.ReturnStmt)
		if !ok || len(ret.Results) != 1 {
			return false
		}
		id, ok := ast.Unparen(ret.Results[0]).(*ast.Ident)
		return ok && id.Name == "nil"
	}
	return false
}

// closeElsewhere lets another goroutine wait for the end of this one.
func (r *remedy) closeElsewhere() bool {
	if r.call == nil {
		return false
	}
	if _, deferred := r.place.(*ssa.Defer); deferred {
		return false
	}
	if t := r.c.pass.TypesInfo.TypeOf(r.call); t != nil {
		if tuple, ok := t.(*types.Tuple); !ok || tuple.Len() > 0 {
			return false // its result is dropped already, but may be meant to be looked at
		}
	}
	r.edits = []analysis.TextEdit{r.file.Replace(r.stmt, "go "+r.file.Text(r.stmt))}
	r.title = "wait in another goroutine"
	r.change = "what follows runs before the end"
	return true
}

// wakeUp gives up a wake-up where one is pending already.
func (r *remedy) wakeUp() bool {
	send, ok := r.stmt.(*ast.SendStmt)
	if !ok {
		return false
	}
	t := r.c.pass.TypesInfo.TypeOf(send.Chan)
	if t == nil {
		return false
	}
	ch, ok := types.Unalias(t).Underlying().(*types.Chan)
	if !ok {
		return false
	}
	if !emptyStruct(ch.Elem()) && !r.onlyTrue(send.Value) {
		return false
	}
	if n, known := r.c.model.Room(r.y.Task); !known || n == 0 {
		return false // without room a wake-up is lost while nobody listens
	}
	r.edits = []analysis.TextEdit{r.file.Replace(r.stmt, "select {\ncase "+r.file.Text(send)+":\ndefault:\n}")}
	r.title = "leave out the wake-up where one is pending"
	r.change = "fewer values are sent than before"
	return true
}
