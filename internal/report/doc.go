package report

import (
	"go/parser"
	"go/token"
	"strings"
)

// ExtractDoc cuts the user manual of an analyzer out of the package comment of
// its doc.go: the section "# Analyzer NAME", whose first paragraph is
// "NAME: summary". It panics if there is none; every analyzer's test calls it.
func ExtractDoc(source, name string) string {
	f, err := parser.ParseFile(token.NewFileSet(), "doc.go", source, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil || f.Doc == nil {
		panic("no package comment for analyzer " + name)
	}
	for section := range strings.SplitSeq(f.Doc.Text(), "\n# ") {
		body, ok := strings.CutPrefix(section, "Analyzer "+name+"\n")
		if !ok {
			continue
		}
		body = strings.TrimSpace(body)
		text, ok := strings.CutPrefix(body, name+": ")
		if !ok {
			break
		}
		return text
	}
	panic("the package comment has no section for analyzer " + name)
}
