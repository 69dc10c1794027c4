package summary

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// told gives the waits of a call for goroutines a bound where control comes
// there only after they have been told to end: they are as good as gone. That
// does not hold for one that needs something that the waiter has; it is for
// those who ask to find that out.
func (f *function) told(at ssa.Instruction, effects []SiteEffect) {
	for i := range effects {
		e := &effects[i]
		if e.Bound.Kind != effect.Unbounded || e.Kind != effect.GroupWait && e.Kind != effect.ChanRecv {
			continue
		}
		if !f.tells(at, e.On) {
			return
		}
		e.Bound.Kind = effect.ToldBound
	}
}

// tells reports whether somebody is told to end before control comes to at. What
// is waited for is not what tells.
func (f *function) tells(at ssa.Instruction, on effect.Path) bool {
	for instr := range ir.Before(at) {
		if call, ok := instr.(*ssa.Call); ok && f.isTelling(call, on) {
			return true
		}
	}
	return false
}

// tellings are methods by which a goroutine, or a process, is told to end.
var tellings = map[string]bool{"Stop": true, "stop": true, "Cancel": true, "cancel": true, "Shutdown": true, "Quit": true, "Interrupt": true, "Signal": true, "Kill": true, "Terminate": true, "Goaway": true}

func (f *function) isTelling(call *ssa.Call, on effect.Path) bool {
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		return b.Name() == "close" && f.in.paths.Of(common.Args[0]) != on
	}
	if common.IsInvoke() {
		return tellings[common.Method.Name()]
	}
	if fn := common.StaticCallee(); fn != nil {
		obj, ok := fn.Object().(*types.Func)
		return ok && tellings[obj.Name()] && (obj.Pkg() == nil || obj.Pkg().Path() != "time" && obj.Pkg().Path() != "os/signal")
	}
	if named, ok := types.Unalias(common.Value.Type()).(*types.Named); ok && named.Obj().Name() == "CancelFunc" {
		return true
	}
	name := strings.ToLower(f.in.paths.Of(common.Value).Last())
	return common.Signature().Params().Len() == 0 && (strings.Contains(name, "cancel") || strings.Contains(name, "stop"))
}
