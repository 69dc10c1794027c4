package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/concvet/concvet/internal/apply"
	"github.com/concvet/concvet/internal/baseline"
	"github.com/concvet/concvet/internal/config"
	"github.com/concvet/concvet/internal/newcode"
	"github.com/concvet/concvet/internal/render"
	"github.com/concvet/concvet/internal/vetrun"
)

// A checkRun is one run over all modules that the command line names.
type checkRun struct {
	opts    *options
	dir     string // working folder, absolute
	catalog config.Catalog
	started time.Time

	targets   []target
	platforms []string // all that targets are for; empty: only this one
	baselines baselines
	fresh     *newcode.Lines // nil: old code is reported, too
	report    *render.Report
	guard     *apply.Guard
	unused    []config.Ignore
	left      tally
	onlyAudit int // findings that nothing hides but their tier
	overlay   map[string][]byte

	named     []string // files among the arguments
	withTests bool     // test files are analysed even if they are not shown
	failures  bool     // something that was asked for could not be done
}

// maxConf is less than the longest argument that systems take, 128 KB on Linux.
const maxConf = 100_000

// A target is a module or workspace and how it is checked.
type target struct {
	vetrun.Target
	cfg    *config.Config
	conf   string // for -conf
	tests  bool   // test files are analysed
	checks config.Checks
	accept *baseline.List // nil: none
	result *vetrun.Result
}

// newRunHere is newCheckRun in the folder of -C, or in the working folder.
func newRunHere(opts *options) (*checkRun, error) {
	if opts.dir != "" {
		if err := changeDir(opts.dir); err != nil {
			return nil, err
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return newCheckRun(opts, dir), nil
}

func check(opts *options, patterns []string) int {
	run, err := newRunHere(opts)
	if err != nil {
		return fail(err)
	}
	ctx, stop := untilSignal()
	defer stop()
	if err := run.mistyped(ctx, patterns); err != nil {
		return fail(err)
	}
	status, err := run.run(ctx, patterns)
	if err != nil {
		return fail(err)
	}
	return status
}

func newCheckRun(opts *options, dir string) *checkRun {
	return &checkRun{opts: opts, dir: dir, catalog: catalog(), guard: apply.NewGuard(), started: time.Now()}
}

func (run *checkRun) run(ctx context.Context, patterns []string) (int, error) {
	outputs, err := openOutputs(run.opts.destinations())
	if err != nil {
		return exitFailure, err
	}
	defer outputs.discard()
	if err := run.prepare(ctx, patterns); err != nil {
		return exitFailure, err
	}
	if err := run.analyse(ctx); err != nil {
		return exitFailure, err
	}
	run.noteLeftOut()
	diff := false
	if run.opts.changesFiles() {
		if diff, err = run.applyFixes(ctx); err != nil {
			return exitFailure, err
		}
	}
	if !run.opts.diff {
		if err := outputs.write(run.report); err != nil {
			return exitFailure, err
		}
	}
	run.printProblems()
	run.warnUseless()
	run.noteAuditOnly()
	run.printStats()
	return run.status(diff), nil
}

// prepare finds the targets and their configurations, and checks both before
// anything is analysed.
func (run *checkRun) prepare(ctx context.Context, patterns []string) error {
	if err := run.readOverlay(); err != nil {
		return err
	}
	env, err := vetrun.ReadGoEnv(ctx, run.dir)
	if err != nil {
		return err
	}
	targets, err := vetrun.Targets(run.dir, env, patterns)
	if err != nil {
		return err
	}
	run.named = goFiles(patterns)
	if _, err := run.fixOnly(); err != nil {
		return err
	}
	for _, t := range targets {
		cfg, err := run.configFor(t)
		if err != nil {
			return run.shorten(err)
		}
		if err := run.checkModels(ctx, t, cfg); err != nil {
			return run.shorten(err)
		}
		checks, err := run.checks(cfg)
		if err != nil {
			return err
		}
		tests := run.withTests || pick(run.opts.set["tests"], run.opts.tests, cfg.Tests)
		conf, err := json.Marshal(unitConf{V: 1, Models: cfg.ModelTexts(), Tests: tests})
		if err != nil {
			return err
		}
		if len(conf) > maxConf {
			return fmt.Errorf("%s: the models are %d bytes long and must fit on a command line: at most %d", cfg.File, len(conf), maxConf)
		}
		accept, err := run.baselines.of(run, t, cfg)
		if err != nil {
			return run.shorten(err)
		}
		run.addTargets(target{Target: t, cfg: cfg, conf: string(conf), tests: tests, checks: checks, accept: accept})
	}
	return run.narrow(ctx)
}

func (run *checkRun) configFor(t vetrun.Target) (*config.Config, error) {
	name := run.opts.config
	switch name {
	case "none":
		return new(config.Config), nil
	case "":
		found, err := config.Find(t.Root)
		if err != nil || found == "" {
			return new(config.Config), err
		}
		name = found
	default:
		if !filepath.IsAbs(name) {
			name = filepath.Join(run.dir, name)
		}
	}
	cfg, err := config.Load(name)
	if err != nil {
		return nil, err
	}
	return cfg, cfg.Valid(run.catalog)
}

func (run *checkRun) checkModels(ctx context.Context, t vetrun.Target, cfg *config.Config) error {
	paths := cfg.ModelPackages()
	if len(paths) == 0 {
		return nil
	}
	pkgs, why, err := vetrun.Types(ctx, t, run.opts.tags, paths)
	if err != nil {
		return err
	}
	return cfg.ResolveModels(pkgs, why)
}

// shorten writes the path in an error of the configuration as a person would.
func (run *checkRun) shorten(err error) error {
	var e *config.Error
	if errors.As(err, &e) {
		if rel, rerr := filepath.Rel(run.dir, e.File); rerr == nil && len(rel) < len(e.File) {
			short := *e
			short.File = rel
			return &short
		}
	}
	return err
}

// analyse runs go vet for each target and selects what is reported.
func (run *checkRun) analyse(ctx context.Context) error {
	progress := startProgress(run.opts, len(run.targets))
	defer progress.stop()
	run.report = &render.Report{
		Dir:        run.dir,
		Version:    toolVersion(),
		Categories: rules(),
		Platforms:  run.platforms,
		Color:      colored(run.opts.color, os.Stdout),
	}
	folders := map[string]bool{}
	for i := range run.targets {
		t := &run.targets[i]
		progress.target(i, t.Dir, t.Platform)
		req := run.request(t)
		req.Overlay = run.overlay
		if run.opts.changesFiles() {
			req.Listed = run.guard.Allow
		}
		res, err := vetrun.Run(ctx, req)
		if err != nil {
			return err
		}
		t.result = res
		run.report.Problems = append(run.report.Problems, res.Problems...)
		for _, p := range res.Packages {
			folders[p.Dir] = true // one package on several platforms is one
		}
	}
	run.report.Packages = len(folders)
	run.report.Problems = run.withPlatforms(vetrun.MergeProblems(run.report.Problems))
	if run.report.Packages == 0 && len(run.targets) > 0 {
		return fmt.Errorf("no packages match on %s", strings.Join(run.platforms, ", "))
	}
	run.choose()
	return nil
}

// request is the run of go vet for a target. All that changes a result is in
// it, so that every mode of concvet shares one cache.
func (run *checkRun) request(t *target) vetrun.Request {
	return vetrun.Request{Target: t.Target, Tags: run.opts.tags, Mod: run.opts.mod, Conf: t.conf}
}

func (run *checkRun) printProblems() {
	for _, p := range run.report.Problems {
		line := run.report.ProblemLine(p)
		if p.File == "" {
			line = "concvet: " + line // with a position it is for editors, too
		}
		fmt.Fprintln(os.Stderr, line)
		if run.opts.verbose && p.Detail != "" {
			for line := range splitLines(p.Detail) {
				fmt.Fprintln(os.Stderr, "\t"+render.Escape(line))
			}
		}
	}
}

// status is the exit status: a failure wins over findings.
func (run *checkRun) status(diff bool) int {
	if len(run.report.Problems) > 0 || run.failures {
		return exitFailure
	}
	found := diff
	if !run.opts.diff {
		for _, f := range run.report.Findings {
			found = found || f.Suppressed == nil
		}
	}
	if found && !run.opts.exitZero {
		return exitFindings
	}
	return exitClean
}
