package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/concvet/concvet/analyzers"
	"github.com/concvet/concvet/internal/knowledge"
)

// help prints the flags, or what one command or analyzer does. The go command
// sends people here with "Run 'concvet help' for usage".
func help(args []string) int {
	if len(args) > 0 {
		return helpOn(args[0])
	}
	var b strings.Builder
	b.WriteString(`Concvet finds the concurrency mistakes that take Go services down.

Usage:

`)
	line := func(form, what string) { fmt.Fprintf(&b, "\tconcvet %-39s %s\n", form, what) }
	line("[flags] [packages or files]", "check; no packages: ./...")
	for _, c := range commands() {
		for _, u := range c.usage {
			line(u.form, u.what)
		}
	}
	b.WriteString(`
Without packages it checks ./..., at the root of a workspace all its modules, and
in a folder that is in no module every module below.

Flags:

`)
	newFlagSet(new(options)).VisitAll(func(f *flag.Flag) {
		if f.Name == "h" || f.Name == "help" {
			return
		}
		name, usage := flag.UnquoteUsage(f)
		what := strings.TrimSpace(f.Name + " " + name)
		if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() && name != "" {
			what = f.Name + "[=" + name + "]" // without =, the next argument is a package
		}
		fmt.Fprintf(&b, "  -%-26s %s\n", what, usage)
	})
	b.WriteString("\nAnalyzers:\n\n")
	for _, a := range analyzers.Suite {
		title, _, _ := strings.Cut(a.Doc, "\n")
		fmt.Fprintf(&b, "  %-16s %s\n", a.Name, title)
	}
	b.WriteString(`
Exit status: 0 nothing found, 1 findings (or a diff), 2 not everything could be
checked. "go vet -vettool=$(which concvet)" runs the same analyzers.
`)
	return printOut(b.String())
}

func helpOn(name string) int {
	if c, ok := commandNamed(name); ok {
		return c.help()
	}
	for _, a := range analyzers.Suite {
		if a.Name == name {
			return printOut(fmt.Sprintf("%s: %s\n", a.Name, strings.TrimSpace(a.Doc)))
		}
	}
	if _, err := pagesOf(name); err == nil {
		return explain([]string{name})
	}
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	all := catalog()
	return fail(fmt.Errorf("no command or analyzer is called %q%s", name, knowledge.Nearest(name, slices.Concat(names, all.Analyzers, all.Categories))))
}
