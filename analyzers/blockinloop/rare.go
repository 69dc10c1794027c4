package blockinloop

import (
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// seldom is how much time lies between two events that make others late so rarely
// that nobody changes it.
const seldom = 10 * time.Minute

// dials reports whether an effect is one attempt to connect that is soon given up.
func dials(e effect.Effect) bool {
	return e.Kind == effect.Net && e.Bound.Kind == effect.ConstBound && !e.Repeats && e.Bound.Dur <= time.Second &&
		strings.HasPrefix(e.API[strings.LastIndexByte(e.API, '.')+1:], "Dial")
}

// ofRequest reports whether a function answers one request, or serves one
// connection, or is a literal of one that does: its loop has one client.
func ofRequest(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool {
			return ir.IsNamed(p.Type(), "net/http", "ResponseWriter") || ir.IsConn(p.Type())
		}) {
			return true
		}
	}
	return false
}

// exits reports whether the process ends right after an instruction: nothing is
// late for it.
func exits(instr ssa.Instruction) bool {
	after := false
	for _, x := range instr.Block().Instrs {
		if x == instr {
			after = true
			continue
		}
		call, ok := x.(*ssa.Call)
		if !after || !ok {
			continue
		}
		f := call.Call.StaticCallee()
		if f == nil || f.Pkg == nil {
			continue
		}
		switch f.Pkg.Pkg.Path() + "." + f.Name() {
		case "os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "syscall.Exit":
			return true
		}
	}
	return false
}

// tiny reports whether a sleep is a number of microseconds or less: to let others
// run, or to gather a batch.
func tiny(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok || len(call.Call.Args) != 1 {
		return false
	}
	op, ok := call.Call.Args[0].(*ssa.BinOp)
	if !ok {
		return false
	}
	for _, v := range []ssa.Value{op.X, op.Y} {
		if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Int64() <= int64(time.Microsecond) {
			return true
		}
	}
	return false
}
