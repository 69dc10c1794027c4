package nodeadline

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/report"
)

// weighExec judges a command by what it runs: one whose whole line is constant
// does the same short thing every time, one that talks to the terminal is
// waited for by a person.
func (c *checker) weighExec(v *verdict) *verdict {
	args := c.arguments(v)
	if len(args) == 0 {
		return nil
	}
	if c.res.Stopped(v.site.Instr, args[0]) {
		return nil
	}
	if strings.HasSuffix(v.effect.API, ".Wait") {
		v.tier = report.Audit // started here, or elsewhere, and left running
	}
	cmd := c.command(args[0])
	if cmd == nil || c.interactive(args[0]) {
		v.tier = report.Audit
		return v
	}
	if constantLine(cmd) || c.forOperators() {
		v.tier = report.Audit
	}
	return v
}

// forOperators reports whether the package serves a command line, by its path:
// somebody waits for it and can interrupt it.
func (c *checker) forOperators() bool {
	for elem := range strings.SplitSeq(c.pass.Pkg.Path(), "/") {
		switch elem {
		case "cli", "tools", "scripts", "hack":
			return true
		}
	}
	return false
}

// command is the call that made a command, here or in a function of the package
// that only makes it; nil if it is not in sight.
func (c *checker) command(v ssa.Value) *ssa.Call {
	for range 4 {
		call, ok := c.res.Root(c.res.Path(v)).(*ssa.Call)
		if !ok {
			return nil
		}
		callee := c.res.Callee(call)
		if callee.Func != nil && callee.Func.Pkg() != nil && callee.Func.Pkg().Path() == "os/exec" {
			return call
		}
		if callee.Body == nil {
			return nil
		}
		for _, b := range callee.Body.Blocks {
			if len(b.Instrs) == 0 {
				continue
			}
			if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && len(ret.Results) > 0 {
				v = ret.Results[0]
			}
		}
	}
	return nil
}

// shells run whatever their arguments say.
var shells = map[string]bool{"sh": true, "bash": true, "zsh": true, "cmd": true, "powershell": true, "pwsh": true, "ssh": true}

// constantLine reports whether a command does the same thing every time: its
// name is constant, and it is no shell with a script from elsewhere.
func constantLine(call *ssa.Call) bool {
	for i, a := range call.Call.Args {
		if b, ok := types.Unalias(a.Type()).Underlying().(*types.Basic); !ok || b.Info()&types.IsString == 0 {
			if i == len(call.Call.Args)-1 {
				break
			}
			continue
		}
		name, ok := text(a)
		if !ok {
			return false
		}
		name = name[strings.LastIndexAny(name, `/\`)+1:]
		return !shells[strings.TrimSuffix(name, ".exe")] || constantArgs(call.Call.Args[i+1:])
	}
	return false
}

// constantArgs reports whether every element of a variadic argument is constant.
func constantArgs(args []ssa.Value) bool {
	if len(args) != 1 {
		return len(args) == 0
	}
	s, ok := args[0].(*ssa.Slice)
	if !ok {
		c, isConst := args[0].(*ssa.Const)
		return isConst && c.IsNil()
	}
	arr, ok := s.X.(*ssa.Alloc)
	if !ok || arr.Referrers() == nil {
		return false
	}
	for _, r := range *arr.Referrers() {
		ia, ok := r.(*ssa.IndexAddr)
		if !ok || ia.Referrers() == nil {
			continue
		}
		for _, ir := range *ia.Referrers() {
			if st, ok := ir.(*ssa.Store); ok {
				if _, isConst := st.Val.(*ssa.Const); !isConst {
					return false
				}
			}
		}
	}
	return true
}

// interactive reports whether a command reads from the terminal.
func (c *checker) interactive(cmd ssa.Value) bool {
	root := c.res.Root(c.res.Path(cmd))
	if root == nil || root.Referrers() == nil {
		return false
	}
	for _, r := range *root.Referrers() {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok || fa.Referrers() == nil {
			continue
		}
		for _, fr := range *fa.Referrers() {
			st, ok := fr.(*ssa.Store)
			if !ok || st.Addr != ssa.Value(fa) {
				continue
			}
			if path := c.res.Path(st.Val); path == "g:os.Stdin" {
				return true
			}
		}
	}
	return false
}
