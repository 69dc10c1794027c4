package lsp

import (
	"slices"
	"strings"

	"github.com/concvet/concvet/docs"
	"github.com/concvet/concvet/internal/directive"
)

// hover explains the findings at a place, or what a directive there names.
func (s *Server) hover(p hoverParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.docs[pathOf(p.TextDocument.URI)]
	if d == nil {
		return nil, nil
	}
	at := d.text.offset(p.Position)
	var pages []string
	var over *textRange
	for _, f := range d.shown {
		if f.start <= at && at <= f.end {
			if page, ok := docs.Page(f.finding.Category); ok {
				pages = append(pages, page)
				r := d.text.span(f.start, f.end)
				over = &r
			}
		}
	}
	if len(pages) == 0 {
		pages, over = directivePages(d.text, at)
	}
	if len(pages) == 0 {
		return nil, nil
	}
	kind := "markdown"
	if formats := s.client.TextDocument.Hover.ContentFormat; len(formats) > 0 && !slices.Contains(formats, kind) {
		kind = "plaintext"
	}
	return hover{markup{kind, strings.Join(slices.Compact(pages), "\n\n---\n\n")}, over}, nil
}

// directivePages are the pages of the categories that the directive at an
// offset names; of an analyzer, what each of its categories is.
func directivePages(t *text, at int) ([]string, *textRange) {
	line := t.position(at).Line
	start, end := t.lines[line], t.lineEnd(line)
	i := strings.Index(t.data[start:end], "//concvet:")
	if i < 0 || at < start+i {
		return nil, nil
	}
	start += i
	over := t.span(start, end)
	dir, err := directive.Parse(t.data[start:end])
	if err != nil {
		page, _ := docs.Page("directive/malformed")
		return []string{err.Error(), page}, &over
	}
	var pages []string
	for _, name := range dir.Names {
		if page, ok := docs.Page(name); ok {
			pages = append(pages, page)
			continue
		}
		var list []string
		for _, category := range docs.Categories() {
			if strings.HasPrefix(category, name+"/") {
				list = append(list, "- `"+category+"`: "+docs.Summary(category))
			}
		}
		pages = append(pages, strings.Join(list, "\n"))
	}
	return pages, &over
}
