package config

import (
	"path/filepath"

	"go.yaml.in/yaml/v3"
)

// Print returns cfg as a configuration file in which every field stands, with
// the defaults for those that were left out.
func (cfg *Config) Print() ([]byte, error) {
	type rule struct {
		Path       string   `yaml:"path"`
		Categories []string `yaml:"categories,flow,omitempty"`
		Reason     string   `yaml:"reason"`
	}
	doc := struct {
		Version   int      `yaml:"version"`
		Checks    []string `yaml:"checks,flow"`
		Tests     bool     `yaml:"tests"`
		Audit     bool     `yaml:"audit"`
		Generated string   `yaml:"generated"`
		Ignore    []rule   `yaml:"ignore"`
		Fixes     struct {
			Safe   []string `yaml:"safe,flow"`
			Unsafe []string `yaml:"unsafe,flow"`
		} `yaml:"fixes"`
		Baseline  string   `yaml:"baseline,omitempty"`
		Platforms []string `yaml:"platforms,flow"`
		Models    []string `yaml:"models"`
	}{
		Version: 1, Checks: []string{"all"}, Tests: cfg.Tests, Audit: cfg.Audit, Generated: "strict",
		Ignore: []rule{}, Platforms: append([]string{}, cfg.Platforms...), Models: append([]string{}, cfg.ModelTexts()...),
	}
	if len(cfg.Checks) > 0 {
		doc.Checks = Texts(cfg.Checks)
	}
	if cfg.Generated {
		doc.Generated = "include"
	}
	for _, ig := range cfg.Ignore {
		doc.Ignore = append(doc.Ignore, rule{ig.Path, Texts(ig.Categories), ig.Reason})
	}
	doc.Fixes.Safe = append([]string{}, Texts(cfg.Safe)...)
	doc.Fixes.Unsafe = append([]string{}, Texts(cfg.Unsafe)...)
	if cfg.Baseline != "" {
		doc.Baseline = cfg.Baseline
		if rel, err := filepath.Rel(filepath.Dir(cfg.File), cfg.Baseline); err == nil {
			doc.Baseline = filepath.ToSlash(rel)
		}
	}
	return yaml.Marshal(doc)
}

// Template is what concvet config init writes: a configuration that changes
// nothing, with every setting to be seen.
const Template = `# yaml-language-server: $schema=` + SchemaURL + `
version: 1

# What is reported. The last element that matches decides; a - takes out.
# checks: [all, -holdacross/slot-sleep]

# tests: true          # findings in test files, too
# audit: true          # what is worth reading in a review, too
# generated: include   # findings in generated files, too

# ignore:
#   - path: "internal/legacy/**"
#     categories: [holdacross/lock-blocking]
#     reason: is replaced this year

# Findings that the project lives with for now: concvet baseline create.
# baseline: .concvet-baseline.json

# Systems to check for, one after the other.
# platforms: [linux/amd64, windows/amd64]

# What functions do that concvet cannot see into; see docs/models.md.
# models:
#   - (*example.com/ledger.Client).Post  net ctx=p0
`
