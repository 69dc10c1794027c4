package vetrun

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/report"
)

// A Request is one run of go vet: one module or workspace.
type Request struct {
	Target
	Tags    string
	Mod     string            // value of -mod
	Conf    string            // canonical JSON of -conf
	Overlay map[string][]byte // contents to analyse in place of those of a file

	// Listed is called with the packages that were asked for before any of
	// them is analysed.
	Listed func([]*Package)
}

// A Result is what a run found.
type Result struct {
	Packages []*Package // those asked for, in the order of their import paths
	Findings []Finding
	Problems []Problem
}

// Run runs go vet. The error is for what keeps it from running at all; whatever
// stands in the way of single packages is among the problems of the result.
func Run(ctx context.Context, req Request) (*Result, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot find the concvet executable, which go vet must run: %v", err)
	}
	flags, remove, err := req.flags()
	if err != nil {
		return nil, err
	}
	defer remove()
	r := &runner{req: req, self: self, flags: flags}

	type listing struct {
		pkgs []*Package
		err  error
	}
	listed := make(chan listing, 1)
	list := func() {
		pkgs, err := List(ctx, req.Target, flags, req.Patterns)
		listed <- listing{pkgs, err}
	}
	var l listing
	if req.Listed != nil {
		list()
		if l = <-listed; l.err != nil {
			return nil, l.err
		}
		req.Listed(l.pkgs)
	} else {
		go list() // beside go vet: it costs nothing then
	}
	vet, err := r.vet(ctx, req.Patterns)
	if req.Listed == nil {
		if l = <-listed; l.err != nil {
			return nil, l.err
		}
	}
	if err != nil {
		return nil, err
	}
	res, err := r.result(ctx, l.pkgs, vet)
	if ctx.Err() != nil { // nobody is told half of it
		return nil, ctx.Err()
	}
	return res, err
}

// flags are those that choose the files and what is in them. What they lead to
// is there until remove is called.
func (req Request) flags() (flags []string, remove func(), err error) {
	flags, remove = []string{}, func() {}
	if req.Tags != "" {
		flags = append(flags, "-tags="+req.Tags)
	}
	if req.Mod != "" {
		flags = append(flags, "-mod="+req.Mod)
	}
	if len(req.Overlay) > 0 {
		o, err := newOverlay(req.Overlay)
		if err != nil {
			return nil, nil, err
		}
		flags, remove = append(flags, "-overlay="+o.file()), o.remove
	}
	return flags, remove, nil
}

func isExcluded(text string) bool {
	return strings.Contains(text, "build constraints exclude all Go files")
}

type runner struct {
	req   Request
	self  string
	flags []string
}

// An output is what one go vet printed.
type output struct {
	findings []Finding
	problems []Problem
	early    bool // the go command gave up before it looked at a package
}

func (r *runner) vet(ctx context.Context, patterns []string) (*output, error) {
	// Positions of another checkout are replayed from the cache under
	// -trimpath, and version control has no part in what is found.
	args := slices.Concat([]string{"vet", "-vettool=" + r.self, "-json", "-trimpath=false", "-buildvcs=false", "-conf=" + r.req.Conf}, r.flags, []string{"--"}, patterns)
	stdout, stderr, err := run(ctx, r.req.Target, args...)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	out := new(output)
	var derr error
	out.findings, out.problems, derr = decode(bytes.NewReader(stdout))
	if derr != nil {
		return nil, derr
	}
	problems, early := parseStderr(string(stderr), r.req.Dir)
	out.early = early && len(stdout) == 0
	if err != nil && len(problems) == 0 {
		return nil, goError("go vet", r.req.Dir, nil, err)
	}
	if err != nil {
		out.problems = append(out.problems, problems...)
	}
	return out, nil
}

func (r *runner) result(ctx context.Context, pkgs []*Package, out *output) (*Result, error) {
	pkgs = slices.DeleteFunc(pkgs, func(p *Package) bool { return p.Dir == "" && p.Error == nil })
	if r.req.Platform != "" {
		// A package that is for other platforms only is no failure here.
		pkgs = slices.DeleteFunc(pkgs, func(p *Package) bool { return p.Error != nil && isExcluded(p.Error.Err) })
		out.problems = slices.DeleteFunc(out.problems, func(p Problem) bool { return isExcluded(p.Text) })
	}
	slices.SortFunc(pkgs, func(a, b *Package) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	if len(pkgs) == 0 && r.req.Platform != "" {
		return new(Result), nil // there may be some on another platform
	}
	if len(pkgs) == 0 {
		return nil, fmt.Errorf("no packages match %s", strings.Join(r.req.Patterns, " "))
	}
	if out.early {
		// One import that cannot be resolved stops go vet for all packages,
		// so it is asked again for those that can be loaded.
		again, err := r.loadable(ctx, pkgs, out)
		if err != nil {
			return nil, err
		}
		out = again
	}
	ix := newIndex(pkgs)
	res := &Result{Packages: pkgs, Problems: out.problems}
	twice := analysedTwice(pkgs, out.problems)
	present := map[string]bool{}
	for _, f := range out.findings {
		if f.Category == report.Presence {
			if p := ix.unit(f.Package); p != nil {
				present[p.ImportPath] = true
			}
			continue
		}
		p := ix.unit(f.Package)
		if p == nil {
			continue // a package of the module that was analysed for its importers
		}
		if twice[p.ImportPath] && f.Package == p.ImportPath && !f.WithTest {
			continue
		}
		f.Package, f.Dir = p.ImportPath, p.Dir
		p.restore(&f)
		f.Physical = p.owns(f.File)
		if r.req.Platform != "" {
			f.Platforms = []string{r.req.Platform}
		}
		res.Findings = append(res.Findings, f)
	}
	if len(res.Problems) == 0 {
		res.Problems = lost(pkgs, present)
	}
	res.Findings = Merge(res.Findings)
	for i, problem := range res.Problems {
		if p := ix.unit(problem.Package); p != nil {
			res.Problems[i].File = p.real(problem.File)
		}
	}
	if r.req.Platform != "" {
		for i := range res.Problems {
			res.Problems[i].Platforms = []string{r.req.Platform}
		}
	}
	res.Problems = MergeProblems(res.Problems)
	ix.mapFrames(ctx, r.req.Target, r.flags, res.Findings)
	return res, nil
}

func (r *runner) loadable(ctx context.Context, pkgs []*Package, first *output) (*output, error) {
	var good []string
	var left []string
	for _, p := range pkgs {
		if p.loadable() {
			good = append(good, p.ImportPath)
		} else if p.Dir != "" {
			left = append(left, p.ImportPath)
		}
	}
	if len(good) == 0 {
		return first, nil
	}
	out, err := r.vet(ctx, good)
	if err != nil {
		return nil, err
	}
	out.problems = append(out.problems, first.problems...)
	if len(left) > 0 {
		out.problems = append(out.problems, Problem{Text: leftOut(left)})
	}
	return out, nil
}

// lost names the packages of which nothing was heard, although nothing failed.
func lost(pkgs []*Package, present map[string]bool) []Problem {
	var list []Problem
	for _, p := range pkgs {
		if !p.loadable() || len(p.GoFiles)+len(p.CgoFiles) == 0 || present[p.ImportPath] {
			continue
		}
		text := "what was found in " + p.ImportPath + " is missing from go's build cache; run go clean -cache, then concvet again"
		if p.Module == nil || !p.Module.Main {
			text = p.ImportPath + " was analysed as a dependency before, and go's build cache keeps that; to check it, run concvet in its own module"
		}
		list = append(list, Problem{Package: p.ImportPath, Text: text})
	}
	return list
}

func leftOut(left []string) string {
	const most = 5
	text := strings.Join(left[:min(len(left), most)], ", ")
	if n := len(left) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return "not analysed, since not all of its imports or files could be loaded: " + text
}

// analysedTwice lists the packages that go vet analyses with their test files
// when asked for them, and without as well if something imports them. Only the
// former counts, so that what is said of a package does not depend on what else
// was asked for. If it failed, the latter is better than nothing.
func analysedTwice(pkgs []*Package, problems []Problem) map[string]bool {
	twice := map[string]bool{}
	for _, p := range pkgs {
		twice[p.ImportPath] = len(p.TestGoFiles) > 0 && len(p.GoFiles)+len(p.CgoFiles) > 0
	}
	for _, problem := range problems {
		delete(twice, problem.Package)
	}
	return twice
}
