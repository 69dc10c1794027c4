// Package holdacross is not written yet.
package holdacross

import "golang.org/x/tools/go/analysis"

// Analyzer is a placeholder for the driver.
var Analyzer = &analysis.Analyzer{
	Name: "holdacross",
	Doc:  "report scarce resources held across calls that may block",
	Run:  func(*analysis.Pass) (any, error) { return nil, nil },
}
