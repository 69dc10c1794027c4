package knowledge

import "strings"

//go:generate go run ./stdlist

// IsStd reports whether path is a package of the standard library, internal and
// vendored ones included. It goes by a list: a package path without a dot may
// as well be a user's.
func IsStd(path string) bool {
	path = strings.TrimSuffix(path, "_test")
	if stdPackages[path] || path == "unsafe" || path == "C" {
		return true
	}
	if strings.HasPrefix(path, "vendor/") || strings.HasPrefix(path, "internal/") {
		return true
	}
	if i := strings.Index(path, "/internal"); i > 0 {
		first, _, _ := strings.Cut(path, "/")
		return stdRoots[path[:i]] || stdPackages[path[:i]] || first == "cmd"
	}
	return strings.HasPrefix(path, "cmd/")
}

// stdRoots are the parents of internal packages that are no packages themselves.
var stdRoots = map[string]bool{"crypto": true, "go": true, "encoding": true, "runtime": true, "text": true, "image": true}
