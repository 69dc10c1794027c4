package nodeadline

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/report"
)

// weighExec judges a command by what it runs: a local one with a constant name
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
	if strings.HasSuffix(v.effect.API, ".Wait") && !c.collects(v, args[0]) {
		v.tier = report.Audit // started here, or elsewhere, and left running
	}
	line := line(c.command(args[0]))
	if line == nil || c.interactive(args[0]) || report.Installs(c.pass, ir.Outermost(v.fn).Name(), v.fn.Pos()) {
		v.tier = report.Audit
		return v
	}
	if c.constantLine(line, 0) || writtenDown(line) || opensBrowser(v.fn) {
		v.tier = report.Audit
	}
	return v
}

// opensBrowser reports whether a function shows something to the user of this
// machine, by its name: a helper of the desktop is started, and returns.
func opensBrowser(fn *ssa.Function) bool {
	name := strings.ToLower(ir.Outermost(fn).Name())
	return strings.Contains(name, "browser") || name == "openurl" || name == "openlink"
}

// forOperators reports whether the package serves a command line, by its path:
// somebody waits for it and can interrupt it. Below a folder of tools may be
// packages that services import, too.
func (c *checker) forOperators() bool {
	path := c.pass.Pkg.Path()
	if c.pass.Pkg.Name() == "cmd" && slices.ContainsFunc(c.pass.Pkg.Imports(), parsesFlags) {
		return true // its functions are commands, or steps of them
	}
	for elem := range strings.SplitSeq(path, "/") {
		switch elem {
		case "cli", "scripts", "hack":
			return true
		case "tools":
			if c.pass.Pkg.Name() == "main" || strings.HasSuffix(path, "/tools") {
				return true
			}
		}
		if strings.HasSuffix(elem, "bench") || strings.HasSuffix(elem, "benchmark") || strings.HasSuffix(elem, "benchmarks") {
			return true
		}
	}
	return false
}

// parsesFlags reports whether a package is one for command lines.
func parsesFlags(p *types.Package) bool {
	switch p.Path() {
	case "flag", "github.com/spf13/pflag", "github.com/spf13/cobra", "github.com/alecthomas/kong":
		return true
	}
	return strings.HasPrefix(p.Path(), "github.com/urfave/cli") || strings.HasPrefix(p.Path(), "github.com/alecthomas/kingpin")
}

// command is the call that made a command, or its literal, here or in a function
// of the package that only makes it; nil if it is not in sight.
func (c *checker) command(v ssa.Value) ssa.Value {
	for range 4 {
		root := c.res.Root(c.res.Path(v))
		if lit, ok := root.(*ssa.Alloc); ok && isNamed(lit.Type(), "os/exec", "Cmd") {
			return lit
		}
		call, ok := root.(*ssa.Call)
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

// line is the name of a command and its arguments.
func line(made ssa.Value) []ssa.Value {
	switch made := made.(type) {
	case *ssa.Call:
		return made.Call.Args
	case *ssa.Alloc:
		return literalLine(made, 0)
	}
	return nil
}

// literalLine is what a literal of a command sets Path and Args to. Its first
// argument is the name once more.
func literalLine(lit *ssa.Alloc, depth int) []ssa.Value {
	if lit.Referrers() == nil {
		return nil
	}
	var line [2]ssa.Value
	for _, r := range *lit.Referrers() {
		if s, ok := r.(*ssa.Store); ok && s.Addr == ssa.Value(lit) {
			if load, ok := s.Val.(*ssa.UnOp); ok {
				if temp, ok := load.X.(*ssa.Alloc); ok && depth == 0 {
					return literalLine(temp, 1)
				}
			}
		}
		fa, ok := r.(*ssa.FieldAddr)
		if !ok || fa.Referrers() == nil {
			continue
		}
		at := -1
		switch ir.FieldVar(fa.X.Type(), fa.Field).Name() {
		case "Path":
			at = 0
		case "Args":
			at = 1
		}
		for _, fr := range *fa.Referrers() {
			if s, ok := fr.(*ssa.Store); ok && at >= 0 && s.Addr == ssa.Value(fa) {
				line[at] = s.Val
			}
		}
	}
	if line[0] == nil {
		return nil
	}
	if line[1] == nil {
		return line[:1]
	}
	return line[:]
}

// interactive reports whether a command reads from the terminal.
func (c *checker) interactive(cmd ssa.Value) bool {
	path := c.res.Path(cmd)
	made, ok := c.res.Root(path).(ssa.Instruction)
	if !ok {
		return false
	}
	for _, b := range made.Parent().Blocks {
		for _, instr := range b.Instrs {
			st, ok := instr.(*ssa.Store)
			if !ok {
				continue
			}
			fa, ok := st.Addr.(*ssa.FieldAddr)
			if ok && c.res.Path(fa.X) == path && c.res.Path(st.Val) == "g:os.Stdin" {
				return true
			}
		}
	}
	return false
}

// collects reports whether the wait for a process is the end of a Run in parts:
// the function that waits has made the command and started it once, reads what it
// writes, and gives it to nobody who might kill it.
func (c *checker) collects(v *verdict, cmd ssa.Value) bool {
	path := c.res.Path(cmd)
	root := c.res.Root(path)
	fn := v.site.Instr.Parent()
	made, ok := root.(ssa.Instruction)
	if !ok || made.Parent() != fn || root.Referrers() == nil || c.res.Loops(v.site.Instr) || c.onlyStarted(fn) {
		return false
	}
	started, reads := false, false
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case ssa.CallInstruction:
				callee := c.res.Callee(x)
				for i, a := range callee.Args {
					if c.res.Path(a) != path {
						continue
					}
					if i > 0 || callee.Func == nil || callee.Func.Pkg() == nil || callee.Func.Pkg().Path() != "os/exec" {
						return false
					}
					switch callee.Func.Name() {
					case "Start":
						started = true
					case "StdoutPipe", "StderrPipe":
						reads = true
					}
				}
			case *ssa.Store:
				if c.res.Path(x.Val) == path {
					if _, ok := x.Addr.(*ssa.Alloc); !ok {
						return false // somebody else may stop it
					}
				}
				if fa, ok := x.Addr.(*ssa.FieldAddr); ok && c.res.Path(fa.X) == path && c.buffers(fa, x.Val) {
					reads = true
				}
			case *ssa.Send:
				if c.res.Path(x.X) == path {
					return false
				}
			case *ssa.MapUpdate:
				if c.res.Path(x.Value) == path {
					return false
				}
			case *ssa.Return:
				for _, r := range x.Results {
					if c.res.Path(r) == path {
						return false
					}
				}
			}
		}
	}
	return started && reads
}

// buffers reports whether an output of a command is stored to a buffer of the
// function.
func (c *checker) buffers(field *ssa.FieldAddr, v ssa.Value) bool {
	name := c.res.Path(field).Last()
	if name != "Stdout" && name != "Stderr" {
		return false
	}
	a, ok := c.res.Root(c.res.Path(v)).(*ssa.Alloc)
	return ok && a.Parent() == field.Parent()
}

// onlyStarted reports whether a literal is run as a goroutine only.
func (c *checker) onlyStarted(fn *ssa.Function) bool {
	if fn.Parent() == nil {
		return false
	}
	calls, ok := c.callsOf(fn)
	for _, call := range calls {
		if _, isGo := call.(*ssa.Go); !isGo {
			return false
		}
	}
	return ok
}
