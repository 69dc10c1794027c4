package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/concvet/concvet/docs"
	"github.com/concvet/concvet/internal/knowledge"
	"github.com/concvet/concvet/internal/render"
)

// explain prints the page of a category, the pages of an analyzer, the list of
// all categories, or with FILE:LINE what is found there.
func explain(args []string) int {
	asJSON := false
	var names []string
	for _, a := range args {
		switch {
		case a == "-json" || a == "--json":
			asJSON = true
		case strings.HasPrefix(a, "-"):
			return fail(fmt.Errorf("explain: unknown flag %s%s", a, knowledge.Nearest(a, []string{"-json"})))
		default:
			names = append(names, a)
		}
	}
	if len(names) == 1 && !asJSON {
		if file, line, ok := fileLine(names[0]); ok {
			return explainLine(file, line)
		}
	}
	chosen := docs.Categories()
	if len(names) > 0 {
		chosen = nil
		for _, name := range names {
			found, err := pagesOf(name)
			if err != nil {
				return fail(err)
			}
			chosen = append(chosen, found...)
		}
	}
	var b strings.Builder
	switch {
	case asJSON:
		if err := explainJSON(&b, chosen); err != nil {
			return fail(err)
		}
	case len(names) == 0:
		for _, c := range chosen {
			fmt.Fprintf(&b, "%-32s %s\n", c, docs.Summary(c))
		}
	default:
		for i, c := range chosen {
			if i > 0 {
				b.WriteByte('\n')
			}
			page, _ := docs.Page(c)
			b.WriteString(page)
		}
	}
	return printOut(b.String())
}

// pagesOf lists the categories that name means.
func pagesOf(name string) ([]string, error) {
	all := docs.Categories()
	if slices.Contains(all, name) {
		return []string{name}, nil
	}
	var found []string
	for _, c := range all {
		if strings.HasPrefix(c, name+"/") {
			found = append(found, c)
		}
	}
	if len(found) > 0 {
		return found, nil
	}
	c := catalog()
	if strings.HasSuffix(name, ".go") || strings.Contains(name, ".go:") {
		return nil, fmt.Errorf("explain: %s names no line; write FILE.go:LINE", name)
	}
	near := knowledge.Nearest(name, slices.Concat(c.Analyzers, c.Categories))
	if near == "" {
		near = "; concvet explain lists all that there is"
	}
	return nil, fmt.Errorf("explain: nothing is called %q%s", name, near)
}

func explainJSON(out io.Writer, categories []string) error {
	type entry struct {
		Category string `json:"category"`
		Page     string `json:"page"`
		Summary  string `json:"summary"`
		URL      string `json:"url"`
	}
	list := []entry{}
	for _, c := range categories {
		page, _ := docs.Page(c)
		list = append(list, entry{c, page, docs.Summary(c), render.URL(c)})
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(list)
}
