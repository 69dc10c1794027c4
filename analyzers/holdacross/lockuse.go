package holdacross

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/region"
	"github.com/concvet/concvet/internal/summary"
)

// lockUse is what the package does under one lock, which is a struct field.
type lockUse struct {
	funcs  []string                          // functions that take it
	takers []*ssa.Function                   // the same
	fields map[string]types.Type             // fields of its struct that are touched under it
	writes map[string]bool                   // those of them that are written
	users  map[string]map[*ssa.Function]bool // by which functions each is touched
	stores map[string]map[*ssa.Function]bool // by which functions each is written
	alone  []*ssa.Function                   // functions that take it for themselves, not for reading
}

// lifecycleOnly reports whether the lock is taken only to start and to stop: by
// functions of both kinds, and by no other.
func (u *lockUse) lifecycleOnly() bool {
	start, stop := false, false
	for _, f := range u.funcs {
		switch {
		case contains(f, "start", "run", "serve", "open", "init", "connect"):
			start = true
		case contains(f, "stop", "close", "shutdown", "drain", "terminate", "destroy"):
			stop = true
		default:
			return false
		}
	}
	return start && stop
}

// contains reports whether a function name has one of the words in it.
func contains(name string, words ...string) bool {
	name = strings.ToLower(name)
	for _, w := range words {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// job reports whether the lock is named after a job ("reloadMu", "cmtx") and
// guards no data: no field that is written under it is touched by two of the
// functions that take it. It is there to let one at a time do the job. One that
// is named after what stands beside it ("plugins" and "pluginsMu") guards that.
func (u *lockUse) job(lock string, siblings []string) bool {
	for key := range u.writes {
		if len(u.users[key]) > 1 && !isFlag(u.fields[key]) {
			return false
		}
	}
	name := strings.ToLower(lock)
	if strings.HasSuffix(name, "ing") {
		return true // "sending"
	}
	for _, word := range []string{"rwmutex", "mutex", "rwlock", "lock", "rwmu", "mu", "mtx", "mux"} {
		rest, ok := strings.CutSuffix(name, word)
		if !ok {
			rest, ok = strings.CutPrefix(name, word)
		}
		if ok {
			rest = strings.Trim(rest, "_")
			return rest != "" && !slices.ContainsFunc(siblings, func(s string) bool { return strings.EqualFold(s, rest) })
		}
	}
	return false
}

// siblings lists the names of the fields, or package variables, beside a lock.
func (c *checker) siblings(lock effect.Path) []string {
	var names []string
	if _, sel := lock.Split(); sel == "" {
		for _, name := range c.pass.Pkg.Scope().Names() {
			if _, ok := c.pass.Pkg.Scope().Lookup(name).(*types.Var); ok {
				names = append(names, name)
			}
		}
		return names
	}
	t := c.res.TypeOf(effect.Path(owner(lock)))
	if t == nil {
		return nil
	}
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if s, ok := types.Unalias(t).Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if t, ok := types.Unalias(f.Type()).(*types.Named); !ok || t.Obj().Name() != "WaitGroup" { // holds no data
				names = append(names, f.Name())
			}
		}
	}
	return names
}

// lockUse returns the use of the lock of t, nil if it is no struct field.
func (c *checker) lockUse(t *region.Thing) *lockUse {
	way := c.res.Way(t.Path)
	if way == "" {
		return nil
	}
	return c.usesOf(way)
}

// usesOf adds up the uses of the locks that may be the one at the end of a way:
// the methods of a struct that others embed know it by a shorter one.
func (c *checker) usesOf(lock string) *lockUse {
	if c.locks == nil {
		c.collectLocks()
	}
	if use := c.lockUses[lock]; use != nil {
		return use
	}
	var list []*lockUse
	for _, way := range c.ways {
		if way == lock || summary.Meet(way, lock) {
			list = append(list, c.locks[way])
		}
	}
	use := c.locks[lock]
	if len(list) > 1 {
		use = newLockUse()
		for _, u := range list {
			use.add(u)
		}
	}
	if c.lockUses == nil {
		c.lockUses = make(map[string]*lockUse)
	}
	c.lockUses[lock] = use
	return use
}

func newLockUse() *lockUse {
	return &lockUse{
		fields: make(map[string]types.Type), writes: make(map[string]bool),
		users: make(map[string]map[*ssa.Function]bool), stores: make(map[string]map[*ssa.Function]bool),
	}
}

// add takes over what another use has.
func (u *lockUse) add(o *lockUse) {
	u.funcs, u.takers, u.alone = append(u.funcs, o.funcs...), append(u.takers, o.takers...), append(u.alone, o.alone...)
	maps.Copy(u.fields, o.fields)
	maps.Copy(u.writes, o.writes)
	for _, pair := range [][2]map[string]map[*ssa.Function]bool{{u.users, o.users}, {u.stores, o.stores}} {
		for key, fns := range pair[1] {
			if pair[0][key] == nil {
				pair[0][key] = make(map[*ssa.Function]bool)
			}
			maps.Copy(pair[0][key], fns)
		}
	}
}

func (c *checker) collectLocks() {
	c.locks = make(map[string]*lockUse)
	for _, fn := range c.res.Funcs() {
		if c.res.InTest(fn) {
			continue
		}
		reg := c.res.Region(fn)
		taken := make(map[string]bool)
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				var inner *region.Thing // what is touched is guarded by the lock taken last
				for _, t := range reg.Held(instr) {
					if t.Class.IsLock() {
						inner = t
					}
				}
				for _, t := range reg.Held(instr) {
					if !t.Class.IsLock() {
						continue
					}
					key := c.lockKey(t)
					use := c.locks[key]
					if use == nil {
						use = newLockUse()
						c.locks[key] = use
						c.ways = append(c.ways, key)
					}
					if !taken[key] && !t.Outer {
						taken[key] = true
						use.funcs = append(use.funcs, fn.Name())
						use.takers = append(use.takers, fn)
						if t.Class != effect.RLock {
							use.alone = append(use.alone, fn)
						}
					}
					if t == inner {
						c.touch(use, t, instr)
					}
				}
			}
		}
	}
}

// touch notes what an instruction touches under the lock t.
func (c *checker) touch(use *lockUse, t *region.Thing, instr ssa.Instruction) {
	var written ssa.Value
	switch x := instr.(type) {
	case *ssa.Store:
		written = x.Addr
	case *ssa.MapUpdate:
		written = x.Map
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok && (b.Name() == "delete" || b.Name() == "clear") && len(x.Call.Args) > 0 {
			written = x.Call.Args[0]
		}
	}
	if written != nil {
		if path := c.res.Path(written); owner(path) == owner(t.Path) {
			key := c.res.Field(path)
			use.writes[key] = true
			if use.stores[key] == nil {
				use.stores[key] = make(map[*ssa.Function]bool)
			}
			use.stores[key][instr.Parent()] = true
		}
	}
	fa, ok := instr.(*ssa.FieldAddr)
	if !ok {
		return
	}
	path := c.res.Path(fa)
	if owner(path) != owner(t.Path) || path == t.Path {
		return
	}
	if key := c.res.Field(path); key != "" {
		use.fields[key] = c.res.TypeOf(path)
		if use.users[key] == nil {
			use.users[key] = make(map[*ssa.Function]bool)
		}
		use.users[key][instr.Parent()] = true
	}
}

// guards reports whether the only job of lock t is to serialise the very
// connection, file or database that e works on: then it has to be held.
func (c *checker) guards(t *region.Thing, e summary.SiteEffect) bool {
	if e.On == "" && e.Pool == "" {
		return false
	}
	on := e.On
	if on == "" {
		on = e.Pool
	}
	if on.Last() == "Body" && sameRoot(on, t.Path) {
		return true // the object of one request reads that request
	}
	if owner(on) != owner(t.Path) {
		return false
	}
	if e.Kind == effect.DB && e.Pool == "" {
		return true // rows or a session of the object's own serve one at a time
	}
	use := c.lockUse(t)
	if use == nil {
		return false
	}
	for _, t := range use.fields {
		if t == nil || !serialised(t) {
			return false
		}
	}
	return true
}

// keeps reports whether a read lock is there to keep the very database that e
// works on from being replaced meanwhile: who takes the lock for writing does
// nothing but replace it, and has to wait for those who use it.
func (c *checker) keeps(t *region.Thing, e summary.SiteEffect) bool {
	if t.Class != effect.RLock || e.Kind != effect.DB {
		return false
	}
	on := e.Pool
	if on == "" {
		on = e.On
	}
	rest, ok := strings.CutPrefix(string(on), owner(t.Path)+".")
	use := c.lockUse(t)
	if !ok || use == nil || len(use.alone) == 0 {
		return false
	}
	name, _, _ := strings.Cut(rest, ".")
	field := c.res.Field(effect.Path(owner(t.Path) + "." + name))
	for _, fn := range use.alone {
		if !use.stores[field][fn] {
			return false
		}
	}
	return true
}

// serialised reports whether a field of type t is a connection, a reader or
// writer around it, or a buffer, counter or flag of it.
func serialised(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if named, ok := t.(*types.Named); ok && named.Obj().Pkg() != nil {
		switch named.Obj().Pkg().Path() {
		case "net", "bufio", "bytes", "io", "os", "crypto/tls", "time", "encoding/json", "encoding/gob", "hash", "compress/gzip", "compress/flate", "database/sql", "net/textproto", "log", "log/slog":
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		b, ok := types.Unalias(u.Elem()).Underlying().(*types.Basic)
		return ok && b.Kind() == types.Byte
	case *types.Array:
		b, ok := types.Unalias(u.Elem()).Underlying().(*types.Basic)
		return ok && b.Kind() == types.Byte
	case *types.Interface:
		named, ok := t.(*types.Named)
		return ok && (named.Obj().Name() == "error" || strings.Contains(named.Obj().Name(), "Logger"))
	}
	return false
}

func isFlag(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := types.Unalias(t).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// lazyInit reports whether a value is made the first time it is asked for, under
// a lock that nobody else takes: everyone who waits for the lock waits for the
// value. A database that is opened, or a process that is run, is as a rule on
// the same machine, so who else takes the lock does not matter there.
func (c *checker) lazyInit(fn *ssa.Function, t *region.Thing, v *verdict) bool {
	local := false
	switch v.effect.Kind {
	case effect.Net, effect.DNS:
		if c.keepsByKey(fn) {
			return false // who wants another value, or has one already, waits as well
		}
	case effect.DB:
		local = true
	case effect.Exec:
		local = !keepsInMap(fn) // whoever wants another value waits as well
	default:
		return false
	}
	use := c.lockUse(t)
	if use == nil {
		return false
	}
	if !local {
		for _, name := range use.funcs {
			if name != fn.Name() && !contains(name, "close", "stop", "shutdown", "reset") {
				return false
			}
		}
	}
	if t.Outer { // the literal makes the value, who runs it keeps it
		return slices.ContainsFunc(use.takers, func(g *ssa.Function) bool { return c.memoises(g, nil) })
	}
	return c.memoises(fn, v.at)
}

// keepsInMap reports whether fn stores into a map.
func keepsInMap(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if _, ok := instr.(*ssa.MapUpdate); ok {
				return true
			}
		}
	}
	return false
}

// keepsByKey reports whether fn stores into the map in a field, or in a package
// variable, under a key that is no constant.
func (c *checker) keepsByKey(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if x, ok := instr.(*ssa.MapUpdate); ok {
				if _, fixed := x.Key.(*ssa.Const); !fixed && c.res.Field(c.res.Path(x.Map)) != "" {
					return true
				}
			}
		}
	}
	return false
}
