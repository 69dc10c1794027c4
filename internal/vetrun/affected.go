package vetrun

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// decisive are the files that decide about every package of a module.
var decisive = []string{"go.mod", "go.sum", "go.work", "go.work.sum", "modules.txt", ".concvet.yaml"}

// Affected lists the import paths of those of target's packages that have a
// changed file, or that import one which has, directly or not. If a file was
// changed that decides about all of them, all is true.
func Affected(ctx context.Context, target Target, flags []string, changed []string) (paths []string, all bool, err error) {
	folders := map[string]bool{}
	decided := map[string]bool{target.Root: true, target.Dir: true}
	for _, file := range changed {
		if strings.HasSuffix(file, ".go") {
			folders[filepath.Dir(file)] = true
		}
	}
	args := slices.Concat([]string{"list", "-e", "-deps", "-buildvcs=false", "-json=ImportPath,Dir,DepOnly,Deps,TestImports,XTestImports,Module"}, flags, []string{"--"}, target.Patterns)
	out, stderr, err := run(ctx, target, args...)
	if err != nil {
		return nil, false, goError("go list", target.Dir, stderr, err)
	}
	touched := map[string]bool{}
	touches := func(imports []string) bool {
		return slices.ContainsFunc(imports, func(p string) bool { return touched[p] })
	}
	type listed struct {
		ImportPath, Dir                 string
		DepOnly                         bool
		Deps, TestImports, XTestImports []string
		Module                          *struct {
			Main bool
			Dir  string
		}
	}
	var roots []*listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; { // dependencies come first
		p := new(listed)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, false, err
		}
		if folders[p.Dir] || touches(p.Deps) {
			touched[p.ImportPath] = true
		}
		if !p.DepOnly {
			roots = append(roots, p)
		}
		if p.Module != nil && p.Module.Main {
			decided[p.Module.Dir] = true
			decided[filepath.Join(p.Module.Dir, "vendor")] = true
		}
	}
	for _, file := range changed {
		if slices.Contains(decisive, filepath.Base(file)) && decided[filepath.Dir(file)] {
			return nil, true, nil
		}
	}
	for _, p := range roots {
		if touched[p.ImportPath] || touches(p.TestImports) || touches(p.XTestImports) {
			paths = append(paths, p.ImportPath)
		}
	}
	return paths, false, nil
}
