// Package analyzers lists the analyzers of concvet.
package analyzers

import (
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/concvet/concvet/analyzers/blockinloop"
	"github.com/concvet/concvet/analyzers/directive"
	"github.com/concvet/concvet/analyzers/holdacross"
	"github.com/concvet/concvet/analyzers/nodeadline"
	"github.com/concvet/concvet/analyzers/selfsubmit"
	"github.com/concvet/concvet/analyzers/unboundedqueue"
	parser "github.com/concvet/concvet/internal/directive"
)

// built are the analyzers, in the order in which findings of one line are
// reported, and their categories.
var built = []struct {
	*analysis.Analyzer
	slugs []string
}{
	{holdacross.Analyzer, holdacross.Slugs},
	{unboundedqueue.Analyzer, unboundedqueue.Slugs},
	{nodeadline.Analyzer, nodeadline.Slugs},
	{blockinloop.Analyzer, blockinloop.Slugs},
	{selfsubmit.Analyzer, selfsubmit.Slugs},
}

// Suite is every analyzer. The last one is told by the others which directives
// were of use.
var Suite = suite()

func suite() []*analysis.Analyzer {
	var list []*analysis.Analyzer
	for _, a := range built {
		list = append(list, a.Analyzer)
	}
	return append(list, directive.New(slices.Clone(list)...))
}

// Categories lists every category, "analyzer/slug", sorted.
func Categories() []string {
	var out []string
	for _, a := range built {
		for _, slug := range a.slugs {
			out = append(out, a.Name+"/"+slug)
		}
	}
	for _, slug := range directive.Slugs {
		out = append(out, "directive/"+slug)
	}
	slices.Sort(out)
	return out
}

func init() {
	// A directive can name what can be suppressed: an analyzer or a category.
	parser.Names = Categories()
	for _, a := range Suite {
		parser.Names = append(parser.Names, a.Name)
	}
}
