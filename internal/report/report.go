package report

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
)

// Wire says that messages are [Message] documents and that everything is
// reported: both tiers, test files, suppressed findings. Set once by main.
var Wire bool

// FactsOnly says that the package is only a dependency, so that no finding of
// it is wanted. Set once by main.
var FactsOnly bool

// A Finding is one mistake, as an analyzer sees it.
type Finding struct {
	Pos, End token.Pos
	Slug     string // the category without the analyzer's name
	Tier     Tier
	Message  string // one line, lower case, no period, without the category
	Frames   []Frame
	Related  []analysis.RelatedInformation // positions of this package only
	Resource string                        // what is held or unbounded, for the fingerprint
	Fixes    []analysis.SuggestedFix
	Unsafe   map[string]string
}

var _ ast.Node
