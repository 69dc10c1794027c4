package holdacross

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/region"
	"github.com/concvet/concvet/internal/report"
)

// byPurpose reports whether a lock is held across a call because nobody could do
// anything with it meanwhile, by what the call is for.
func (c *checker) byPurpose(fn *ssa.Function, v *verdict) bool {
	if waitOf(v.effect.Effect)&(forPeer|forProcess) != 0 &&
		(report.Installs(c.pass, ir.Outermost(fn).Name(), fn.Pos()) || c.renews(fn, v) || c.singleUse(v.thing) || c.instances(fn)) {
		return true
	}
	return seizes(fn) || revokes(fn) || c.persists(fn)
}

// renews reports whether a function fetches what the others need to be let in, a
// token or a session, once what they have is too old: with the old one they could
// do nothing, and it is all that they want the lock for.
func (c *checker) renews(fn *ssa.Function, v *verdict) bool {
	if c.keepsByKey(fn) || !saysRenewal(fn) && !c.memoises(fn, v.at) {
		return false
	}
	use := c.lockUse(v.thing)
	if use == nil {
		return false
	}
	stored, _ := c.keptAround(fn, v.at)
	var fresh []string
	for key := range stored {
		if stored[key] && credential(key[strings.LastIndexByte(key, '.')+1:]) {
			fresh = append(fresh, key)
		}
	}
	return len(fresh) > 0 && !slices.ContainsFunc(c.waiters(fn, v.thing, v.effect.Effect).victims, func(g *ssa.Function) bool {
		return !slices.ContainsFunc(fresh, func(key string) bool { return use.users[key][g] })
	})
}

// saysRenewal reports whether a function is called after what it does: it is only
// called when what is there is too old.
func saysRenewal(fn *ssa.Function) bool {
	switch firstWord(ir.Outermost(fn).Name()) {
	case "refresh", "renew", "reauthenticate", "relogin":
		return true
	}
	return false
}

// revokes reports whether a function gives up what lets somebody in: nobody has
// a use for it any more.
func revokes(fn *ssa.Function) bool {
	switch firstWord(ir.Outermost(fn).Name()) {
	case "revoke", "logout":
		return true
	}
	return false
}

// credential reports whether a field is called after what lets somebody in.
func credential(name string) bool {
	name = strings.ToLower(name)
	return name == "sid" || name == "auth" || contains(name, "token", "session", "cookie", "credential", "jwt")
}

// singleUse reports whether a lock belongs to an object that its maker uses once,
// by the name of its type, and that nothing in the package keeps.
func (c *checker) singleUse(t *region.Thing) bool {
	var named *types.Named
	for path, last := effect.Path(owner(t.Path)), t.Path; path != last; path, last = effect.Path(owner(path)), path {
		typ := c.res.TypeOf(path) // that of a wrapper of the lock, or of what it belongs to
		if typ == nil {
			return false
		}
		n, ok := deref(typ).(*types.Named)
		if ok && n.Obj().Pkg() == c.pass.Pkg && slices.ContainsFunc(singleWords, func(w string) bool {
			return strings.HasSuffix(strings.ToLower(n.Obj().Name()), w)
		}) {
			named = n
			break
		}
	}
	if named == nil {
		return false
	}
	for _, name := range c.pass.Pkg.Scope().Names() {
		switch obj := c.pass.Pkg.Scope().Lookup(name).(type) {
		case *types.Var:
			if mentions(obj.Type(), named, 0) {
				return false
			}
		case *types.TypeName:
			if s, ok := obj.Type().Underlying().(*types.Struct); ok {
				for f := range s.Fields() {
					if mentions(f.Type(), named, 0) {
						return false
					}
				}
			}
		}
	}
	return true
}

var singleWords = []string{"batch", "request", "call", "upload", "download", "query", "transfer"}

// mentions reports whether a value of type t is, points to or contains elements of
// a type.
func mentions(t types.Type, named *types.Named, depth int) bool {
	if depth > maxNesting {
		return false
	}
	if types.Identical(t, named) {
		return true
	}
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		return mentions(u.Elem(), named, depth+1)
	case *types.Slice:
		return mentions(u.Elem(), named, depth+1)
	case *types.Array:
		return mentions(u.Elem(), named, depth+1)
	case *types.Chan:
		return mentions(u.Elem(), named, depth+1)
	case *types.Map:
		return mentions(u.Key(), named, depth+1) || mentions(u.Elem(), named, depth+1)
	}
	return false
}

// instances reports whether a function hands out the one object for a key that the
// whole program shares, made the first time: who comes sets something up.
//
//	var conns = map[string]*Conn{}
//
//	func Instance(addr string) (*Conn, error)
func (c *checker) instances(fn *ssa.Function) bool {
	fn = ir.Outermost(fn)
	res := fn.Signature.Results()
	if fn.Signature.Recv() != nil || res.Len() == 0 {
		return false
	}
	p, ok := types.Unalias(res.At(0).Type()).(*types.Pointer)
	if !ok {
		return false
	}
	if named, ok := types.Unalias(p.Elem()).(*types.Named); !ok || named.Obj().Pkg() != c.pass.Pkg {
		return false
	}
	for _, name := range c.pass.Pkg.Scope().Names() {
		if v, ok := c.pass.Pkg.Scope().Lookup(name).(*types.Var); ok {
			if m, ok := types.Unalias(v.Type()).Underlying().(*types.Map); ok && types.Identical(m.Elem(), p) {
				return true
			}
		}
	}
	return false
}

// seizes reports whether a function takes a lock that the whole program needs
// before it may work, as that of a database.
func seizes(fn *ssa.Function) bool {
	name := ir.Outermost(fn).Name()
	switch firstWord(name) {
	case "get", "acquire", "obtain", "try", "take", "seize":
		return strings.HasSuffix(name, "Lock") || strings.HasSuffix(name, "Lease") || strings.HasSuffix(name, "Leadership")
	}
	return false
}

// persists reports whether a function is there to save the state of the package
// when the program ends: nothing in the package calls it.
func (c *checker) persists(fn *ssa.Function) bool {
	fn = ir.Outermost(fn)
	return fn.Signature.Recv() == nil && firstWord(fn.Name()) == "persist" && len(c.res.Reach(fn).Callers) == 0
}
