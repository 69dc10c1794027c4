package main

import (
	"flag"
	"fmt"
	"strings"

	"github.com/concvet/concvet/analyzers"
	"github.com/concvet/concvet/internal/knowledge"
)

// help prints the flags, or what one analyzer does. The go command sends people
// here with "Run 'concvet help' for usage".
func help(args []string) int {
	if len(args) > 0 {
		return helpAnalyzer(args[0])
	}
	var b strings.Builder
	b.WriteString(`Concvet finds the concurrency mistakes that take Go services down.

Usage:

	concvet [flags] [packages or files]     check; no packages: the whole module or workspace
	concvet explain [analyzer|category]     what a finding means and how to repair it
	concvet explain FILE.go:LINE            what is found on a line, and why it is or is not reported
	concvet config init|check|print         write, check or show the configuration
	concvet baseline create|update|prune    keep a list of what is found now, and report only what is new
	concvet lsp                             language server for editors, on standard input and output
	concvet help [analyzer]
	concvet version [-json]

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

func helpAnalyzer(name string) int {
	var names []string
	for _, a := range analyzers.Suite {
		if a.Name == name {
			return printOut(fmt.Sprintf("%s: %s\n", a.Name, strings.TrimSpace(a.Doc)))
		}
		names = append(names, a.Name)
	}
	return fail(fmt.Errorf("unknown analyzer %q%s", name, knowledge.Nearest(name, names)))
}
