package report

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Installs reports whether a function installs or updates something, by its name or
// that of its file or package: that is rare, and to be cut off halfway would be worse
// than to wait.
func Installs(pass *analysis.Pass, fn string, pos token.Pos) bool {
	path := pass.Pkg.Path()
	for _, name := range []string{fn, path[strings.LastIndexByte(path, '/')+1:], Place(pass.Fset, pos)} {
		name = strings.ToLower(name)
		for _, word := range []string{"install", "updater", "selfupdate", "upgrade"} {
			if strings.Contains(name, word) {
				return true
			}
		}
	}
	return false
}
