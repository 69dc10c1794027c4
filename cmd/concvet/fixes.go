package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/apply"
	"github.com/concvet/concvet/internal/config"
	"github.com/concvet/concvet/internal/render"
	"github.com/concvet/concvet/internal/vetrun"
)

// maxRounds bounds how often fixes that overlapped others are tried again.
const maxRounds = 5

// applyFixes applies the fixes of what was found, or prints them with -diff.
// After fixes were applied the report is of the code as it is then.
func (run *checkRun) applyFixes(ctx context.Context) (diff bool, err error) {
	files, fixes := map[string]bool{}, 0
	for round := 1; ; round++ {
		plan, err := run.plan()
		if err != nil {
			return false, err
		}
		if err := plan.Verify(ctx, run.verify); err != nil {
			return false, err
		}
		again := !run.opts.diff && round < maxRounds && plan.Count() > 0 && plan.Overlapped()
		if !again {
			run.printWithheld(plan)
		}
		if run.opts.diff {
			return run.printDiff(plan)
		}
		if plan.Count() == 0 {
			break
		}
		written, err := plan.Write()
		if err != nil {
			return false, err
		}
		before := run.report.Problems
		if err := run.analyse(ctx); err != nil {
			if uerr := plan.Undo(); uerr != nil {
				fmt.Fprintf(os.Stderr, "concvet: %s\n", render.Escape(uerr.Error()))
			}
			return false, err // whether they hold is not known
		}
		if p, broken := newProblem(before, run.report.Problems); broken {
			// Each package was tried before anything was written, but not those
			// that import it.
			return false, run.rollBack(ctx, plan, p)
		}
		for _, f := range written.Files {
			files[f] = true
		}
		fixes += written.Fixes
		if !again {
			break
		}
	}
	if fixes > 0 && !run.opts.quiet {
		what := "applied %d fixes to %d files"
		if run.opts.set["add-ignore"] {
			what = "added %d directives to %d files"
		}
		fmt.Fprintf(os.Stderr, "concvet: "+what+"\n", fixes, len(files))
	}
	return false, nil
}

// newProblem returns a problem that there was not before.
func newProblem(before, after []vetrun.Problem) (vetrun.Problem, bool) {
	known := map[string]bool{}
	for _, p := range before {
		known[p.File+"\x00"+p.Package] = true
	}
	for _, p := range after {
		if !known[p.File+"\x00"+p.Package] {
			return p, true
		}
	}
	return vetrun.Problem{}, false
}

// rollBack takes all fixes back and names them.
func (run *checkRun) rollBack(ctx context.Context, plan *apply.Plan, p vetrun.Problem) error {
	if err := plan.Undo(); err != nil {
		return err
	}
	run.failures = true
	for _, w := range plan.Fixes() {
		w.Why = "rolled back, since after it: " + run.report.ProblemLine(p)
		run.printOne(w)
	}
	return run.analyse(ctx)
}

func (run *checkRun) printDiff(plan *apply.Plan) (bool, error) {
	text, err := plan.Diff(func(file string) string {
		rel, err := filepath.Rel(run.dir, file)
		if err != nil {
			rel = file
		}
		return filepath.ToSlash(rel)
	})
	if err != nil {
		return false, err
	}
	if isTerminal(os.Stdout) {
		// In a pipe the diff must stay exact; a terminal gets no control bytes.
		var b strings.Builder
		for line := range splitLines(text) {
			b.WriteString(strings.ReplaceAll(render.Escape(line), `\x09`, "\t") + "\n")
		}
		return text != "", writeOut(b.String())
	}
	return text != "", writeOut(text)
}

// plan chooses the edits: fixes, or directives that suppress what was found.
func (run *checkRun) plan() (*apply.Plan, error) {
	findings := run.report.Findings
	if run.opts.set["add-ignore"] {
		return apply.Choose(apply.Directives(findings, run.opts.addIgnore), run.guard, false), nil
	}
	if run.opts.fixOnly != nil {
		only, err := run.fixOnly()
		if err != nil {
			return nil, err
		}
		findings = slices.DeleteFunc(slices.Clone(findings), func(f vetrun.Finding) bool { return !only.Selected(f.Category) })
	}
	return apply.Choose(findings, run.guard, run.opts.unsafeFixes), nil
}

// fixOnly is the selection of -fix-only.
func (run *checkRun) fixOnly() (config.Checks, error) {
	only, err := config.ParseChecks(run.opts.fixOnly, run.catalog)
	if err != nil {
		return only, fmt.Errorf("-fix-only: %w", err)
	}
	return only, nil
}

// changesFiles reports whether files are changed, or with -diff would be.
func (o *options) changesFiles() bool { return o.fix || o.set["add-ignore"] }

// printWithheld says which fixes are not applied, and why.
func (run *checkRun) printWithheld(plan *apply.Plan) {
	for _, w := range plan.Withheld {
		run.failures = run.failures || w.Fatal
		if !w.Fatal && run.opts.quiet {
			continue
		}
		run.printOne(w)
	}
}

func (run *checkRun) printOne(w apply.Withheld) {
	place := render.Position(run.relative(w.Finding.File), w.Finding.Line, w.Finding.Column)
	fmt.Fprintln(os.Stderr, render.Escape(fmt.Sprintf("%s: fix %q not applied: %s", place, w.Fix.Title, w.Why)))
}

func (run *checkRun) relative(file string) string {
	if rel, err := filepath.Rel(run.dir, file); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return file
}
