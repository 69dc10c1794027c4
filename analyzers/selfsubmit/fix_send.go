package selfsubmit

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// runHere runs a function where the channel has no room for it, in place of
// waiting for the goroutine that would run it: this one.
func (r *remedy) runHere() bool {
	send, ok := r.stmt.(*ast.SendStmt)
	if !ok || r.y.Back != nil {
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
	sig, ok := types.Unalias(ch.Elem()).Underlying().(*types.Signature)
	if !ok || sig.Params().Len() > 0 || sig.Results().Len() > 0 {
		return false
	}
	name, head := "", ""
	switch value := ast.Unparen(send.Value).(type) {
	case *ast.Ident:
		name = value.Name
	case *ast.FuncLit:
		if name = r.free("task", "work", "run"); name == "" || r.scope.Lookup(name) != nil {
			return false
		}
		head = name + " := " + r.file.Text(value) + "\n"
	default:
		return false
	}
	r.edits = append(r.edits, r.file.Replace(r.stmt, head+"select {\ncase "+r.file.Text(send.Chan)+" <- "+name+":\ndefault:\n"+name+"() // no room: this goroutine would have run it\n}"))
	r.title = "run the function here when there is no room"
	r.change = "it runs before those that are in the channel"
	return true
}

func emptyStruct(t types.Type) bool {
	st, ok := types.Unalias(t).Underlying().(*types.Struct)
	return ok && st.NumFields() == 0
}

// onlyTrue reports whether a value is the constant true, and whoever receives
// from the channel leaves it alone: that something came is all it says.
func (r *remedy) onlyTrue(e ast.Expr) bool {
	tv := r.c.pass.TypesInfo.Types[e]
	if tv.Value == nil || tv.Value.ExactString() != "true" {
		return false
	}
	for _, u := range r.c.model.Uses(r.y.Task.Pool, r.y.Task.In) {
		if u.Escapes {
			return false
		}
		if u.Send || u.Close {
			continue
		}
		v, ok := u.Instr.(ssa.Value)
		if !ok || v.Referrers() == nil {
			return false
		}
		for _, ref := range *v.Referrers() {
			switch ref := ref.(type) {
			case *ssa.DebugRef:
			case *ssa.Extract: // of a select: which case, whether it is open, and what came
				if _, isSelect := v.(*ssa.Select); !isSelect || ref.Index > 1 {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}
