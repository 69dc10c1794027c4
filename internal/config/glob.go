package config

import (
	"path"
	"path/filepath"
	"strings"
)

// Match reports whether the rule is for file, an absolute path. The element **
// of the pattern stands for any number of folders; a pattern that names a
// folder holds for all below it.
func (ig Ignore) Match(file string) bool {
	rel, err := filepath.Rel(filepath.Dir(ig.File), file)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return false
	}
	pattern := strings.TrimPrefix(strings.TrimSuffix(ig.Path, "/"), "./")
	return matchGlob(strings.Split(pattern, "/"), strings.Split(filepath.ToSlash(rel), "/"))
}

// matchGlob keeps the set of pattern positions that are alive, so that a row of
// ** costs no more than the product of the two lengths.
func matchGlob(pattern, name []string) bool {
	live := make([]bool, len(pattern)+1)
	live[0] = true
	skip := func() {
		for i, p := range pattern {
			if p == "**" && live[i] {
				live[i+1] = true
			}
		}
	}
	skip()
	for _, elem := range name {
		if live[len(pattern)] {
			return true // the pattern names a folder above
		}
		next := make([]bool, len(pattern)+1)
		for i, p := range pattern {
			if !live[i] {
				continue
			}
			if p == "**" {
				next[i] = true
			} else if ok, _ := path.Match(p, elem); ok {
				next[i+1] = true
			}
		}
		live = next
		skip()
	}
	return live[len(pattern)]
}
