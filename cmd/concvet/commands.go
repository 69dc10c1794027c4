package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/knowledge"
	"github.com/concvet/concvet/internal/vetrun"
)

// A command is what the first argument may name.
type command struct {
	name  string
	usage []usage
	about string // for concvet help NAME
	run   func(args []string) int
}

// A usage is one form of a command, and what it is for.
type usage struct{ form, what string }

// commands lists them in the order in which help does.
func commands() []command {
	return []command{
		{"explain", []usage{
			{"explain [-json] [analyzer|category]", "what a finding means and how to repair it"},
			{"explain FILE.go:LINE", "what is found on a line, and why it is or is not reported"},
		}, `Without a name it lists all categories. With the name of a category or an
analyzer it prints its pages: what goes wrong, wrong and right code, how to
repair it, how to suppress it, and what is not reported. -json prints the pages
as a list.

With a line of a file it prints every finding there, in any tier, suppressed or
not, then what may wait on the line, what is held there, and where nothing is
known. A line of a source that code was generated from, as //line directives have
it, will do as well.
`, explain},
		{"config", []usage{{"config init|check|print [packages]", "write, check or show the configuration"}},
			`init writes a .concvet.yaml in which every setting can be seen, and which
changes nothing as it is. check checks the one that a check of the packages
would use. print prints it with the defaults. They take the flags of a check
that have to do with it; "concvet help" lists them.
`, configCommand},
		{"baseline", []usage{{"baseline create|update|prune [packages]", "keep a list of what is found now, and report only what is new"}},
			`create writes .concvet-baseline.json with all that is found now, and from then
on only what is new is reported. update takes out what is gone, and with -add
takes in what is new. prune only takes out what is gone. They take the flags of
a check that select findings, and -baseline FILE; "concvet help" lists them.
`, baselineCommand},
		{"lsp", []usage{{"lsp", "language server for editors, on standard input and output"}},
			`Editors start it; docs/editors.md has the settings for several.
`, languageServer},
		{"help", []usage{{"help [command|analyzer]", "this text, or what one of them does"}},
			`Without a name it prints the flags of a check.
`, help},
		{"version", []usage{{"version [-json]", "which concvet this is, and which Go built it"}},
			`-json prints an object with "version" and "go".
`, printVersion},
	}
}

// commandNamed finds the command that the first argument names.
func commandNamed(name string) (command, bool) {
	all := commands()
	i := slices.IndexFunc(all, func(c command) bool { return c.name == name })
	if i < 0 {
		return command{}, false
	}
	return all[i], true
}

func (c command) help() int {
	var b strings.Builder
	for i, u := range c.usage {
		lead := "      "
		if i == 0 {
			lead = "Usage:"
		}
		fmt.Fprintf(&b, "%s concvet %-40s %s\n", lead, u.form, u.what)
	}
	fmt.Fprintf(&b, "\n%s", c.about)
	return printOut(b.String())
}

func isHelpFlag(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

// checkWords are the words by which other tools are told to check.
var checkWords = []string{"check", "run", "vet", "lint", "analyse", "analyze"}

// mistyped tells a command from a package: the first argument, if it is a lone
// word that is close to the name of a command, and no package is called so.
func (run *checkRun) mistyped(ctx context.Context, patterns []string) error {
	if len(patterns) == 0 || len(patterns[0]) < 3 || strings.ContainsAny(patterns[0], `./\@`) {
		return nil
	}
	word := patterns[0]
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	near := knowledge.Nearest(word, slices.Concat(names, checkWords))
	if near == "" {
		return nil
	}
	if info, err := os.Stat(filepath.Join(run.dir, word)); err == nil && info.IsDir() {
		return nil // the go command says how to write a folder
	}
	pkgs, err := vetrun.List(ctx, vetrun.Target{Dir: run.dir}, nil, []string{word})
	if err != nil || slices.ContainsFunc(pkgs, func(p *vetrun.Package) bool { return p.Error == nil }) {
		return nil
	}
	switch {
	case slices.Contains(names, word):
		return fmt.Errorf("the command %s must come before the flags", word)
	case knowledge.Nearest(word, checkWords) == near:
		near = "; to check, name packages or nothing: concvet ./..."
	}
	return fmt.Errorf("%q is neither a command nor a package%s", word, near)
}
