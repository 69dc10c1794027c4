package nodeadline

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// weigh moves to the audit tier, or drops, what a maintainer would leave.
func (c *checker) weigh(v *verdict) *verdict {
	if c.lasting(v) {
		return nil
	}
	if v.slug != HTTPServer && v.slug != Shutdown && c.atStart(v.fn) {
		v.tier = report.Audit
	}
	args := c.arguments(v)
	switch v.slug {
	case Dial:
		if local(args) {
			return nil
		}
	case HTTPClient:
		if local(args) {
			v.tier = report.Audit
		}
	case HTTPServer:
		if local(args) {
			v.tier = report.Audit
		}
	case SQL, CtxNone:
		if v.effect.Kind == effect.DB && strings.HasPrefix(v.effect.API, "(*database/sql.") && c.res.LocalDatabase() {
			v.tier = report.Audit
		}
		if v.effect.Kind == effect.DB && c.migrates(v.fn) {
			v.tier = report.Audit
		}
	case Exec:
		return c.weighExec(v)
	}
	return v
}

// lasting reports whether the call is meant to last as long as its context, by
// the name of the function that is given it: nobody would set it a deadline.
func (c *checker) lasting(v *verdict) bool {
	if v.slug != CtxNone {
		return false
	}
	for _, f := range v.effect.Frames {
		name := f.Call[strings.LastIndexByte(f.Call, '.')+1:]
		for _, word := range []string{"Serve", "Watch", "Subscribe", "Run", "Listen", "Start", "Consume", "Loop", "Stream", "Follow", "Tail", "Monitor", "Receive", "Poll", "WaitForNotification", "Work"} {
			if rest, ok := strings.CutPrefix(strings.ToUpper(name[:1])+name[1:], word); ok && (rest == "" || rest[0] < 'a' || rest[0] > 'z') {
				return true
			}
		}
	}
	return false
}

// migrates reports whether a function changes the schema of a database, by its
// name or that of its package: it takes as long as the tables are large, and is
// run once.
func (c *checker) migrates(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	for _, name := range []string{fn.Name(), c.pass.Pkg.Path()} {
		name = strings.ToLower(name)
		if strings.Contains(name, "migrat") || strings.Contains(name, "schema") {
			return true
		}
	}
	return false
}

// arguments are those of the operation, if the call is the operation itself.
func (c *checker) arguments(v *verdict) []ssa.Value {
	call, ok := v.site.Instr.(ssa.CallInstruction)
	if !ok || !v.effect.Direct {
		return nil
	}
	return c.res.Callee(call).Args
}

// local reports whether a constant among the arguments names this machine, a
// socket in the file system, or a protocol that waits for nobody.
func local(args []ssa.Value) bool {
	for _, a := range args {
		s, ok := text(a)
		if !ok {
			continue
		}
		switch s {
		case "unix", "unixpacket", "unixgram", "udp", "udp4", "udp6":
			return true
		}
		s = strings.TrimPrefix(strings.TrimPrefix(s, "http://"), "https://")
		for _, host := range []string{"localhost", "127.0.0.1", "[::1]"} {
			if s == host || strings.HasPrefix(s, host+":") || strings.HasPrefix(s, host+"/") {
				return true
			}
		}
	}
	return false
}

// text is a constant string, or the constant beginning of one.
func text(v ssa.Value) (string, bool) {
	switch x := v.(type) {
	case *ssa.Const:
		if x.Value != nil && x.Value.Kind() == constant.String {
			return constant.StringVal(x.Value), true
		}
	case *ssa.BinOp:
		for range 16 {
			b, ok := x.X.(*ssa.BinOp)
			if !ok {
				break
			}
			x = b
		}
		return text(x.X)
	case *ssa.MakeInterface:
		return text(x.X)
	}
	return "", false
}

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
				if callee != nil {
					callers[callee] = append(callers[callee], fn)
				}
				for i, op := range instr.Operands(buf[:0]) {
					if f, ok := (*op).(*ssa.Function); ok && !(f == callee && i == 0) {
						anytime[f] = true
					}
				}
			}
		}
	}
	isMain := c.pass.Pkg.Name() == "main"
	for _, fn := range c.res.Commands() {
		c.startup[fn] = true
	}
	for _, fn := range c.res.Funcs() {
		if fn.Parent() != nil || fn.Signature.Recv() != nil {
			continue
		}
		switch name := fn.Name(); {
		case name == "main" && isMain, name == "init" || strings.HasPrefix(name, "init#"), name == "TestMain", strings.HasPrefix(name, "Example"):
			c.startup[fn] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for _, fn := range c.res.Funcs() {
			if c.startup[fn] || fn.Parent() != nil || anytime[fn] || len(callers[fn]) == 0 || !isMain && token.IsExported(fn.Name()) {
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
	if constantLine(cmd) {
		v.tier = report.Audit
	}
	return v
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

// connection reports whether the effect is a read of, or a handshake on, a
// connection that was made in this function, or by a constructor, and that
// nothing gives a deadline.
func (c *checker) connection(v *verdict) bool {
	e := v.effect
	if e.Kind != effect.Net && e.Kind != effect.IO || e.On == "" || e.Bound.Kind != effect.Unbounded || e.As != "" && e.As != "io" {
		return false
	}
	if !reads(e) {
		return false
	}
	if _, sel := e.On.Split(); sel != "" {
		return false
	}
	root := c.res.Root(e.On)
	if root == nil || c.res.Deadlines().Of(root).End != effect.EndNever {
		return false
	}
	if !isConn(root.Type()) || c.res.Stopped(v.site.Instr, root) {
		return false
	}
	if c.res.Loops(v.site.Instr) {
		v.tier = report.Audit // it waits for what the peer has to say next
	}
	v.ends = c.res.Deadlines().Of(root)
	return true
}

// reads reports whether an effect is one that waits for the peer to speak.
func reads(e summary.SiteEffect) bool {
	if e.As == "io" {
		return true
	}
	name := e.API[strings.LastIndexByte(e.API, '.')+1:]
	for _, word := range []string{"Read", "Handshake", "Decode", "Scan", "Copy"} {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

func isConn(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	path := named.Obj().Pkg().Path()
	return (path == "net" || path == "crypto/tls") && strings.HasSuffix(named.Obj().Name(), "Conn")
}
