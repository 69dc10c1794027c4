package vetrun

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Package is what go list says of a package.
type Package struct {
	ImportPath                                   string
	Dir                                          string
	GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
	TestImports, XTestImports                    []string
	Error                                        *PackageError
	DepsErrors                                   []*PackageError
	Module                                       *Module
}

// A Module is what go list says of the module of a package.
type Module struct {
	Main bool
	Dir  string
}

// A PackageError is an error that go list found while loading.
type PackageError struct {
	Pos string
	Err string
}

// Sources lists the base names of all Go files of p and its tests.
func (p *Package) Sources() []string {
	return slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles)
}

func (p *Package) loadable() bool {
	return p.Error == nil && len(p.DepsErrors) == 0 && len(p.Sources()) > 0
}

const listFields = "-json=ImportPath,Dir,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,TestImports,XTestImports,Error,DepsErrors,Module"

// List asks the go command for the packages that patterns match.
func List(ctx context.Context, target Target, buildFlags, patterns []string) ([]*Package, error) {
	args := slices.Concat([]string{"list", "-e", "-buildvcs=false", listFields}, buildFlags, []string{"--"}, patterns)
	out, stderr, err := run(ctx, target, args...)
	if err != nil {
		return nil, goError("go list", target.Dir, stderr, err)
	}
	var pkgs []*Package
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(Package)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			return pkgs, nil
		} else if err != nil {
			return nil, err
		}
		pkgs = append(pkgs, p)
	}
}

// index answers which package a unit or a file belongs to.
type index struct {
	byPath map[string]*Package
	dirs   map[string]string // import path → folder, for frames
}

func newIndex(pkgs []*Package) *index {
	ix := &index{byPath: map[string]*Package{}, dirs: map[string]string{}}
	for _, p := range pkgs {
		ix.byPath[p.ImportPath] = p
		ix.dirs[p.ImportPath] = p.Dir
	}
	return ix
}

// unit returns the asked-for package that the unit of go vet is of: itself, or
// the package whose external test it is.
func (ix *index) unit(path string) *Package {
	if p := ix.byPath[path]; p != nil {
		return p
	}
	if base, ok := strings.CutSuffix(path, "_test"); ok {
		if p := ix.byPath[base]; p != nil && len(p.XTestGoFiles) > 0 {
			return p
		}
	}
	return nil
}

// owns reports whether file is a source file of p. The path that a //line
// directive names is not.
func (p *Package) owns(file string) bool {
	return filepath.Dir(file) == p.Dir && slices.Contains(p.Sources(), filepath.Base(file))
}

// Owns reports whether file is a regular source file of p, in its folder.
func (p *Package) Owns(file string) bool {
	if !p.owns(file) {
		return false
	}
	info, err := os.Lstat(file)
	return err == nil && info.Mode().IsRegular()
}
