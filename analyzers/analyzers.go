// Package analyzers lists the analyzers of concvet.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/concvet/concvet/analyzers/holdacross"
)

// Suite is every analyzer, in the order in which findings of one line are
// reported.
var Suite = []*analysis.Analyzer{
	holdacross.Analyzer,
}
