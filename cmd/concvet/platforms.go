package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/vetrun"
)

// addTargets adds a target once for each platform that is asked for.
func (run *checkRun) addTargets(t target) {
	platforms := t.cfg.Platforms
	if run.opts.set["platforms"] {
		platforms = run.opts.platforms
	}
	if len(platforms) == 0 {
		run.targets = append(run.targets, t)
		return
	}
	for _, p := range platforms {
		one := t
		one.Platform = p
		run.targets = append(run.targets, one)
		if !slices.Contains(run.platforms, p) {
			run.platforms = append(run.platforms, p)
		}
	}
}

// unused is the category of a directive without effect.
const unused = "directive/unused"

// unusedEverywhere drops what says that a directive is unused if the directive
// is of use on another platform. Each platform that builds its file must agree;
// one whose package could not be analysed does not.
func (run *checkRun) unusedEverywhere(findings []vetrun.Finding) []vetrun.Finding {
	if len(run.platforms) == 0 || !slices.ContainsFunc(findings, func(f vetrun.Finding) bool { return f.Category == unused }) {
		return findings
	}
	builds := map[string][]string{}
	for _, t := range run.targets {
		for _, p := range t.result.Packages {
			for _, name := range p.Sources() {
				file := filepath.Join(p.Dir, name)
				builds[file] = append(builds[file], t.Platform)
			}
		}
	}
	return slices.DeleteFunc(findings, func(f vetrun.Finding) bool {
		return f.Category == unused && slices.ContainsFunc(builds[f.File], func(p string) bool { return !slices.Contains(f.Platforms, p) })
	})
}

// withPlatforms says of problems that not all platforms have which ones do.
func (run *checkRun) withPlatforms(problems []vetrun.Problem) []vetrun.Problem {
	for i, p := range problems {
		if len(p.Platforms) > 0 && len(p.Platforms) < len(run.platforms) {
			problems[i].Text += fmt.Sprintf(" (on %s)", strings.Join(p.Platforms, ", "))
		}
	}
	return problems
}
