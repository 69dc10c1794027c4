package holdacross

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
)

// peers says for every channel and wait group in a struct field which functions
// of the package can end a wait on it.
type peers struct {
	receive, send, done map[string][]*ssa.Function
}

// ending lists the functions that can end a wait.
func (p *peers) ending(e effect.Effect) []*ssa.Function {
	switch {
	case sends(e):
		return p.receive[e.Field]
	case e.Kind == effect.GroupWait:
		return p.done[e.Field]
	}
	return p.send[e.Field]
}

// sends reports whether the wait is for somebody who receives.
func sends(e effect.Effect) bool {
	return e.Kind == effect.ChanSend || e.Kind == effect.Select && e.API == "select send"
}

func (c *checker) collectPeers() *peers {
	if c.ends != nil {
		return c.ends
	}
	p := &peers{make(map[string][]*ssa.Function), make(map[string][]*ssa.Function), make(map[string][]*ssa.Function)}
	c.ends = p
	for _, fn := range c.res.Funcs() {
		if c.res.InTest(fn) {
			continue
		}
		noteFor := func(m map[string][]*ssa.Function, v ssa.Value, by *ssa.Function) {
			key := c.res.Field(c.res.Path(v))
			if list := m[key]; key != "" && (len(list) == 0 || list[len(list)-1] != by) {
				m[key] = append(list, by)
			}
		}
		note := func(m map[string][]*ssa.Function, v ssa.Value) { noteFor(m, v, fn) }
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch x := instr.(type) {
				case *ssa.UnOp:
					if x.Op == token.ARROW {
						note(p.receive, x.X)
					}
				case *ssa.Send:
					note(p.send, x.Chan)
				case *ssa.Select:
					for _, st := range x.States {
						if st.Dir == types.RecvOnly {
							note(p.receive, st.Chan)
						} else {
							note(p.send, st.Chan)
						}
					}
				case ssa.CallInstruction:
					common := x.Common()
					if b, ok := common.Value.(*ssa.Builtin); ok {
						if b.Name() == "close" && len(common.Args) == 1 {
							note(p.send, common.Args[0])
						}
						continue
					}
					if callee := common.StaticCallee(); callee != nil && len(common.Args) > 0 {
						switch callee.Name() {
						case "Done":
							note(p.done, common.Args[0])
						case "Go":
							if g := c.res.FuncOf(common.Args[len(common.Args)-1]); g != nil {
								noteFor(p.done, common.Args[0], g)
							}
						}
					}
				}
			}
		}
	}
	return p
}
