package nodeadline

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// atStart reports whether a function runs once in a program: main, init, a
// command of a command line, and what only they call, directly.
func (c *checker) atStart(fn *ssa.Function) bool {
	if c.startup == nil {
		c.findStartup()
	}
	for fn.Parent() != nil && !c.startup[fn] {
		if !calledInPlace(fn) {
			return false
		}
		fn = fn.Parent()
	}
	return c.startup[fn]
}

// calledInPlace reports whether a literal is called or deferred where it
// stands, and so belongs to the function around it.
func calledInPlace(lit *ssa.Function) bool {
	var value ssa.Value = lit
	for _, b := range lit.Parent().Blocks {
		for _, instr := range b.Instrs {
			if mc, ok := instr.(*ssa.MakeClosure); ok && mc.Fn == ssa.Value(lit) {
				value = mc
			}
			switch call := instr.(type) {
			case *ssa.Call:
				if call.Call.Value == value {
					return true
				}
			case *ssa.Defer:
				if call.Call.Value == value {
					return true
				}
			}
		}
	}
	return false
}

// findStartup finds the functions that run once in a program. One that is
// mentioned otherwise than in a direct call may run at any time, and so may one
// that other packages see.
func (c *checker) findStartup() {
	c.startup = make(map[*ssa.Function]bool)
	callers := make(map[*ssa.Function][]*ssa.Function)
	anytime := make(map[*ssa.Function]bool)
	var buf [8]*ssa.Value
	for _, fn := range c.res.Funcs() {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				var callee *ssa.Function
				if call, ok := instr.(*ssa.Call); ok {
					callee = call.Call.StaticCallee()
				}
				written := callee
				if callee != nil && callee.Origin() != nil {
					written = callee.Origin() // what the calls of all its instances have in common
				}
				if callee != nil {
					callers[written] = append(callers[written], fn)
				}
				for i, op := range instr.Operands(buf[:0]) {
					if f, ok := (*op).(*ssa.Function); ok && !(f == callee && i == 0) {
						anytime[f] = true
					}
				}
			}
		}
	}
	commands := c.res.Commands()
	for _, fn := range commands {
		c.startup[fn] = true
	}
	// What a package of commands exports serves those of other packages.
	inside := c.pass.Pkg.Name() == "main" || len(commands) > 0
	for _, fn := range c.res.Funcs() {
		if fn.Parent() != nil || fn.Signature.Recv() != nil {
			continue
		}
		switch name := fn.Name(); {
		case name == "main", name == "init" || strings.HasPrefix(name, "init#"), name == "TestMain", strings.HasPrefix(name, "Example"):
			c.startup[fn] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for _, fn := range c.res.Funcs() {
			if c.startup[fn] || fn.Parent() != nil || anytime[fn] || len(callers[fn]) == 0 || !inside && token.IsExported(fn.Name()) {
				continue
			}
			all := true
			for _, by := range callers[fn] {
				all = all && c.atStart(by)
			}
			if all {
				c.startup[fn] = true
				changed = true
			}
		}
	}
}
