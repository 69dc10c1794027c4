package summary

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
)

// ioKind says what reading from or writing to v may do: by the type of the
// value that is behind the interface, or, for a parameter, unknown until a
// caller says (IO).
func (f *function) ioKind(v ssa.Value, path effect.Path) effect.Kind {
	for range 16 {
		if k := f.in.readerKind(v.Type()); k != effect.None {
			return k
		}
		next := under(v)
		if next == nil {
			break
		}
		v = next
	}
	if k := f.in.pathIO(path); k != effect.None {
		return k
	}
	if _, ok := f.in.paths.Export(path, f.fn).Param(); ok {
		return effect.IO
	}
	return effect.None
}

// under returns the value that v wraps, nil if it wraps none.
func under(v ssa.Value) ssa.Value {
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return x.X
	case *ssa.ChangeInterface:
		return x.X
	case *ssa.ChangeType:
		return x.X
	}
	return nil
}

// pathIO classifies by where a path leads: the body of a response, a
// connection or a file in a field, standard output.
func (in *inference) pathIO(path effect.Path) effect.Kind {
	if path == "" {
		return effect.None
	}
	if strings.HasPrefix(string(path), "g:os.Std") {
		return effect.None
	}
	t, owner := in.typeOf(path)
	if owner != nil && path.Last() == "Body" && isNetHTTP(owner, "Response", "Request") {
		return effect.Net
	}
	if t == nil {
		return effect.None
	}
	return in.readerKind(t)
}

// typeOf follows the fields of a local path. It returns the type at its end and
// the type that has the last field.
func (in *inference) typeOf(path effect.Path) (t, owner types.Type) {
	root := in.paths.Root(path)
	if root == nil {
		g := in.paths.Global(path)
		if g == nil {
			return nil, nil
		}
		root = g
	}
	t = root.Type()
	_, sel := path.Split()
	for sel != "" {
		if sel[0] == '[' {
			end := strings.IndexByte(sel, ']')
			t = elemOf(t)
			if end < 0 || t == nil {
				return nil, nil
			}
			sel = sel[end+1:]
			continue
		}
		name := sel[1:]
		end := strings.IndexAny(name, ".[")
		if end < 0 {
			sel = ""
		} else {
			name, sel = name[:end], name[end:]
		}
		if iface, ok := types.Unalias(t).Underlying().(*types.Interface); ok {
			if impl := in.implementers[iface]; impl != nil {
				t = impl // what answered for it
			}
		}
		owner = t
		v := fieldNamed(t, name)
		if v == nil {
			return nil, nil
		}
		t = v.Type()
	}
	return t, owner
}

// fieldNamed returns the field of the struct behind t, at most two pointers away.
func fieldNamed(t types.Type, name string) *types.Var {
	for range 3 {
		t = types.Unalias(t)
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			t = u.Elem()
		case *types.Struct:
			for i := range u.NumFields() {
				if u.Field(i).Name() == name {
					return u.Field(i)
				}
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// fieldKey names the struct field at the end of a local path, the same in every
// function: "(import/path.Type).field". It is empty for any other path.
func (in *inference) fieldKey(path effect.Path) string {
	if key, ok := in.keys[path]; ok {
		return key
	}
	key := in.findKey(path)
	in.keys[path] = key
	return key
}

func (in *inference) findKey(path effect.Path) string {
	_, sel := path.Split()
	if sel == "" && strings.HasPrefix(string(path), "g:") {
		return string(path) // a package variable is as good as a field
	}
	if sel == "" || strings.HasSuffix(sel, "]") {
		return ""
	}
	_, owner := in.typeOf(path)
	for range 3 {
		if owner == nil {
			return ""
		}
		owner = types.Unalias(owner)
		if named, ok := owner.(*types.Named); ok && named.Obj().Pkg() != nil {
			if _, ok := named.Underlying().(*types.Struct); ok {
				return "(" + named.Obj().Pkg().Path() + "." + named.Obj().Name() + ")." + path.Last()
			}
		}
		p, ok := owner.Underlying().(*types.Pointer)
		if !ok {
			break
		}
		owner = p.Elem()
	}
	if v := fieldNamed(owner, path.Last()); v != nil {
		return "(struct at " + in.pos(v.Pos()) + ")." + v.Name()
	}
	return ""
}

func isNetHTTP(t types.Type, names ...string) bool {
	for range 3 {
		t = types.Unalias(t)
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
			continue
		}
		named, ok := t.(*types.Named)
		if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "net/http" {
			return false
		}
		for _, n := range names {
			if named.Obj().Name() == n {
				return true
			}
		}
		return false
	}
	return false
}

// readerKind classifies a concrete reader or writer type, or an interface whose
// implementations are all of one kind.
func (in *inference) readerKind(t types.Type) effect.Kind {
	t = types.Unalias(t)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return effect.None
	}
	switch named.Obj().Pkg().Path() + "." + named.Obj().Name() {
	case "os.File":
		return effect.File
	case "net/http.ResponseWriter":
		return effect.Net
	case "net.Conn", "net.TCPConn", "net.UnixConn", "net.UDPConn", "crypto/tls.Conn":
		return effect.Net
	}
	return effect.None
}

// elemOf is the element type of the slice, array or map behind t.
func elemOf(t types.Type) types.Type {
	for range 3 {
		switch u := types.Unalias(t).Underlying().(type) {
		case *types.Slice:
			return u.Elem()
		case *types.Array:
			return u.Elem()
		case *types.Map:
			return u.Elem()
		case *types.Pointer:
			t = u.Elem()
		default:
			return nil
		}
	}
	return nil
}
