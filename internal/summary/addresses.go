package summary

import (
	"go/constant"
	"go/token"
	"go/types"
	"net/netip"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// looksUpAddress reports whether a look-up of a name is given an address, so that
// nobody is asked: one that is written down, or that of a connection.
//
//	host, _, err := net.SplitHostPort(conn.RemoteAddr().String())
//	ips, err := net.LookupIP(host)
func (f *function) looksUpAddress(c ir.Callee, t *target) bool {
	if t.row == nil || len(t.row.Effects) == 0 || t.row.Effects[0].Kind != effect.DNS || lastName(t.name) == "LookupAddr" {
		return false // the way back, from an address to names, asks
	}
	for _, a := range c.Args {
		if b, ok := types.Unalias(a.Type()).Underlying().(*types.Basic); ok && b.Kind() == types.String && isAddress(a, 0) {
			return true
		}
	}
	return false
}

// maxAddress is how many steps an address is followed back.
const maxAddress = 8

func isAddress(v ssa.Value, depth int) bool {
	if depth > maxAddress {
		return false
	}
	depth++
	switch x := v.(type) {
	case *ssa.Const:
		return x.Value != nil && x.Value.Kind() == constant.String && literalAddress(constant.StringVal(x.Value))
	case *ssa.BinOp: // "127.0.0.1:" + port
		return x.Op == token.ADD && isAddress(x.X, depth)
	case *ssa.Extract:
		return isAddress(x.Tuple, depth)
	case *ssa.UnOp:
		fa, ok := x.X.(*ssa.FieldAddr)
		if !ok || x.Op != token.MUL {
			return false
		}
		field := ir.FieldVar(fa.X.Type(), fa.Field)
		return field != nil && field.Name() == "RemoteAddr" && field.Pkg() != nil && field.Pkg().Path() == "net/http"
	case *ssa.Call:
		common := x.Common()
		if common.IsInvoke() {
			return common.Method.Name() == "String" && ir.IsNamed(common.Value.Type(), "net", "Addr")
		}
		fn := common.StaticCallee()
		if fn == nil || fn.Object() == nil || len(common.Args) == 0 {
			return false
		}
		switch obj := fn.Object().(*types.Func); obj.FullName() {
		case "net.SplitHostPort", "net.JoinHostPort", "strings.Trim", "strings.TrimSpace":
			return isAddress(common.Args[0], depth)
		case "(net.IP).String", "(*net.IPAddr).String", "(*net.TCPAddr).String", "(*net.UDPAddr).String", "(net/netip.Addr).String", "(net/netip.AddrPort).String":
			return true
		}
	}
	return false
}

// literalAddress reports whether a string is an address, with or without a port.
// One without a host stands for this machine.
func literalAddress(s string) bool {
	if _, err := netip.ParseAddrPort(s); err == nil {
		return true
	}
	if _, err := netip.ParseAddr(s); err == nil {
		return true
	}
	if len(s) > 0 && s[len(s)-1] == ':' {
		s = s[:len(s)-1] // the port comes behind
		if _, err := netip.ParseAddr(s); err == nil {
			return true
		}
	}
	return len(s) > 0 && s[0] == ':'
}
