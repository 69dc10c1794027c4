package vetrun

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// CompileTests compiles the packages of a request with their test files, which
// Run does not look at unless they are asked for. It returns what is wrong with
// them, by the import path of the package that is tested.
func CompileTests(ctx context.Context, req Request) (map[string]string, error) {
	flags, remove, err := req.flags()
	if err != nil {
		return nil, err
	}
	defer remove()
	args := slices.Concat([]string{"list", "-e", "-test", "-export", "-trimpath=false", "-buildvcs=false", "-json=ForTest,Error"}, flags, []string{"--"}, req.Patterns)
	out, stderr, err := run(ctx, req.Target, args...)
	if err != nil {
		return nil, goError("go list", req.Dir, stderr, err)
	}
	wrong := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ForTest string
			Error   *PackageError
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return wrong, nil
		} else if err != nil {
			return nil, err
		}
		if p.ForTest == "" || p.Error == nil || wrong[p.ForTest] != "" {
			continue
		}
		wrong[p.ForTest] = firstLine(p.Error.Err)
		if problems, _ := parseStderr(p.Error.Err, req.Dir); len(problems) > 0 {
			wrong[p.ForTest] = problems[0].Text
			if file := problems[0].File; file != "" {
				wrong[p.ForTest] = fmt.Sprintf("%s:%d: %s", nearby(file), problems[0].Line, problems[0].Text)
			}
		}
	}
}

// Tests lists those of packages that have test files and are themselves, or
// import in their tests, one of the changed ones.
func Tests(packages []*Package, changed []string) []string {
	var list []string
	for _, p := range packages {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		if slices.ContainsFunc(slices.Concat([]string{p.ImportPath}, p.TestImports, p.XTestImports), func(path string) bool {
			return slices.Contains(changed, path)
		}) {
			list = append(list, p.ImportPath)
		}
	}
	return list
}
