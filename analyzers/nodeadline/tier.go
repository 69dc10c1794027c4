package nodeadline

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/report"
)

// weigh moves to the audit tier, or drops, what a maintainer would leave.
func (c *checker) weigh(v *verdict) *verdict {
	if c.lasting(v) {
		return nil
	}
	if c.report.Example() || v.slug != HTTPServer && v.slug != Shutdown && (c.forOperators() || c.atStart(v.fn)) {
		v.tier = report.Audit
	}
	if v.slug != HTTPServer && v.slug != ConnIO && v.slug != Dial && c.setsUp(v) {
		v.tier = report.Audit
	}
	if withoutContext(v) || v.slug == CtxNone && controls(v.fn) || c.decided(v) {
		v.tier = report.Audit
	}
	args := c.arguments(v)
	switch v.slug {
	case Dial:
		if local(args) {
			return nil
		}
		if c.anyNetwork(v) || c.besideLimit(v.fn) || c.probes(v.site.Instr) {
			v.tier = report.Audit
		}
	case HTTPClient:
		if args = c.asked(args); local(args) || asksMachine(v.fn, args) || c.migrates(v.fn) || c.overSocket() {
			v.tier = report.Audit
		}
	case HTTPServer:
		if local(args) || c.localListener(args) || c.aside(v, args) {
			v.tier = report.Audit
		}
	case Shutdown:
		if measured, _ := c.measures(v, args); measured || c.limitedRequests(args) || c.unattended(v) || len(v.effect.Frames) > maxShutdown {
			v.tier = report.Audit
		}
	case SQL, CtxNone:
		if v.slug == CtxNone && (v.effect.Kind != effect.DB && c.overSocket() || c.detached(v)) {
			v.tier = report.Audit
			return v
		}
		return c.weighStatement(v, args)
	case Exec:
		return c.weighExec(v)
	case RPC:
		if len(args) > 0 && c.res.Path(args[0]) != "" && c.res.Stopped(v.site.Instr, args[0]) {
			return nil // somebody closes the client when it takes too long
		}
	}
	return v
}

// maxShutdown is how many calls away a shutdown may be: farther, it is one of the
// many things that the call does.
const maxShutdown = 3

// profiles reports whether a server, or its address, is named after profiles: an
// operator turns it on for a while.
func (c *checker) profiles(args []ssa.Value) bool {
	if len(args) == 0 {
		return false
	}
	path := c.res.Path(args[0])
	names := strings.ToLower(string(path) + " " + c.res.Name(path) + " " + c.res.VariableName(args[0]))
	return strings.Contains(names, "prof") || strings.Contains(names, "debug") || strings.Contains(names, "playground")
}

// withoutContext reports whether a function is the form without a context of the
// one that it calls, as Dial is of DialContext: who has a context calls that.
func withoutContext(v *verdict) bool {
	if v.slug != CtxNone || len(v.effect.Frames) == 0 {
		return false
	}
	call := v.effect.Frames[0].Call
	rest, ok := strings.CutPrefix(call[strings.LastIndexByte(call, '.')+1:], v.fn.Name())
	return ok && (rest == "Context" || rest == "WithContext" || rest == "Ctx" || rest == "WithCtx")
}

// lasting reports whether the call is meant to last as long as its context, by
// the name of the function that is given it: nobody would set it a deadline.
func (c *checker) lasting(v *verdict) bool {
	if v.slug != CtxNone {
		return false
	}
	if v.fn.Name() == "Accept" && v.fn.Signature.Results().Len() == 2 && isConn(v.fn.Signature.Results().At(0).Type()) {
		return true // until somebody closes the listener
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

// maintains reports whether a constant among the arguments is a statement that
// takes as long as a table is large, and is meant to.
func maintains(args []ssa.Value) bool {
	for _, a := range args {
		s, ok := text(a)
		if !ok {
			continue
		}
		verb, _, _ := strings.Cut(strings.TrimSpace(s), " ")
		switch strings.ToUpper(verb) {
		case "VACUUM", "REINDEX", "ANALYZE", "OPTIMIZE", "CREATE", "ALTER", "DROP", "PRAGMA":
			return true
		}
	}
	return false
}

// migrates reports whether a function changes the schema of a database, by its
// name or that of its file or package: it takes as long as the tables are large, and is
// run once.
func (c *checker) migrates(fn *ssa.Function) bool {
	file := report.Place(c.pass.Fset, fn.Pos())
	outer := ir.Outermost(fn)
	for _, name := range []string{outer.Name(), receiverName(outer), c.pass.Pkg.Path(), file} {
		if changesSchema(name) {
			return true
		}
	}
	return migration(fn)
}

// migration reports whether a function is a literal in a list of migrations, by
// what it is handed to: newMigration("0.6.0", func(db *sql.DB) error { … }).
func migration(lit *ssa.Function) bool {
	for ; lit.Parent() != nil; lit = lit.Parent() {
		for _, b := range lit.Parent().Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok || call.Call.StaticCallee() == nil || !changesSchema(call.Call.StaticCallee().Name()) {
					continue
				}
				for _, a := range call.Call.Args {
					if mc, ok := a.(*ssa.MakeClosure); ok {
						a = mc.Fn
					}
					if a == ssa.Value(lit) {
						return true
					}
				}
			}
		}
	}
	return false
}

// changesSchema reports whether a name says that a schema is changed or made.
func changesSchema(name string) bool {
	name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
	for _, word := range []string{"migrat", "schema", "createdb", "createdatabase", "createtable", "createindex"} {
		if strings.Contains(name, word) {
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

// localListener reports whether one of the arguments is a listener of this
// machine.
func (c *checker) localListener(args []ssa.Value) bool {
	for _, a := range args {
		if made, ok := c.madeBy(a); ok && local(made) {
			return true
		}
	}
	return false
}

// anyNetwork reports whether it is not known in which network an address is
// dialed: a socket or a datagram, maybe.
func (c *checker) anyNetwork(v *verdict) bool {
	call, ok := v.site.Instr.(ssa.CallInstruction)
	if !ok || !v.effect.Direct {
		return false
	}
	callee := c.res.Callee(call)
	if callee.Func == nil {
		return false
	}
	sig := callee.Func.Type().(*types.Signature)
	for i := range sig.Params().Len() {
		if sig.Params().At(i).Name() != "network" {
			continue
		}
		if sig.Recv() != nil {
			i++
		}
		if i < len(callee.Args) {
			_, known := text(callee.Args[i])
			return !known
		}
	}
	return false
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
		case "udp", "udp4", "udp6":
			return true
		}
	}
	return sameMachine(args)
}

// sameMachine reports whether a constant among the arguments names this machine,
// or a socket in the file system.
func sameMachine(args []ssa.Value) bool {
	for _, a := range args {
		s, ok := text(a)
		if !ok {
			continue
		}
		switch s {
		case "unix", "unixpacket", "unixgram":
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
	case *ssa.Call:
		// What a format begins with, up to its first verb.
		if fn := x.Call.StaticCallee(); fn != nil && fn.String() == "fmt.Sprintf" && len(x.Call.Args) > 0 {
			s, ok := text(x.Call.Args[0])
			s, _, _ = strings.Cut(s, "%")
			return s, ok && s != ""
		}
	}
	return "", false
}
