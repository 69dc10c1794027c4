package main

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/vetrun"
)

// verify analyses packages with the fixed contents of their files in place of
// the files, by the same command that found the mistakes.
func (run *checkRun) verify(ctx context.Context, packages []string, contents map[string][]byte, fixed []vetrun.Finding) (map[string]string, error) {
	complaints := map[string]string{}
	for _, t := range run.targets {
		patterns := owned(t, packages)
		if len(patterns) == 0 {
			continue
		}
		req := run.request(&t)
		req.Overlay, req.Patterns = contents, patterns
		res, err := vetrun.Run(ctx, req)
		if err != nil {
			return nil, err
		}
		for _, p := range res.Problems {
			pkg := strings.TrimSuffix(p.Package, "_test")
			if !slices.Contains(packages, pkg) {
				pkg = ""
			}
			complaints[pkg] = "it does not compile: " + p.Text
		}
		if len(res.Problems) == 0 {
			here := slices.DeleteFunc(slices.Clone(fixed), func(f vetrun.Finding) bool {
				return t.Platform != "" && !slices.Contains(f.Platforms, t.Platform)
			})
			maps.Copy(complaints, compare(t.result.Findings, here, res.Findings))
		}
		if len(complaints) == 0 && run.opts.fix && !t.tests {
			broken, err := run.breaksTests(ctx, &t, packages, contents)
			if err != nil {
				return nil, err
			}
			maps.Copy(complaints, broken)
		}
	}
	return complaints, nil
}

// breaksTests compiles the tests of packages, and those that import one of them,
// with the fixed contents. Without -tests nothing else looks at test files, and
// a fix can break them: it may change the type of a variable of the package, or
// import a package by a name that only a test file declares.
func (run *checkRun) breaksTests(ctx context.Context, t *target, packages []string, contents map[string][]byte) (map[string]string, error) {
	req := run.request(t)
	req.Overlay, req.Patterns = contents, vetrun.Tests(t.result.Packages, packages)
	if len(req.Patterns) == 0 {
		return nil, nil
	}
	after, err := vetrun.CompileTests(ctx, req)
	if err != nil || len(after) == 0 {
		return nil, err
	}
	req.Overlay, req.Patterns = run.overlay, slices.Sorted(maps.Keys(after))
	before, err := vetrun.CompileTests(ctx, req)
	if err != nil {
		return nil, err
	}
	complaints := map[string]string{}
	for pkg, why := range after {
		if before[pkg] != "" {
			continue // it is not due to the fixes
		}
		if !slices.Contains(packages, pkg) {
			pkg = ""
		}
		complaints[pkg] = "its tests do not compile: " + why
	}
	return complaints, nil
}

// owned lists those of packages that t analysed.
func owned(t target, packages []string) []string {
	var list []string
	for _, p := range t.result.Packages {
		if slices.Contains(packages, p.ImportPath) {
			list = append(list, p.ImportPath)
		}
	}
	return list
}

// compare says what is wrong with the findings after some were fixed: one is
// still there, or there is a new one. Lines move and fingerprints count equal
// findings of a function, so findings are counted a function and category.
func compare(before, fixed, after []vetrun.Finding) map[string]string {
	type place struct{ pkg, file, symbol, category string }
	at := func(f vetrun.Finding) place { return place{f.Package, f.File, f.Symbol, f.Category} }
	allowed, repaired := map[place]int{}, map[place]bool{}
	for _, f := range before {
		if f.Suppressed == nil {
			allowed[at(f)]++
		}
	}
	for _, f := range fixed {
		allowed[at(f)]--
		repaired[at(f)] = true
	}
	complaints := map[string]string{}
	for _, f := range after {
		if f.Suppressed != nil {
			continue
		}
		if allowed[at(f)]--; allowed[at(f)] >= 0 {
			continue
		}
		if repaired[at(f)] {
			complaints[f.Package] = "the finding is still there: " + f.Text
		} else if f.Tier == report.Default {
			complaints[f.Package] = "there is a new finding: " + f.Text
		}
	}
	return complaints
}
