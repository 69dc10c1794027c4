package nodeadline

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// shells run whatever their arguments say.
var shells = map[string]bool{"sh": true, "bash": true, "zsh": true, "cmd": true, "powershell": true, "pwsh": true}

// remote are commands that talk to another machine, whatever their arguments, and
// those that do so with some verbs only.
var remote = map[string][]string{
	"curl": nil, "wget": nil, "ssh": nil, "scp": nil, "sftp": nil, "rsync": nil, "rclone": nil, "ftp": nil,
	"dig": nil, "nslookup": nil, "host": nil, "whois": nil, "traceroute": nil, "ssh-keyscan": nil,
	"aws": nil, "gcloud": nil, "gsutil": nil, "az": nil, "kubectl": nil, "skopeo": nil,
	"mysqldump": nil, "pg_dump": nil, "pg_dumpall": nil, "mongodump": nil, "sendmail": nil,
	"git":    {"clone", "fetch", "pull", "push", "ls-remote", "submodule", "lfs", "remote-https"},
	"hg":     {"clone", "pull", "push", "incoming", "outgoing"},
	"svn":    {"checkout", "co", "update", "up", "commit", "ci", "export", "info", "ls", "list", "log"},
	"docker": {"pull", "push", "login", "run", "exec", "build"},
	"podman": {"pull", "push", "login", "run", "exec", "build"},
	"helm":   {"install", "upgrade", "pull", "push", "repo", "dependency"},
	"npm":    {"install", "ci", "publish", "view"},
	"pip":    {"install", "download"},
	"apt":    {"update", "install", "upgrade"}, "apt-get": {"update", "install", "upgrade"},
	"terraform": {"init", "plan", "apply", "destroy"},
}

// converters work for as long as what they are given makes them.
var converters = map[string]bool{
	"ffmpeg": true, "ffprobe": true, "convert": true, "magick": true, "pandoc": true, "gs": true, "clamscan": true,
	"wkhtmltopdf": true, "libreoffice": true, "soffice": true, "chromium": true, "inkscape": true, "pdftotext": true,
	"pdftoppm": true, "exiftool": true, "tesseract": true, "python": true, "python3": true, "node": true, "perl": true,
	"ruby": true, "php": true,
}

// constantLine reports whether a command does the same short thing every time:
// its name is constant, and it is neither one that runs what its arguments say
// nor one that talks to another machine.
func (c *checker) constantLine(line []ssa.Value, depth int) bool {
	for i, a := range line {
		if b, ok := types.Unalias(a.Type()).Underlying().(*types.Basic); !ok || b.Info()&types.IsString == 0 {
			continue
		}
		name, ok := commandName(a, 0)
		if !ok {
			return asksVersion(line[i+1:]) || c.constantForCallers(a, line, depth)
		}
		name = strings.TrimSuffix(name[strings.LastIndexAny(name, `/\`)+1:], ".exe")
		args := line[i+1:]
		if shells[name] || converters[name] {
			return constantArgs(args)
		}
		if verbs, ok := remote[name]; ok {
			return !c.talks(args, verbs)
		}
		return true
	}
	return false
}

// commandName is the constant name of a command, or the first word of a line
// that is split up.
func commandName(v ssa.Value, depth int) (string, bool) {
	if s, ok := text(v); ok {
		return s, true
	}
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return "", false
	}
	elem, ok := load.X.(*ssa.IndexAddr)
	if !ok || depth > 0 {
		return "", false
	}
	if first, ok := elem.Index.(*ssa.Const); !ok || first.Int64() != 0 {
		return "", false
	}
	call, ok := elem.X.(*ssa.Call)
	if !ok {
		return "", false
	}
	if fn := call.Call.StaticCallee(); fn == nil || fn.String() != "strings.Split" && fn.String() != "strings.Fields" {
		return "", false
	}
	lines := []ssa.Value{call.Call.Args[0]}
	if phi, ok := lines[0].(*ssa.Phi); ok {
		lines = phi.Edges
	}
	name := ""
	for _, l := range lines {
		s, ok := text(l)
		word, _, more := strings.Cut(s, " ")
		if !ok || !more || shells[word] || remote[word] != nil || converters[word] {
			return "", false
		}
		name = word
	}
	return name, true
}

// writtenDown reports whether the whole line of a command is one that somebody
// has written down, in the configuration or by hand: the name is the first word
// of a list whose rest are the arguments. How long it may take is for them to
// say.
func writtenDown(line []ssa.Value) bool {
	for i, a := range line {
		load, ok := a.(*ssa.UnOp)
		if !ok {
			continue
		}
		elem, ok := load.X.(*ssa.IndexAddr)
		if !ok || i+2 != len(line) {
			continue
		}
		if first, ok := elem.Index.(*ssa.Const); !ok || first.Int64() != 0 {
			return false
		}
		if split, ok := elem.X.(*ssa.Call); ok && len(split.Call.Args) > 0 {
			if _, begins := text(split.Call.Args[0]); begins {
				return false // the line begins with words of the program
			}
		}
		rest, ok := line[i+1].(*ssa.Slice)
		return ok && rest.X == elem.X
	}
	return false
}

// asksVersion reports whether a command is only asked for its version.
func asksVersion(args []ssa.Value) bool {
	if len(args) != 1 {
		return false
	}
	s, ok := args[0].(*ssa.Slice)
	if !ok {
		return false
	}
	arr, ok := s.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	words := elements(arr)
	for _, w := range words {
		switch s, _ := text(w); s {
		case "version", "-version", "--version", "-v", "-V", "help", "-help", "--help", "-h":
		default:
			return false
		}
	}
	return len(words) > 0
}

// constantForCallers reports whether a command is a constant line for every
// caller of the function that is given its name.
func (c *checker) constantForCallers(name ssa.Value, line []ssa.Value, depth int) bool {
	p, ok := name.(*ssa.Parameter)
	if !ok || depth == maxForward {
		return false
	}
	calls, ok := c.callsOf(p.Parent())
	if !ok || token.IsExported(p.Parent().Name()) {
		return false
	}
	for _, call := range calls {
		args := c.res.Callee(call).Args
		given := make([]ssa.Value, len(line))
		for i, v := range line {
			given[i] = v
			if j := slices.IndexFunc(p.Parent().Params, func(q *ssa.Parameter) bool { return ssa.Value(q) == v }); j >= 0 && j < len(args) {
				given[i] = args[j]
			}
		}
		if !c.constantLine(given, depth+1) {
			return false
		}
	}
	return true
}

// talks reports whether one of the verbs of a command is among its arguments,
// here or in a call of the function that is given them. Without verbs, every
// line that is not all constant talks.
func (c *checker) talks(args []ssa.Value, verbs []string) bool {
	if verbs == nil {
		return !constantArgs(args)
	}
	if len(args) != 1 {
		return false
	}
	return c.hasVerb(args[0], verbs, 0)
}

// maxForward is through how many functions the arguments of a command are
// followed.
const maxForward = 3

func (c *checker) hasVerb(args ssa.Value, verbs []string, depth int) bool {
	switch x := args.(type) {
	case *ssa.Slice:
		if arr, ok := x.X.(*ssa.Alloc); ok {
			return verbIn(elements(arr), verbs)
		}
		return c.hasVerb(x.X, verbs, depth)
	case *ssa.UnOp: // one of several lines
		if ia, ok := x.X.(*ssa.IndexAddr); ok {
			if lines, ok := ia.X.(*ssa.Slice); ok {
				if arr, ok := lines.X.(*ssa.Alloc); ok && depth < maxForward {
					return slices.ContainsFunc(elements(arr), func(line ssa.Value) bool { return c.hasVerb(line, verbs, depth+1) })
				}
			}
		}
	case *ssa.Parameter:
		if depth < maxForward {
			return c.givenVerb(x, verbs, depth+1)
		}
	case *ssa.Call: // append, of what is before or behind
		if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			for _, a := range x.Call.Args {
				if depth < maxForward && c.hasVerb(a, verbs, depth+1) {
					return true
				}
			}
		}
	case *ssa.Phi:
		for _, e := range x.Edges {
			if depth < maxForward && c.hasVerb(e, verbs, depth+1) {
				return true
			}
		}
	}
	return false
}

// givenVerb looks at what the callers of a function give for a parameter.
func (c *checker) givenVerb(p *ssa.Parameter, verbs []string, depth int) bool {
	fn := p.Parent()
	i := 0
	for fn.Params[i] != p {
		i++
	}
	calls, _ := c.callsOf(fn)
	for _, call := range calls {
		if args := c.res.Callee(call).Args; i < len(args) && c.hasVerb(args[i], verbs, depth) {
			return true
		}
	}
	return false
}

// verbIn reports whether one of the verbs is among the values: the first word
// that is no option decides, and values that are not constant are no words. In
// a literal the arguments begin with the name.
func verbIn(values []ssa.Value, verbs []string) bool {
	skip := false
	for i, v := range values {
		s, ok := text(v)
		if i == 0 && remote[s[strings.LastIndexByte(s, '/')+1:]] != nil {
			continue
		}
		if !ok || s == "" || s[0] == '-' || skip {
			skip = valued[s]
			continue
		}
		return slices.Contains(verbs, s)
	}
	return false
}

// valued are options whose value is the next word.
var valued = map[string]bool{"-C": true, "-c": true, "--git-dir": true, "--work-tree": true, "--namespace": true, "-n": true, "--context": true, "-H": true}

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
	if !ok {
		return false
	}
	for _, v := range elements(arr) {
		if _, isConst := v.(*ssa.Const); !isConst {
			return false
		}
	}
	return true
}

// elements lists what is stored to the elements of an array, in order of the
// instructions.
func elements(arr *ssa.Alloc) []ssa.Value {
	if arr.Referrers() == nil {
		return nil
	}
	var out []ssa.Value
	for _, r := range *arr.Referrers() {
		ia, ok := r.(*ssa.IndexAddr)
		if !ok || ia.Referrers() == nil {
			continue
		}
		for _, ir := range *ia.Referrers() {
			if st, ok := ir.(*ssa.Store); ok {
				out = append(out, st.Val)
			}
		}
	}
	return out
}
