// Package apply changes files by the fixes of findings. A file is written as a
// whole or not at all, only if it is a source file of an analysed package of a
// main module, and only if it is still what was analysed.
package apply

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/concvet/concvet/internal/vetrun"
)

// A Guard knows which files may be changed, and what was in them before the
// analysis began.
type Guard struct {
	files map[string]guarded
	lines map[string][]string // package folder → base names that //line directives name
}

type guarded struct {
	hash [sha256.Size]byte
	pkg  *vetrun.Package
}

// NewGuard returns a guard that allows nothing.
func NewGuard() *Guard {
	return &Guard{files: map[string]guarded{}, lines: map[string][]string{}}
}

// Allow takes down the contents of the source files of pkgs. It is called
// before they are analysed.
func (g *Guard) Allow(pkgs []*vetrun.Package) {
	for _, p := range pkgs {
		if p.Module == nil || !p.Module.Main || inVendor(p.Dir) {
			continue
		}
		for _, name := range p.Sources() {
			file := filepath.Join(p.Dir, name)
			if data, err := os.ReadFile(file); err == nil {
				g.files[file] = guarded{sha256.Sum256(data), p}
				g.lines[p.Dir] = append(g.lines[p.Dir], lineDirectives(data)...)
			}
		}
	}
}

func inVendor(dir string) bool {
	return strings.Contains(filepath.ToSlash(dir)+"/", "/vendor/")
}

// generated is how a generated file says that it is one: https://go.dev/s/generatedcode
var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.\r?$`)

var lineDirective = regexp.MustCompile(`(?m)(?:^//line |/\*line )([^\n*]*)`)

// lineDirectives lists the base names of the files that data's //line
// directives name. The name of an edit's file follows such directives, while
// its offsets do not: an edit of a file that is named so cannot be trusted.
func lineDirectives(data []byte) []string {
	var names []string
	for _, m := range lineDirective.FindAllSubmatch(data, -1) {
		name := string(bytes.TrimSpace(m[1]))
		for i := strings.LastIndexByte(name, ':'); i > 0; i = strings.LastIndexByte(name, ':') {
			name = name[:i]
		}
		names = append(names, filepath.Base(name))
	}
	return names
}

// read returns the contents of file if it may be changed. Otherwise it says why
// not; fatal tells a reason that the user must hear of from one that is a
// property of the code.
func (g *Guard) read(file string) (data []byte, why string, fatal bool) {
	known, ok := g.files[file]
	if !ok {
		return nil, "it is not a source file of an analysed package of this module", false
	}
	base := filepath.Base(file)
	for _, name := range known.pkg.CgoFiles {
		if name == base {
			return nil, "the offsets in a file that imports C are those of generated code", false
		}
	}
	for _, name := range g.lines[known.pkg.Dir] {
		if name == base {
			return nil, "a //line directive names it", false
		}
	}
	info, err := os.Lstat(file)
	if err != nil {
		return nil, fmt.Sprintf("it cannot be read any more: %v", err), true
	}
	target, why := g.target(file, info)
	if why != "" {
		return nil, why, true
	}
	if info, err = os.Stat(target); err != nil {
		return nil, fmt.Sprintf("it cannot be read any more: %v", err), true
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, "it is not a regular file", true
	case info.Mode().Perm()&0o200 == 0:
		return nil, "it is read-only", true
	}
	data, err = os.ReadFile(file)
	if err != nil {
		return nil, fmt.Sprintf("it cannot be read any more: %v", err), true
	}
	if sha256.Sum256(data) != known.hash {
		return nil, "it was changed while concvet ran; run concvet again", true
	}
	if generated.Match(data) {
		return nil, "it is generated", false
	}
	return data, "", false
}
