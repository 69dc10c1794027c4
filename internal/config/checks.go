package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/knowledge"
)

// A Catalog lists what can be checked for.
type Catalog struct {
	Analyzers  []string // "holdacross"
	Categories []string // "holdacross/lock-blocking"
}

// valid returns an error for a name that is neither an analyzer nor a category.
func (c Catalog) valid(name string) error {
	if slices.Contains(c.Analyzers, name) || slices.Contains(c.Categories, name) {
		return nil
	}
	return fmt.Errorf("unknown check %q%s", name, knowledge.Nearest(name, slices.Concat(c.Analyzers, c.Categories)))
}

// Valid checks the names of categories and analyzers in cfg.
func (cfg *Config) Valid(c Catalog) error {
	for _, n := range cfg.Checks {
		if err := c.element(n.Text); err != nil {
			return cfg.errorAt(n, "checks: %v", err)
		}
	}
	if _, err := ParseChecks(Texts(cfg.Checks), c); err != nil {
		return cfg.errorAt(cfg.Checks[0], "checks: %v", err)
	}
	for _, n := range slices.Concat(cfg.Safe, cfg.Unsafe) {
		if err := c.valid(n.Text); err != nil {
			return cfg.errorAt(n, "fixes: %v", err)
		}
	}
	for _, ig := range cfg.Ignore {
		for _, n := range ig.Categories {
			if err := c.valid(n.Text); err != nil {
				return cfg.errorAt(n, "ignore: %v", err)
			}
		}
	}
	return nil
}

func (cfg *Config) errorAt(n Name, format string, args ...any) error {
	return &Error{File: cfg.File, Line: n.Line, Column: n.Column, Text: fmt.Sprintf(format, args...)}
}

// Texts drops the places of names.
func Texts(names []Name) []string {
	var out []string
	for _, n := range names {
		out = append(out, n.Text)
	}
	return out
}

// AnyMatches reports whether one of names is category.
func AnyMatches(names []Name, category string) bool {
	return slices.ContainsFunc(names, func(n Name) bool { return Matches(n.Text, category) })
}

// Checks is a selection of categories: the last element that matches decides.
type Checks struct {
	elems []string
	all   bool // what no element matches is selected
}

// ParseChecks reads the elements of a selection: analyzers or categories, each
// taken out by a "-" before it; "all" is everything. A selection that starts
// by taking something out starts from everything. One that leaves nothing is a
// mistake: its reports would look like those of good code.
func ParseChecks(elems []string, c Catalog) (Checks, error) {
	checks := Checks{all: true}
	for i, e := range elems {
		e = strings.TrimSpace(e)
		if err := c.element(e); err != nil {
			return checks, err
		}
		if i == 0 && !strings.HasPrefix(e, "-") {
			checks.all = false
		}
		checks.elems = append(checks.elems, e)
	}
	if !slices.ContainsFunc(c.Categories, checks.Selected) {
		return checks, fmt.Errorf("%s leaves no category, so that nothing would be checked", strings.Join(elems, ","))
	}
	return checks, nil
}

// element returns an error for what is no element of a selection.
func (c Catalog) element(e string) error {
	name := strings.TrimPrefix(strings.TrimSpace(e), "-")
	switch name {
	case "":
		return fmt.Errorf("an element is empty; write analyzers or analyzer/category, separated by commas")
	case "all":
		return nil
	}
	return c.valid(name)
}

// Selected reports whether findings of category are wanted.
func (c Checks) Selected(category string) bool {
	for _, e := range slices.Backward(c.elems) {
		name, off := strings.CutPrefix(e, "-")
		if Matches(name, category) {
			return !off
		}
	}
	return c.all
}

// Matches reports whether name, an analyzer, a category or "all", is category.
func Matches(name, category string) bool {
	analyzer, _, _ := strings.Cut(category, "/")
	return name == "all" || name == category || name == analyzer
}
