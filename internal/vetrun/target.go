package vetrun

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// A Target is a set of packages that one go vet can analyse: those of one
// module, or of one workspace.
type Target struct {
	Dir      string   // folder to run in, absolute
	Patterns []string // relative to Dir
	Root     string   // folder of the go.mod or go.work, where the configuration is looked for
	NoWork   bool     // the module is below a go.work that does not list it
	Platform string   // "GOOS/GOARCH", empty for that of the environment
	Temp     string   // GOTMPDIR
}

// Targets splits the arguments of the command line, which are package patterns
// and Go files, by module. Without arguments it takes the module or workspace
// that dir is in, or else every module below dir.
func Targets(dir string, env *GoEnv, args []string) ([]Target, error) {
	ws, err := readWorkspace(env)
	if err != nil {
		return nil, err
	}
	t := &targeter{dir: dir, ws: ws, root: map[string]int{}}
	if len(args) == 0 {
		err = t.all()
	}
	for _, arg := range args {
		if err := t.add(arg); err != nil {
			return nil, err
		}
	}
	for i := range t.list {
		t.list[i].Temp = env.GOTMPDIR
	}
	return t.list, err
}

// A workspace is what a go.work lists.
type workspace struct {
	root    string // folder of go.work, empty without one
	modules []string
}

func readWorkspace(env *GoEnv) (*workspace, error) {
	if env.GOWORK == "" || env.GOWORK == "off" {
		return &workspace{}, nil
	}
	data, err := os.ReadFile(env.GOWORK)
	if err != nil {
		return nil, fmt.Errorf("cannot read the workspace file: %v", err)
	}
	file, err := modfile.ParseWork(env.GOWORK, data, nil)
	if err != nil {
		return nil, err // has file:line
	}
	ws := &workspace{root: filepath.Dir(env.GOWORK)}
	for _, use := range file.Use {
		dir := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(ws.root, dir)
		}
		ws.modules = append(ws.modules, filepath.Clean(dir))
	}
	return ws, nil
}

type targeter struct {
	dir  string
	ws   *workspace
	list []Target
	root map[string]int // by Dir and NoWork
}

func (t *targeter) all() error {
	module := ModuleRoot(t.dir)
	switch {
	case t.ws.root == t.dir:
		t.put(Target{Dir: t.dir, Root: t.dir}, "work")
	case module != "":
		t.put(Target{Dir: t.dir, Root: module, NoWork: t.ws.root != "" && !slices.Contains(t.ws.modules, module)}, "./...")
	default:
		return t.below(t.dir)
	}
	return nil
}

// add adds one argument.
func (t *targeter) add(arg string) error {
	if strings.HasSuffix(arg, ".go") {
		path := t.abs(arg)
		info, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("%s: no such file", arg)
		}
		if !info.IsDir() {
			return t.local(arg, filepath.Dir(path), "")
		}
	}
	if !isLocal(arg) {
		t.put(t.here(), arg)
		return nil
	}
	dir, rest := arg, ""
	if i := strings.Index(arg, "..."); i >= 0 {
		// "./a/..." and "./a/b..." both start at ./a.
		dir = arg[:strings.LastIndexAny(arg[:i], `/\`)+1]
		rest = arg[len(dir):]
	}
	path := t.abs(dir)
	switch info, err := os.Stat(path); {
	case err != nil:
		return fmt.Errorf("%s: no such folder", arg)
	case !info.IsDir():
		return fmt.Errorf("%s: neither a folder nor a Go file", arg)
	}
	return t.local(arg, path, rest)
}

// local adds the packages of the folder path, or those that the pattern rest
// matches below it.
func (t *targeter) local(arg, path, rest string) error {
	module := ModuleRoot(path)
	if module == "" {
		if rest == "..." && path == t.ws.root {
			t.put(t.here(), "work") // the go command has no other word for it
			return nil
		}
		if rest == "..." {
			return t.below(path)
		}
		return fmt.Errorf("%s: not in a Go module: there is no go.mod in its folder or above", arg)
	}
	target := Target{Dir: module, Root: module}
	switch {
	case slices.Contains(t.ws.modules, module), t.ws.root == "" && module == ModuleRoot(t.dir):
		target = t.here()
	case t.ws.root != "":
		target.NoWork = true
	}
	rel, err := filepath.Rel(target.Dir, path)
	if err != nil {
		return err
	}
	pattern := filepath.ToSlash(rel)
	if !strings.HasPrefix(pattern, "..") && !filepath.IsAbs(rel) {
		pattern = "./" + pattern
	}
	if pattern == "./." {
		pattern = "."
	}
	if rest != "" {
		pattern = strings.TrimSuffix(pattern, "/") + "/" + rest
	}
	t.put(target, pattern)
	return nil
}

// here is the target of the folder that concvet was started in.
func (t *targeter) here() Target {
	root := ModuleRoot(t.dir)
	if t.ws.root != "" && !slices.Contains(t.ws.modules, root) {
		root = t.ws.root
	}
	if root == "" {
		root = t.dir
	}
	return Target{Dir: t.dir, Root: root}
}

// below adds every module at or below dir.
func (t *targeter) below(dir string) error {
	n := len(t.list)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // an unreadable folder holds no module that could be analysed
		}
		if d.IsDir() {
			name := d.Name()
			if path != dir && (name == "vendor" || name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return filepath.SkipDir
			}
			return nil
		}
		if d.Name() == "go.mod" && d.Type().IsRegular() {
			module := filepath.Dir(path)
			t.put(Target{Dir: module, Root: module, NoWork: t.ws.root != "" && !slices.Contains(t.ws.modules, module)}, "./...")
		}
		return nil
	})
	if err == nil && len(t.list) == n {
		err = fmt.Errorf("%s: no Go module here, above or below: there is no go.mod", dir)
	}
	return err
}

func (t *targeter) put(target Target, pattern string) {
	key := fmt.Sprintf("%s\x00%t", target.Dir, target.NoWork)
	i, ok := t.root[key]
	if !ok {
		i = len(t.list)
		t.root[key] = i
		t.list = append(t.list, target)
	}
	if p := &t.list[i].Patterns; !slices.Contains(*p, pattern) {
		*p = append(*p, pattern)
	}
}

func (t *targeter) abs(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(t.dir, path)
}

func isLocal(arg string) bool {
	slash := filepath.ToSlash(arg)
	return slash == "." || slash == ".." || strings.HasPrefix(slash, "./") || strings.HasPrefix(slash, "../") || filepath.IsAbs(arg) || strings.HasPrefix(slash, "...")
}

// ModuleRoot is the nearest folder at or above dir with a go.mod, or "".
func ModuleRoot(dir string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && info.Mode().IsRegular() {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
