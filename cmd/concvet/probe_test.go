package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/concvet/concvet/analyzers"
	"github.com/concvet/concvet/internal/report"
)

// registerProbe adds an analyzer for the tests of the front end: it reports
// calls of functions by their names, so that a script says exactly what is
// found, whatever the real analyzers do.
func registerProbe() {
	analyzers.Suite = append(analyzers.Suite, &analysis.Analyzer{
		Name: "probe",
		Doc:  "report calls of Probe\n\nFor the tests of the front end only.",
		Run:  probe,
	})
	documented := categories
	categories = func() []string { return append(documented(), "probe/audit", "probe/call") }
}

func probe(pass *analysis.Pass) (any, error) {
	if report.FactsOnly {
		return nil, nil
	}
	if pass.Pkg.Name() == "analyzererror" {
		return nil, fmt.Errorf("it is only a test")
	}
	for _, file := range pass.Files {
		fn := ""
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				fn = n.Name.Name
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && strings.HasPrefix(id.Name, "Probe") {
					reportProbe(pass, n, id, fn)
				}
			}
			return true
		})
	}
	return nil, nil
}

func reportProbe(pass *analysis.Pass, call *ast.CallExpr, id *ast.Ident, fn string) {
	name := filepath.Base(pass.Fset.File(call.Pos()).Name())
	m := report.Message{
		V: report.WireVersion, Tier: report.Default, Symbol: fn,
		Text:        id.Name + " is called in " + fn,
		Fingerprint: fmt.Sprintf("%s/%s/%s", pass.Pkg.Path(), fn, id.Name),
		Test:        strings.HasSuffix(name, "_test.go"),
	}
	category := "probe/call"
	replace := func(pos, end token.Pos, text string) []analysis.SuggestedFix {
		return []analysis.SuggestedFix{{Message: "call " + text, TextEdits: []analysis.TextEdit{{Pos: pos, End: end, NewText: []byte(text)}}}}
	}
	var fixes []analysis.SuggestedFix
	switch id.Name {
	case "ProbeAudit":
		category, m.Tier = "probe/audit", report.Audit
	case "ProbeFar":
		m.Frames = []report.Frame{{Pos: name + ":1", Text: "calls Near"}, {Pos: "example.com/m/far/far.go:3", Text: "calls Far"}, {Pos: "errors/errors.go:5", Text: "waits"}}
	case "ProbeIgnored":
		m.Suppressed = &report.Suppression{Kind: "directive", Reason: "known", Pos: name + ":1"}
	case "ProbeGenerated":
		m.Generated = true
	case "ProbePanic":
		panic("probe panics")
	case "ProbeFix":
		fixes = replace(id.Pos(), id.End(), "Done")
	case "ProbeUnsafe":
		fixes = replace(id.Pos(), id.End(), "Done")
		m.Unsafe = map[string]string{"call Done": "the result"}
	case "ProbeBroken":
		fixes = replace(id.Pos(), id.End(), "NoSuchFunction")
	case "ProbeFiles":
		m.Text = fmt.Sprintf("the package has %d files", len(pass.Files))
		m.Fingerprint += fmt.Sprint(len(pass.Files))
	case "ProbeWait": // until it is ended, once the package beside it calls Done
		data, err := os.ReadFile(filepath.Join(filepath.Dir(pass.Fset.File(call.Pos()).Name()), "..", "a", "a.go"))
		if err != nil {
			panic(err)
		}
		if strings.Contains(string(data), "{ Done() }") {
			if err := os.WriteFile(os.Getenv("CONCVET_TEST_WAITING"), []byte(strconv.Itoa(os.Getpid())), 0o644); err != nil {
				panic(err)
			}
			time.Sleep(5 * time.Minute)
		}
	case "ProbeTouch": // somebody saves the file meanwhile
		data, err := os.ReadFile(pass.Fset.File(call.Pos()).Name())
		if err == nil {
			err = os.WriteFile(pass.Fset.File(call.Pos()).Name(), append(data, "\n// saved\n"...), 0o644)
		}
		if err != nil {
			panic(err)
		}
		fixes = replace(id.Pos(), id.End(), "Done")
	case "ProbeExport": // its fix renames a function that other packages call
		fixes = replace(id.Pos(), id.End(), "Done")
		for _, file := range pass.Files {
			for _, d := range file.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == "Exported" {
					fixes[0].TextEdits = append(fixes[0].TextEdits, analysis.TextEdit{Pos: fn.Name.Pos(), End: fn.Name.End(), NewText: []byte("Renamed")})
				}
			}
		}
	case "ProbeAgain": // its fix makes another finding
		category = "probe/audit"
		fixes = replace(id.Pos(), id.End(), "Probe")
	case "ProbeStays": // its fix does not help
		fixes = replace(call.Rparen, call.Rparen, "/* sic */")
	case "ProbeWide": // its edit covers all calls in its argument
		fixes = replace(call.Pos(), call.End(), "Done()")
	}
	text, err := json.Marshal(m)
	if !report.Wire {
		text, err = []byte(m.Text), nil
	}
	if err != nil {
		panic(err)
	}
	pass.Report(analysis.Diagnostic{Pos: call.Pos(), End: call.End(), Category: category, Message: string(text), SuggestedFixes: fixes})
}
