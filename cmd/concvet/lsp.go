package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/config"
	"github.com/concvet/concvet/internal/knowledge"
	"github.com/concvet/concvet/internal/lsp"
	"github.com/concvet/concvet/internal/vetrun"
)

// languageServer serves an editor on standard input and output.
func languageServer(args []string) int {
	for _, a := range args {
		if a != "-stdio" && a != "--stdio" { // some clients always pass it
			return fail(fmt.Errorf("lsp: unknown argument %s%s", a, knowledge.Nearest(a, []string{"-stdio"})))
		}
	}
	// A stray print must not get between the messages.
	out := os.Stdout
	os.Stdout = os.Stderr
	ctx, stop := untilSignal()
	defer stop()
	if err := lsp.New(checkForEditor, toolVersion()).Serve(ctx, os.Stdin, out); ctx.Err() != nil {
		return fail(ctx.Err())
	} else if err != nil {
		fmt.Fprintf(os.Stderr, "concvet: lsp: %v\n", err)
		return exitFindings
	}
	return exitClean
}

// foreign reports whether a folder holds code of others, which an editor opens
// when somebody follows a call there: of the standard library, of a dependency.
// Nobody wants findings there, and analysing the standard library as a root
// would put it in the build cache as such.
func foreign(env *vetrun.GoEnv, dir string) bool {
	if strings.Contains(filepath.ToSlash(dir)+"/", "/vendor/") {
		return true
	}
	for _, root := range []string{env.GOROOT, env.GOMODCACHE} {
		if rel, err := filepath.Rel(root, dir); root != "" && err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// checkForEditor is a check as the command makes it, without a report.
func checkForEditor(ctx context.Context, req lsp.Request) (*lsp.Result, error) {
	env, err := vetrun.ReadGoEnv(ctx, req.Dir)
	if err != nil {
		return nil, err
	}
	folders := slices.DeleteFunc(slices.Clone(req.Folders), func(dir string) bool { return foreign(env, dir) })
	if len(folders) == 0 {
		return &lsp.Result{}, nil
	}
	set := req.Settings
	opts := &options{
		tags: set.Tags, config: set.Config, checks: set.Checks, tests: set.Tests, audit: set.Audit,
		color: "never", quiet: true, set: map[string]bool{"checks": set.Checks != "", "tests": set.Tests, "audit": set.Audit},
	}
	if set.Platforms != "" {
		opts.platforms, opts.set["platforms"] = strings.Split(set.Platforms, ","), true
		for _, p := range opts.platforms {
			if err := config.CheckPlatform(p); err != nil {
				return nil, fmt.Errorf("platforms: %v", err)
			}
		}
	}
	run := newCheckRun(opts, req.Dir)
	run.overlay = req.Overlay
	if err := run.prepare(ctx, folders); err != nil {
		return nil, err
	}
	if err := run.analyse(ctx); err != nil {
		return nil, err
	}
	res := &lsp.Result{Findings: run.report.Findings, Problems: run.report.Problems}
	for i := range run.targets {
		res.Packages = append(res.Packages, run.targets[i].result.Packages...)
	}
	return res, nil
}
