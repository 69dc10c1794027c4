package main

import (
	"fmt"
	"iter"
	"os"
	"strings"

	"github.com/concvet/concvet/internal/config"
	"github.com/concvet/concvet/internal/render"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/vetrun"
)

// checks is the selection of categories: the flag wins over the configuration.
func (run *checkRun) checks(cfg *config.Config) (config.Checks, error) {
	if !run.opts.set["checks"] {
		return config.ParseChecks(config.Texts(cfg.Checks), run.catalog)
	}
	checks, err := config.ParseChecks(strings.Split(run.opts.checks, ","), run.catalog)
	if err != nil {
		return checks, fmt.Errorf("-checks: %w", err)
	}
	return checks, nil
}

// sel returns the findings of t that are to be reported, and the ignore rules
// that matched none. It is all done here, after the analysis, so that no choice
// of the user makes go vet analyse anything again.
func (run *checkRun) sel(t *target) (selected []vetrun.Finding, unused []config.Ignore) {
	tests := pick(run.opts.set["tests"], run.opts.tests, t.cfg.Tests)
	audit := pick(run.opts.set["audit"], run.opts.audit, t.cfg.Audit)
	generated := pick(run.opts.set["generated"], run.opts.generated, t.cfg.Generated)
	used := make([]bool, len(t.cfg.Ignore))
	for _, f := range t.result.Findings {
		ignored := false
		for i, ig := range t.cfg.Ignore {
			if ig.Match(f.File) && (len(ig.Categories) == 0 || config.AnyMatches(ig.Categories, f.Category)) {
				used[i], ignored = true, true
			}
		}
		switch {
		case ignored,
			f.Test && !tests,
			f.Tier == report.Audit && !audit,
			f.Generated && !generated,
			f.Suppressed != nil && !run.opts.showSuppressed,
			!t.checks.Selected(f.Category):
			continue
		}
		for i := range f.Fixes {
			setSafety(&f.Fixes[i], f.Category, t.cfg)
		}
		selected = append(selected, f)
	}
	for i, ig := range t.cfg.Ignore {
		if !used[i] {
			unused = append(unused, ig)
		}
	}
	return selected, unused
}

// setSafety lets the configuration promote or demote the fixes of a category.
func setSafety(fix *vetrun.Fix, category string, cfg *config.Config) {
	switch {
	case config.AnyMatches(cfg.Unsafe, category) && fix.Unsafe == "":
		fix.Unsafe = "declared unsafe by the configuration"
	case config.AnyMatches(cfg.Safe, category):
		fix.Unsafe = ""
	}
}

func pick(flagGiven, flag, config bool) bool {
	if flagGiven {
		return flag
	}
	return config
}

// warnUnused tells a person at a terminal of ignore rules without effect. A
// script is not told: editors take anything on standard error for a failure.
func (run *checkRun) warnUnused(rules []config.Ignore) {
	if !run.opts.verbose && !isTerminal(os.Stderr) || run.opts.quiet {
		return
	}
	for _, ig := range rules {
		fmt.Fprintf(os.Stderr, "%s: warning: no finding in the packages of this run matches the ignore rule for %q\n",
			render.Escape(fmt.Sprintf("%s:%d", ig.File, ig.Line)), ig.Path)
	}
}

func splitLines(s string) iter.Seq[string] {
	return strings.SplitSeq(strings.TrimRight(s, "\n"), "\n")
}
