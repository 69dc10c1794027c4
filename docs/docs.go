// Package docs holds a page for every category of finding: what it means, why
// it fails in production, wrong code and right code, its limits. The pages are
// what "concvet explain" prints and what a finding links to.
package docs

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

//go:embed blockinloop/*.md holdacross/*.md nodeadline/*.md selfsubmit/*.md unboundedqueue/*.md directive/*.md
var pages embed.FS

// Categories lists every category that has a page, sorted:
// "holdacross/lock-blocking".
func Categories() []string {
	files, err := fs.Glob(pages, "*/*.md")
	if err != nil {
		panic(err) // only a malformed pattern, and the pattern is constant
	}
	for i, name := range files {
		files[i] = strings.TrimSuffix(name, ".md")
	}
	slices.Sort(files)
	return files
}

// Page returns the page of a category as Markdown. It reports false for a
// category that has none.
func Page(category string) (string, bool) {
	text, err := pages.ReadFile(category + ".md")
	if err != nil {
		return "", false
	}
	return string(text), true
}

// Summary returns the one sentence that a page has below its title, without
// line breaks, and "" for an unknown category.
func Summary(category string) string {
	page, _ := Page(category)
	_, rest, _ := strings.Cut(page, "\n\n")
	sentence, _, _ := strings.Cut(rest, "\n\n")
	return strings.Join(strings.Fields(sentence), " ")
}
