package summary

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
)

// Use gives the result of the package to one analyzer at a time, until it calls
// done. Drivers run the analyzers of a package side by side, and the result
// answers lazily and remembers its answers.
func Use(pass *analysis.Pass) (res *Result, done func(), err error) {
	res, ok := pass.ResultOf[Analyzer].(*Result)
	if !ok {
		return nil, nil, fmt.Errorf("%s: no result of %s", pass.Analyzer.Name, Analyzer.Name)
	}
	res.mu.Lock()
	return res, res.mu.Unlock, nil
}
