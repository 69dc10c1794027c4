package main

import (
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/config"
	"github.com/concvet/concvet/internal/lineinfo"
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

// A filter decides what of a target is reported. It is all done after the
// analysis, so that no choice of the user makes go vet analyse anything again.
type filter struct {
	tests, audit, generated, suppressed bool
	checks                              config.Checks
	cfg                                 *config.Config
	used                                []bool // ignore rules that matched something
}

func (run *checkRun) filter(t *target) *filter {
	return &filter{
		tests:      pick(run.opts.set["tests"], run.opts.tests, t.cfg.Tests),
		audit:      pick(run.opts.set["audit"], run.opts.audit, t.cfg.Audit),
		generated:  pick(run.opts.set["generated"], run.opts.generated, t.cfg.Generated),
		suppressed: run.opts.showSuppressed,
		checks:     t.checks, cfg: t.cfg, used: make([]bool, len(t.cfg.Ignore)),
	}
}

const ofAuditTier = "it is of the audit tier; -audit reports it"

// hides says why f is not reported; it returns "" if it is.
func (fl *filter) hides(f vetrun.Finding) string {
	why := ""
	for i, ig := range fl.cfg.Ignore {
		if ig.Match(f.File) && (len(ig.Categories) == 0 || config.AnyMatches(ig.Categories, f.Category)) {
			fl.used[i] = true
			why = fmt.Sprintf("%s:%d ignores it: %s", ig.File, ig.Line, ig.Reason)
		}
	}
	switch {
	case why != "":
		return why
	case f.Category == lineinfo.Category:
		return "it is no finding"
	case f.Suppressed != nil && !fl.suppressed:
		return fmt.Sprintf("the directive at %s suppresses it: %s", f.Suppressed.Pos, f.Suppressed.Reason)
	case f.Test && !fl.tests:
		return "it is in a test file; -tests reports it"
	case f.Generated && !fl.generated:
		return "the file is generated; -generated reports it"
	case !fl.checks.Selected(f.Category):
		return "-checks or the configuration leaves its category out"
	case f.Tier == report.Audit && !fl.audit:
		return ofAuditTier
	}
	return ""
}

// choose selects what is reported of all that was found.
func (run *checkRun) choose() {
	var shown, hidden []vetrun.Finding
	type rule struct {
		file string
		line int
	}
	used, rules := map[rule]bool{}, []config.Ignore{}
	for i := range run.targets {
		t := &run.targets[i]
		fl := run.filter(t)
		for _, f := range t.result.Findings {
			if why := fl.hides(f); why != "" {
				hidden = append(hidden, f)
				if why == ofAuditTier {
					run.onlyAudit++
				}
				continue
			}
			for i := range f.Fixes {
				setSafety(&f.Fixes[i], f.Category, t.cfg)
			}
			shown = append(shown, f)
		}
		for i, ig := range t.cfg.Ignore {
			at := rule{ig.File, ig.Line}
			if _, known := used[at]; !known {
				rules = append(rules, ig)
			}
			used[at] = used[at] || fl.used[i]
		}
	}
	run.unused = slices.DeleteFunc(rules, func(ig config.Ignore) bool { return used[rule{ig.File, ig.Line}] })
	hidden = vetrun.Merge(hidden)
	shown = run.baselines.apply(run, run.unusedEverywhere(vetrun.Merge(shown)), hidden)
	before := len(shown)
	run.report.Findings = slices.DeleteFunc(shown, func(f vetrun.Finding) bool { return !run.isNew(f) })
	run.left = tally{baseline: len(run.baselines.covered), old: before - len(run.report.Findings)}
	for _, f := range slices.Concat(run.report.Findings, hidden) {
		if f.Suppressed != nil && f.Suppressed.Kind != "baseline" {
			run.left.directives++
		}
	}
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

// noteAuditOnly tells a person at a terminal who selects categories, and sees
// nothing, that there is something in the audit tier.
func (run *checkRun) noteAuditOnly() {
	if !run.opts.set["checks"] || run.onlyAudit == 0 || len(run.report.Findings) > 0 || run.quietly() {
		return
	}
	what, them := "findings of what -checks selects are", "them"
	if run.onlyAudit == 1 {
		what, them = "finding of what -checks selects is", "it"
	}
	fmt.Fprintf(os.Stderr, "concvet: %d %s of the audit tier; -audit reports %s\n", run.onlyAudit, what, them)
}

// quietly reports whether what is no error is kept to itself. A script is not told
// it: editors take anything on standard error for a failure.
func (run *checkRun) quietly() bool {
	return !run.opts.verbose && !isTerminal(os.Stderr) || run.opts.quiet
}

// warnUseless tells a person at a terminal of ignore rules and baseline entries
// without effect, or with -strict, where they are errors, anybody.
func (run *checkRun) warnUseless() {
	var lines []string
	for _, ig := range run.unused {
		lines = append(lines, fmt.Sprintf("%s:%d: %%s: no finding in the packages of this run matches the ignore rule for %q", ig.File, ig.Line, ig.Path))
	}
	for _, stale := range run.baselines.stale {
		for _, line := range stale.Lines() {
			lines = append(lines, fmt.Sprintf("%s: %%s: the finding is gone: %s; concvet baseline prune takes it out", run.relative(stale.File), line))
		}
	}
	level := "warning"
	if run.opts.strict {
		level = "error"
		run.failures = run.failures || len(lines) > 0
	} else if run.quietly() {
		return
	}
	for _, line := range lines {
		fmt.Fprintln(os.Stderr, render.Escape(strings.Replace(line, "%s", level, 1)))
	}
}

func splitLines(s string) iter.Seq[string] {
	return strings.SplitSeq(strings.TrimRight(s, "\n"), "\n")
}
