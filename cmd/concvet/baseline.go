package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/concvet/concvet/internal/baseline"
	"github.com/concvet/concvet/internal/config"
	"github.com/concvet/concvet/internal/knowledge"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/vetrun"
)

// baselines are the lists of accepted findings of a run: mostly one.
type baselines struct {
	byFile  map[string]*baseline.List
	missing bool // a list need not exist: it is about to be written

	covered []vetrun.Finding // shown or hidden
	left    []*baseline.List // what of the lists no finding was for
	stale   []*baseline.List // and what of that is certain to be for nothing
}

// file is where the list for a target is, or would be: what the flag says, what
// the configuration says, the nearest file, or one at the root of the repository.
func (b *baselines) file(run *checkRun, t vetrun.Target, cfg *config.Config) (name string, must bool, err error) {
	switch {
	case run.opts.baseline == "none":
		return "", false, nil
	case run.opts.baseline != "":
		name = run.opts.baseline
		if !filepath.IsAbs(name) {
			name = filepath.Join(run.dir, name)
		}
		return name, true, nil
	case cfg.Baseline != "":
		return cfg.Baseline, true, nil
	}
	name, err = config.Nearest(t.Root, baseline.FileName)
	if name == "" && err == nil && b.missing {
		// One for all modules: that of a module alone would hide the others'.
		name = filepath.Join(config.Repository(run.dir), baseline.FileName)
	}
	return name, false, err
}

// of returns the list for a target, or nil.
func (b *baselines) of(run *checkRun, t vetrun.Target, cfg *config.Config) (*baseline.List, error) {
	name, must, err := b.file(run, t, cfg)
	if err != nil || name == "" {
		return nil, err
	}
	if l := b.byFile[name]; l != nil {
		return l, nil
	}
	if b.byFile == nil {
		b.byFile = map[string]*baseline.List{}
	}
	_, serr := os.Lstat(name)
	if errors.Is(serr, fs.ErrNotExist) && (b.missing || !must) {
		b.byFile[name] = baseline.New(name)
		return b.byFile[name], nil
	}
	l, err := baseline.Load(name)
	if err != nil {
		return nil, err
	}
	b.byFile[name] = l
	return l, nil
}

// apply marks the findings that a list covers and keeps those that are to be
// shown. What is hidden for another reason counts as well: an entry for it is
// not for nothing.
func (b *baselines) apply(run *checkRun, shown, hidden []vetrun.Finding) []vetrun.Finding {
	b.covered, b.left, b.stale = nil, nil, nil
	folder := map[string]*baseline.List{}
	seen := map[*baseline.List]*baseline.Coverage{}
	for _, t := range run.targets {
		if t.accept == nil {
			continue
		}
		if seen[t.accept] == nil {
			seen[t.accept] = baseline.NewCoverage()
		}
		if len(t.result.Problems) == 0 { // a package that was not analysed hides what is in it
			for _, p := range t.result.Packages {
				seen[t.accept].Add(p.Dir, run.analysed(&t, p))
			}
		}
		for _, p := range t.result.Packages {
			folder[p.Dir] = t.accept
		}
	}
	covered := make([]bool, len(shown))
	for _, list := range b.byFile {
		if seen[list] == nil {
			continue
		}
		var candidates []vetrun.Finding
		var index []int
		for i, f := range shown {
			if f.Suppressed == nil && folder[f.Dir] == list {
				candidates, index = append(candidates, f), append(index, i)
			}
		}
		for _, f := range hidden {
			if f.Suppressed == nil && folder[f.Dir] == list {
				candidates = append(candidates, f)
			}
		}
		matched, left := list.Match(candidates)
		for i, at := range index {
			covered[at] = matched[i]
		}
		for i, f := range candidates {
			if matched[i] {
				b.covered = append(b.covered, f)
			}
		}
		b.left = append(b.left, left)
		if stale := left.Stale(seen[list]); stale.Len() > 0 {
			b.stale = append(b.stale, stale)
		}
	}
	var kept []vetrun.Finding
	for i, f := range shown {
		if covered[i] {
			if !run.opts.showSuppressed {
				continue
			}
			f.Suppressed = &report.Suppression{Kind: "baseline", Reason: "in the baseline", Pos: filepath.Base(folder[f.Dir].File)}
		}
		kept = append(kept, f)
	}
	return kept
}

// covers reports whether a list has f.
func (b *baselines) covers(f vetrun.Finding) bool {
	return slices.ContainsFunc(b.covered, func(c vetrun.Finding) bool {
		return c.File == f.File && c.Line == f.Line && c.Column == f.Column && c.Category == f.Category
	})
}

// analysed lists the files of p that findings of this run can be in.
func (run *checkRun) analysed(t *target, p *vetrun.Package) []string {
	if run.filter(t).tests {
		return p.Sources()
	}
	return append(p.GoFiles[:len(p.GoFiles):len(p.GoFiles)], p.CgoFiles...)
}

// baselineCommand is concvet baseline create, update or prune.
func baselineCommand(args []string) int {
	verbs := []string{"create", "update", "prune"}
	if len(args) == 0 {
		return fail(errors.New("concvet baseline create writes the list of what is found now, update and prune take out what is gone"))
	}
	verb := args[0]
	isAdd := func(arg string) bool { return arg == "-add" || arg == "--add" }
	opts, patterns, err := parseFlags(slices.DeleteFunc(slices.Clone(args[1:]), isAdd))
	if err != nil {
		return fail(err)
	}
	opts.add = slices.ContainsFunc(args, isAdd)
	switch {
	case verb != "create" && verb != "update" && verb != "prune":
		return fail(fmt.Errorf("unknown command baseline %s%s", verb, knowledge.Nearest(verb, verbs)))
	case opts.add && verb != "update":
		return fail(errors.New("-add belongs to concvet baseline update"))
	case opts.fix || opts.changed.set || opts.newRev+opts.newBase+opts.newFrom != "" || len(opts.formats.list) > 0:
		return fail(fmt.Errorf("concvet baseline %s takes the flags that select findings, but none that fix, print or look at new code only", verb))
	case opts.baseline == "none":
		return fail(fmt.Errorf("-baseline none leaves concvet baseline %s nothing to write", verb))
	}
	run, err := newRunHere(opts)
	if err != nil {
		return fail(err)
	}
	ctx, stop := untilSignal()
	defer stop()
	run.baselines.missing = verb == "create"
	if err := run.writeBaseline(ctx, verb, patterns); err != nil {
		return fail(err)
	}
	return run.status(false)
}

func (run *checkRun) writeBaseline(ctx context.Context, verb string, patterns []string) error {
	if err := run.prepare(ctx, patterns); err != nil {
		return err
	}
	var list *baseline.List
	for _, l := range run.baselines.byFile {
		if list != nil {
			return fmt.Errorf("the packages have two baselines, %s and %s; name one with -baseline", run.relative(min(l.File, list.File)), run.relative(max(l.File, list.File)))
		}
		list = l
	}
	name := ""
	if list != nil {
		name = run.relative(list.File)
	}
	switch {
	case list == nil:
		return errors.New("there is no baseline; concvet baseline create writes one")
	case verb == "create":
		if _, err := os.Lstat(list.File); err == nil {
			return fmt.Errorf("%s exists; concvet baseline update -add takes in what is new", name)
		}
	}
	if err := run.analyse(ctx); err != nil {
		return err
	}
	run.printProblems()
	if len(run.report.Problems) > 0 {
		return fmt.Errorf("%s was not written, since not everything could be checked", name)
	}
	found := run.report.Findings // what the list does not cover
	run.report.Findings = nil
	// What this run knows nothing of stays. What it covers is taken down anew,
	// since its file may have another name now.
	next := baseline.New(list.File)
	for _, left := range run.baselines.left {
		next = left
	}
	for _, stale := range run.baselines.stale {
		next = next.Without(stale)
	}
	for _, f := range run.baselines.covered {
		next.Add(f)
	}
	gone, added := list.Len()-next.Len(), 0
	if verb == "create" || run.opts.add {
		for _, f := range found {
			if f.Suppressed == nil {
				next.Add(f)
				added++
			}
		}
	}
	data, err := next.Marshal()
	if err != nil {
		return err
	}
	out, err := openOutput(list.File)
	if err == nil {
		err = out.write(func(w io.Writer) error { _, err := w.Write(data); return err })
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %v", name, reason(err))
	}
	return writeOut(fmt.Sprintf("%s: %d findings, %d added, %d gone\n", name, next.Len(), added, gone))
}
