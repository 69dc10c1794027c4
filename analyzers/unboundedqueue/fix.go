package unboundedqueue

import (
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

func (c *checker) fixes(f found) (out []analysis.SuggestedFix, changes map[string]string) {
	return nil, nil
}

func (c *checker) poolFixes(call *ssa.Call) []analysis.SuggestedFix { return nil }

func (c *checker) capacityFix(mc *ssa.MakeChan, forOne bool) ([]analysis.SuggestedFix, map[string]string) {
	return nil, nil
}
