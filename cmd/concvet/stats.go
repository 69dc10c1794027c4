package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"time"
)

func (run *checkRun) printStats() {
	if !run.opts.stats {
		return
	}
	count := map[string]int{}
	for _, f := range run.report.Findings {
		count[f.Category]++
	}
	for _, c := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintf(os.Stderr, "%6d %s\n", count[c], c)
	}
	fmt.Fprintf(os.Stderr, "%d findings in %d packages, %.1f s\n", len(run.report.Findings), run.report.Packages, time.Since(run.started).Seconds())
}
