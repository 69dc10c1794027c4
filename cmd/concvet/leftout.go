package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/vetrun"
)

// noteLeftOut says which of the files that were named are no part of what was
// built: nothing is found in them, and nobody should take that for clean. It is
// no failure, since hooks name whatever a commit changes.
func (run *checkRun) noteLeftOut() {
	if run.opts.quiet {
		return
	}
	for _, name := range run.named {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(run.dir, name)
		}
		built := slices.ContainsFunc(run.targets, func(t target) bool {
			return slices.ContainsFunc(t.result.Packages, func(p *vetrun.Package) bool { return has(p, path) })
		})
		if !built {
			fmt.Fprintf(os.Stderr, "concvet: %s was not analysed: its build constraints or its name leave it out\n", name)
		}
	}
}

// has reports whether a file is part of a package or of its tests.
func has(p *vetrun.Package, path string) bool {
	if p.Error != nil {
		return true // it is said what is wrong
	}
	dir, base := filepath.Split(path)
	here, err := os.Stat(dir)
	if err != nil {
		return false
	}
	there, err := os.Stat(p.Dir)
	if err != nil || !os.SameFile(here, there) {
		return false
	}
	return slices.Contains(slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles), base)
}

// goFiles are the arguments that name files.
func goFiles(args []string) []string {
	return slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return !strings.HasSuffix(arg, ".go") })
}
