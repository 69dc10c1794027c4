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
	parser "github.com/concvet/concvet/internal/directive"
)

// Suite is every analyzer, in the order in which findings of one line are
// reported. The last one is told by the others which directives were of use.
var Suite = []*analysis.Analyzer{
	holdacross.Analyzer,
	nodeadline.Analyzer,
	blockinloop.Analyzer,
	selfsubmit.Analyzer,
	directive.New(holdacross.Analyzer, nodeadline.Analyzer, blockinloop.Analyzer, selfsubmit.Analyzer),
}

// planned are the analyzers that a directive may name though they are not built.
var planned = []string{"unboundedqueue"}

// Categories lists every category, "analyzer/slug", sorted.
func Categories() []string {
	var out []string
	for _, slug := range holdacross.Slugs {
		out = append(out, holdacross.Analyzer.Name+"/"+slug)
	}
	for _, slug := range nodeadline.Slugs {
		out = append(out, nodeadline.Analyzer.Name+"/"+slug)
	}
	for _, slug := range blockinloop.Slugs {
		out = append(out, blockinloop.Analyzer.Name+"/"+slug)
	}
	for _, slug := range selfsubmit.Slugs {
		out = append(out, selfsubmit.Analyzer.Name+"/"+slug)
	}
	for _, slug := range directive.Slugs {
		out = append(out, "directive/"+slug)
	}
	slices.Sort(out)
	return out
}

func init() {
	// A directive can name what can be suppressed: an analyzer or a category.
	parser.Names = append(slices.Clone(planned), Categories()...)
	for _, a := range Suite {
		parser.Names = append(parser.Names, a.Name)
	}
}
