package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/concvet/concvet/internal/report"
)

// tally counts what was found and is not reported, by why.
type tally struct {
	directives, baseline, old int
}

// printStats prints how many there are of each category, what else was found,
// and how long it took.
func (run *checkRun) printStats() {
	if !run.opts.stats {
		return
	}
	count, fixes := map[string]int{}, 0
	shown := 0
	for _, f := range run.report.Findings {
		if f.Suppressed != nil {
			continue
		}
		shown++
		name := f.Category
		if f.Tier == report.Audit {
			name += " (audit)"
		}
		count[name]++
		for _, fix := range f.Fixes {
			if fix.Unsafe == "" {
				fixes++
				break
			}
		}
	}
	for _, c := range slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return strings.Compare(a, b)
	}) {
		fmt.Fprintf(os.Stderr, "%6d %s\n", count[c], c)
	}
	var notes []string
	for _, n := range []struct {
		count int
		what  string
	}{
		{fixes, "with a safe fix"}, {run.left.directives, "suppressed by directives"},
		{run.left.baseline, "in the baseline"}, {run.left.old, "not in new code"},
	} {
		if n.count > 0 {
			notes = append(notes, fmt.Sprintf("%d %s", n.count, n.what))
		}
	}
	extra := ""
	if len(notes) > 0 {
		extra = " (" + strings.Join(notes, ", ") + ")"
	}
	fmt.Fprintf(os.Stderr, "%d findings%s in %d packages, %.1f s\n", shown, extra, run.report.Packages, time.Since(run.started).Seconds())
}
