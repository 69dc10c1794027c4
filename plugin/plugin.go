// Package plugin is concvet as a linter of golangci-lint: a module plugin with
// the name concvet. It is built in with `golangci-lint custom`;
// docs/golangci-lint.md has the two files that takes.
//
// Its findings are those of `go vet -vettool`: the default tier, without test
// files. Everything about a finding is in its text, since golangci-lint shows
// neither categories nor related positions.
package plugin

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/concvet/concvet/analyzers"
	"github.com/concvet/concvet/internal/config"
	"github.com/concvet/concvet/internal/nearest"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

func init() { register.Plugin("concvet", New) }

// Settings is what linters.settings.custom.concvet.settings may hold.
type Settings struct {
	// Checks selects analyzers and categories, as in .concvet.yaml: "all",
	// "-holdacross/slot-sleep".
	Checks []string `json:"checks"`

	// Models says how functions wait that concvet cannot see into, as in
	// .concvet.yaml. Unlike there it is not checked that a function exists.
	Models []string `json:"models"`
}

// A linter is the plugin with its settings. They are of the whole process, as
// golangci-lint has one configuration a run.
type linter struct{}

// New makes the linter from the settings of .golangci.yml.
func New(raw any) (register.LinterPlugin, error) {
	if err := knownKeys(raw); err != nil {
		return nil, err
	}
	settings, err := register.DecodeSettings[Settings](raw)
	if err != nil {
		return nil, err
	}
	checks, err := config.ParseChecks(settings.Checks, catalog())
	if err != nil {
		return nil, fmt.Errorf("checks: %w", err)
	}
	if err := summary.SetModels(models(settings.Models)); err != nil {
		return nil, fmt.Errorf("models: %w", err)
	}
	summary.Tests = false
	report.PlainSelected = checks.Selected
	report.PlainRelated = false
	return linter{}, nil
}

// BuildAnalyzers lists the analyzers. All of them run, whatever is selected:
// which directives are of use depends on all.
func (linter) BuildAnalyzers() ([]*analysis.Analyzer, error) { return analyzers.Suite, nil }

// GetLoadMode asks for types.
func (linter) GetLoadMode() string { return register.LoadModeTypesInfo }

// knownKeys names the nearest setting for one that does not exist.
func knownKeys(raw any) error {
	if raw == nil {
		return nil
	}
	given, ok := raw.(map[string]any)
	if !ok {
		return fmt.Errorf("settings must be a mapping with the keys checks and models, not %T", raw)
	}
	known := []string{"checks", "models"}
	for _, k := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(known, k) {
			return fmt.Errorf("unknown setting %q%s; there are checks and models", k, nearest.Hint(k, known))
		}
	}
	return nil
}

func catalog() config.Catalog {
	c := config.Catalog{Categories: analyzers.Categories()}
	for _, a := range analyzers.Suite {
		c.Analyzers = append(c.Analyzers, a.Name)
	}
	return c
}

// models brings the models into the form that the front end hands on.
func models(texts []string) []string {
	var out []string
	for _, t := range texts {
		out = append(out, strings.Join(strings.Fields(t), " "))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
