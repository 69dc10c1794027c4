package vetrun

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"os"
	"slices"

	"golang.org/x/tools/go/gcexportdata"
)

// Types loads the types of packages, as target's module sees them, from the
// export data in the build cache. A package that cannot be loaded is not in the
// map; why says why.
func Types(ctx context.Context, target Target, tags string, paths []string) (pkgs map[string]*types.Package, why map[string]string, err error) {
	args := []string{"list", "-e", "-export", "-buildvcs=false", "-json=ImportPath,Export,Error,DepsErrors"}
	if tags != "" {
		args = append(args, "-tags="+tags)
	}
	out, stderr, err := run(ctx, target, slices.Concat(args, []string{"--"}, paths)...)
	if err != nil {
		return nil, nil, goError("go list", target.Dir, stderr, err)
	}
	pkgs, why = map[string]*types.Package{}, map[string]string{}
	fset := token.NewFileSet()
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Export string
			Error              *PackageError
			DepsErrors         []*PackageError
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs, why, nil
		} else if err != nil {
			return nil, nil, err
		}
		switch {
		case p.Export != "":
			pkg, err := readExport(fset, p.ImportPath, p.Export)
			if err != nil {
				why[p.ImportPath] = err.Error()
			} else {
				pkgs[p.ImportPath] = pkg
			}
		case p.Error != nil:
			why[p.ImportPath] = firstLine(p.Error.Err)
		case len(p.DepsErrors) > 0:
			why[p.ImportPath] = firstLine(p.DepsErrors[0].Err)
		default:
			why[p.ImportPath] = "it does not compile"
		}
	}
}

func readExport(fset *token.FileSet, path, name string) (*types.Package, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r, err := gcexportdata.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read its export data: %v", err)
	}
	return gcexportdata.Read(r, fset, map[string]*types.Package{}, path)
}
