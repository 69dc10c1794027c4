package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/concvet/concvet/internal/config"
	"github.com/concvet/concvet/internal/knowledge"
	"github.com/concvet/concvet/internal/render"
)

// options are the flags of a check.
type options struct {
	dir, tags, mod, overlay, config, color string
	platforms                              []string

	checks         string
	tests, audit   bool
	generated      bool
	showSuppressed bool

	formats formatList

	baseline                 string
	newRev, newBase, newFrom string // -new-from-…: commit, ref, patch
	changed                  changedFlag

	fix, unsafeFixes, diff bool
	fixOnly                []string
	addIgnore              string

	exitZero, strict, verbose, quiet, stats, help bool

	add bool // baseline update

	set map[string]bool // flags that were given, which win over the configuration
}

func newFlagSet(o *options) *flag.FlagSet {
	fs := flag.NewFlagSet("concvet", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // parseFlags says it in one line
	fs.StringVar(&o.dir, "C", "", "change to `dir` before anything else")
	fs.StringVar(&o.tags, "tags", "", "build `tags`, separated by commas")
	fs.StringVar(&o.mod, "mod", "", "module download `mode`: readonly, vendor or mod")
	fs.StringVar(&o.overlay, "overlay", "", "JSON `file` with contents to read in place of those of files, as go build has it")
	fs.Func("platforms", "check for these `systems` instead of this one: linux/amd64,windows/amd64", func(value string) error {
		o.platforms = strings.Split(value, ",")
		return nil
	})
	fs.StringVar(&o.config, "config", "", "configuration `file`, or none; default: the nearest .concvet.yaml")
	fs.StringVar(&o.checks, "checks", "", "`list` of analyzers and categories, separated by commas; -name takes one out")
	fs.BoolVar(&o.tests, "tests", false, "report findings in test files too")
	fs.BoolVar(&o.audit, "audit", false, "report the audit tier too: worth reading in a review")
	fs.BoolVar(&o.generated, "generated", false, "report findings in generated files too")
	fs.BoolVar(&o.showSuppressed, "show-suppressed", false, "show suppressed findings too; they do not count")
	fs.StringVar(&o.baseline, "baseline", "", "`file` with findings that are not reported, or none; default: the nearest .concvet-baseline.json")
	fs.StringVar(&o.newBase, "new-from-merge-base", "", "report only what touches lines that are new since HEAD left `ref`")
	fs.StringVar(&o.newRev, "new-from-rev", "", "report only what touches lines that are new since `commit`")
	fs.StringVar(&o.newFrom, "new-from-patch", "", "report only what touches lines that the patch in `file` adds; - is standard input")
	fs.Var(&o.changed, "changed", "check only packages that differ from HEAD, or from the commit in -changed=`ref`, and those that import them")
	fs.Var(&o.formats, "format", "output `format[=file]`: text, full, json, sarif, github, gitlab or rdjson; may be repeated")
	fs.BoolFunc("json", "short for -format json", o.formats.short("json"))
	fs.BoolFunc("sarif", "short for -format sarif", o.formats.short("sarif"))
	fs.StringVar(&o.color, "color", "auto", "colors in the full format: `auto`, always or never")
	fs.BoolVar(&o.fix, "fix", false, "apply safe fixes")
	fs.BoolVar(&o.unsafeFixes, "unsafe-fixes", false, "let -fix and -diff take fixes that change more than the finding")
	fs.BoolVar(&o.diff, "diff", false, "print the fixes as a unified diff, change nothing")
	fs.Func("fix-only", "let -fix and -diff take only fixes of these `categories`", func(value string) error {
		o.fixOnly = strings.Split(value, ",")
		return nil
	})
	fs.StringVar(&o.addIgnore, "add-ignore", "", "add //concvet:ignore with this `reason` to all that is found; with -diff only show it")
	fs.BoolVar(&o.exitZero, "exit-zero", false, "exit with 0 although there are findings")
	fs.BoolVar(&o.strict, "strict", false, "exit with 2 if the configuration or the baseline holds something that is for nothing")
	fs.BoolVar(&o.verbose, "v", false, "say more, on standard error")
	fs.BoolVar(&o.quiet, "q", false, "no progress and no hints on standard error")
	fs.BoolVar(&o.stats, "stats", false, "print counts and the time taken, on standard error")
	fs.BoolVar(&o.help, "h", false, "print this help")
	fs.BoolVar(&o.help, "help", false, "print this help")
	return fs
}

// parseFlags reads the command line. Flags may stand before and after packages.
func parseFlags(args []string) (*options, []string, error) {
	o := &options{set: map[string]bool{}}
	fs := newFlagSet(o)
	var patterns []string
	for {
		if err := fs.Parse(args); err != nil {
			if o.formats.err != nil {
				err = o.formats.err
			} else {
				err = flagError(fs, err)
			}
			return nil, nil, err
		}
		rest := fs.Args()
		ended := len(rest) < len(args) && args[len(args)-len(rest)-1] == "--"
		if ended || len(rest) == 0 {
			patterns = append(patterns, rest...)
			break
		}
		patterns = append(patterns, rest[0])
		args = rest[1:]
	}
	fs.Visit(func(f *flag.Flag) { o.set[f.Name] = true })
	if !slices.Contains([]string{"auto", "always", "never"}, o.color) {
		return nil, nil, fmt.Errorf("-color is auto, always or never, not %q%s", o.color, knowledge.Nearest(o.color, []string{"auto", "always", "never"}))
	}
	if slices.Contains(patterns, "-") || slices.Contains(patterns, "") {
		return nil, nil, fmt.Errorf("source code is not read from standard input; name packages or files")
	}
	if n := countSet(o.newBase != "", o.newRev != "", o.newFrom != ""); n > 1 {
		return nil, nil, fmt.Errorf("-new-from-merge-base, -new-from-rev and -new-from-patch exclude each other")
	}
	if o.fix && o.set["add-ignore"] {
		return nil, nil, fmt.Errorf("-fix and -add-ignore exclude each other")
	}
	if o.set["add-ignore"] && (strings.TrimSpace(o.addIgnore) == "" || strings.ContainsFunc(o.addIgnore, unicode.IsControl)) {
		return nil, nil, fmt.Errorf("-add-ignore needs a reason, on one line: why is what was found right?")
	}
	if o.diff && !o.set["add-ignore"] {
		o.fix = true
	}
	if o.unsafeFixes && !o.fix {
		return nil, nil, fmt.Errorf("-unsafe-fixes does nothing by itself; add -fix or -diff")
	}
	if o.overlay != "" && o.changesFiles() {
		return nil, nil, fmt.Errorf("-overlay leaves nothing that -fix or -add-ignore could change")
	}
	if o.fixOnly != nil && !o.fix {
		return nil, nil, fmt.Errorf("-fix-only does nothing by itself; add -fix or -diff")
	}
	for _, p := range o.platforms {
		if err := config.CheckPlatform(p); err != nil {
			return nil, nil, fmt.Errorf("-platforms: %v", err)
		}
	}
	return o, patterns, nil
}

func countSet(given ...bool) (n int) {
	for _, g := range given {
		if g {
			n++
		}
	}
	return n
}

// A changedFlag is -changed or -changed=REF.
type changedFlag struct {
	set bool
	ref string
}

func (c *changedFlag) String() string   { return "" }
func (c *changedFlag) IsBoolFlag() bool { return true }

func (c *changedFlag) Set(value string) error {
	switch value {
	case "true":
		c.set, c.ref = true, "HEAD"
	case "false":
		c.set = false
	case "":
		return fmt.Errorf("no commit after =")
	default:
		c.set, c.ref = true, value
	}
	return nil
}

// flagError names the nearest flag for one that does not exist.
func flagError(fs *flag.FlagSet, err error) error {
	const undefined = "flag provided but not defined: -"
	name, ok := strings.CutPrefix(err.Error(), undefined)
	if !ok {
		return err
	}
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, "-"+f.Name) })
	return fmt.Errorf("unknown flag -%s%s", name, knowledge.Nearest("-"+name, names))
}

// A destination is one report: a format and the file it is written to.
type destination struct {
	format string
	path   string // empty: standard output
}

// A formatList is the value of -format, -json and -sarif. It keeps its error:
// package flag would wrap it in words of its own, and call -sarif a boolean.
type formatList struct {
	list []destination
	err  error
}

func (l *formatList) String() string { return "" }

func (l *formatList) Set(value string) error {
	if l.err == nil {
		l.err = l.add(value)
	}
	return l.err
}

func (l *formatList) add(value string) error {
	format, path, toFile := strings.Cut(value, "=")
	if !slices.Contains(render.Formats(), format) {
		if near := knowledge.Nearest(format, render.Formats()); near != "" {
			return fmt.Errorf("-format %s: unknown format%s", format, near)
		}
		return fmt.Errorf("-format %s: unknown format; it is one of %s", format, strings.Join(render.Formats(), ", "))
	}
	if toFile && path == "" {
		return fmt.Errorf("-format %s: no file after =", value)
	}
	for _, d := range l.list {
		if d.path != path {
			continue
		}
		if path == "" {
			return fmt.Errorf("two formats for standard output, %s and %s; write one of them to a file: -format %[2]s=FILE", d.format, format)
		}
		return fmt.Errorf("two formats for the file %s: %s and %s", path, d.format, format)
	}
	l.list = append(l.list, destination{format, path})
	return nil
}

func (l *formatList) short(format string) func(string) error {
	return func(value string) error {
		switch value {
		case "true":
			return l.Set(format)
		case "false":
			return nil
		}
		return l.Set(format + "=" + value) // -sarif=out.sarif
	}
}

// destinations is where the reports go; there is always one.
func (o *options) destinations() []destination {
	if len(o.formats.list) > 0 {
		return o.formats.list // standard output stays empty if all go to files
	}
	if isTerminal(os.Stdout) {
		return []destination{{format: "full"}}
	}
	return []destination{{format: "text"}}
}
