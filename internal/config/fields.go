package config

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/concvet/concvet/internal/knowledge"
)

// A field of the configuration: how it is read, and what the JSON schema says
// of it. Both come from the same table, so that they cannot differ.
type field struct {
	name   string
	doc    string
	schema schema
	read   func(*yaml.Node)
}

func (d *decoder) document(n *yaml.Node, cfg *Config) {
	if n.Kind == yaml.MappingNode && len(n.Content) > 0 && !has(n, "version") {
		d.fail(n, `no version; write "version: 1" first`)
		return
	}
	d.mapping(n, "the configuration", d.fields(cfg))
}

func (d *decoder) fields(cfg *Config) []field {
	return []field{
		{"version", "The version of this format.", schema{"const": 1}, func(n *yaml.Node) {
			if n.Kind != yaml.ScalarNode || n.Value != "1" {
				d.fail(n, "version %s is not known to this concvet; write 1", quoted(n))
			}
		}},
		{"checks", "Analyzers and categories to report, as in -checks: the last that matches decides, a - takes out.", list(checkName),
			func(n *yaml.Node) { cfg.Checks = d.names(n, "checks") }},
		{"tests", "Report findings in test files, too.", boolean, func(n *yaml.Node) { cfg.Tests = d.bool(n, "tests") }},
		{"audit", "Report the audit tier, too: what is worth reading in a review.", boolean, func(n *yaml.Node) { cfg.Audit = d.bool(n, "audit") }},
		{"generated", "Findings in generated files: strict leaves them out, include reports them.", schema{"enum": []string{"strict", "include"}, "default": "strict"},
			func(n *yaml.Node) {
				switch n.Value {
				case "strict":
				case "include":
					cfg.Generated = true
				default:
					d.fail(n, `generated is "strict" or "include", not %s`, quoted(n))
				}
			}},
		{"ignore", "Findings that are not reported, by file and category, each with a reason.", list(d.object([]string{"path", "reason"}, d.ignoreFields(new(Ignore)))),
			func(n *yaml.Node) {
				for _, item := range d.list(n, "ignore") {
					cfg.Ignore = append(cfg.Ignore, d.ignore(item))
				}
			}},
		{"fixes", "Which fixes -fix takes without -unsafe-fixes.", d.object(nil, d.fixFields(cfg)),
			func(n *yaml.Node) { d.mapping(n, "fixes", d.fixFields(cfg)) }},
		{"baseline", "The file with findings that are not reported, relative to this one.", text, func(n *yaml.Node) { cfg.Baseline = d.path(n, "baseline") }},
		{"platforms", "Systems to check for, such as linux/amd64. A directive is unused only if it is so on all of them.", list(schema{"type": "string", "pattern": platformPattern}),
			func(n *yaml.Node) { cfg.Platforms = d.platforms(n) }},
		{"models", "What functions do that concvet cannot see into, one row each; docs/models.md has the grammar.", list(text),
			func(n *yaml.Node) {
				for _, item := range d.list(n, "models") {
					m := d.model(item)
					for _, other := range cfg.Models {
						if d.err == nil && other.Row.Key == m.Row.Key && other.Row.Type == m.Row.Type {
							d.fail(item, "model: %s already has a model in line %d; join their clauses with a semicolon", m.Row.Key, other.Line)
						}
					}
					cfg.Models = append(cfg.Models, m)
				}
			}},
	}
}

func (d *decoder) fixFields(cfg *Config) []field {
	return []field{
		{"safe", "Categories whose unsafe fixes are taken as safe.", list(checkName), func(n *yaml.Node) { cfg.Safe = d.names(n, "safe") }},
		{"unsafe", "Categories whose safe fixes are taken as unsafe.", list(checkName), func(n *yaml.Node) { cfg.Unsafe = d.names(n, "unsafe") }},
	}
}

func (d *decoder) ignoreFields(ig *Ignore) []field {
	return []field{
		{"path", "A glob for files, relative to the folder of this file; ** is any number of folders.", text, func(n *yaml.Node) {
			ig.Path = d.string(n, "path")
			if err := checkGlob(ig.Path); err != nil {
				d.fail(n, "path: %v", err)
			}
		}},
		{"categories", "Analyzers or categories; without it, all.", list(checkName), func(n *yaml.Node) { ig.Categories = d.names(n, "categories") }},
		{"reason", "Why they are not reported.", text, func(n *yaml.Node) { ig.Reason = strings.TrimSpace(d.string(n, "reason")) }},
	}
}

func (d *decoder) ignore(n *yaml.Node) Ignore {
	ig := Ignore{File: d.file, Line: n.Line}
	d.mapping(n, "a rule of ignore", d.ignoreFields(&ig))
	switch {
	case ig.Path == "":
		d.fail(n, `a rule of ignore needs a path; write "**" for all files`)
	case ig.Reason == "":
		d.fail(n, "a rule of ignore needs a reason")
	}
	return ig
}

func (d *decoder) platforms(n *yaml.Node) []string {
	var out []string
	for _, item := range d.list(n, "platforms") {
		p := d.string(item, "an element of platforms")
		if err := CheckPlatform(p); err != nil && d.err == nil {
			d.fail(item, "%v", err)
		}
		out = append(out, p)
	}
	return out
}

func (d *decoder) model(n *yaml.Node) Model {
	text := strings.Join(strings.Fields(d.string(n, "a model")), " ")
	row, err := knowledge.ParseRow(text)
	if err != nil {
		d.fail(n, "model: %v", err)
	} else if row == nil && d.err == nil {
		d.fail(n, "model: an empty line says nothing; remove it")
	}
	return Model{Text: text, Row: row, File: d.file, Line: n.Line, Column: n.Column}
}
