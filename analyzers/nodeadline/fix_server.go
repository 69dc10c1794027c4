package nodeadline

import (
	"go/ast"
	"strings"

	"honnef.co/go/tools/analysis/edit"
)

// serverArgs says of the functions of net/http that make a server, serve and
// never give it to anybody, which argument is the address of the server and which
// its handler, -1 if there is none. The rest are those of its method.
var serverArgs = map[string][2]int{
	"ListenAndServe": {0, 1}, "ListenAndServeTLS": {0, 3}, "Serve": {-1, 1}, "ServeTLS": {-1, 1},
}

// packageServer makes http.ListenAndServe(addr, h) a call of a server with a
// limit. It is what the function does, too.
func (r *remedy) packageServer() bool {
	name, ok := strings.CutPrefix(r.callee(r.call), "net/http.")
	sel, isSel := ast.Unparen(r.call.Fun).(*ast.SelectorExpr)
	at, known := serverArgs[name]
	if !ok || !isSel || !known || len(r.call.Args) < 2 || r.call.Ellipsis.IsValid() {
		return false
	}
	if id, isID := sel.X.(*ast.Ident); !isID || id.Name != "http" || len(r.file.Comments(r.call.Lparen, r.call.Rparen)) > 0 {
		return false
	}
	var fields, rest []string
	for i, a := range r.call.Args {
		text := r.file.Text(a)
		if text == "" || strings.Contains(text, "\n") {
			return false
		}
		switch {
		case i == at[0]:
			fields = append([]string{"Addr: " + text}, fields...)
		case i != at[1]:
			rest = append(rest, text)
		case text != "nil":
			fields = append(fields, "Handler: "+text)
		}
	}
	if _, ok := r.imported("time", "time"); !ok || !r.once(r.call.Lparen) {
		return false
	}
	fields = append(fields, "ReadHeaderTimeout: "+headerLimit)
	r.edits = append(r.edits, edit.ReplaceWithString(r.call, "(&http.Server{"+strings.Join(fields, ", ")+"})."+name+"("+strings.Join(rest, ", ")+")"))
	r.title = "Serve with a ReadHeaderTimeout"
	return true
}
