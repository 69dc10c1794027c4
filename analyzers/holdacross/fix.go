package holdacross

import (
	"golang.org/x/tools/go/analysis"

	"github.com/concvet/concvet/internal/summary"
)

func (c *checker) fixes(site *summary.Site, v *verdict) ([]analysis.SuggestedFix, map[string]string) {
	return nil, nil
}
