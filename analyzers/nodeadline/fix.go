package nodeadline

import "golang.org/x/tools/go/analysis"

// fixes suggests how the wait gets an end.
func (c *checker) fixes(v *verdict) ([]analysis.SuggestedFix, map[string]string) { return nil, nil }
