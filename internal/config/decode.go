package config

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/concvet/concvet/internal/knowledge"
)

// A decoder walks the nodes of a document and keeps the first error. Nodes are
// used rather than a struct, for every error must say where.
type decoder struct {
	file string
	err  error
}

func (d *decoder) fail(n *yaml.Node, format string, args ...any) {
	if d.err == nil {
		d.err = &Error{File: d.file, Line: n.Line, Column: n.Column, Text: fmt.Sprintf(format, args...)}
	}
}

// mapping reads the fields of a mapping, each at most once.
func (d *decoder) mapping(n *yaml.Node, what string, fields []field) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, "%s must be a mapping of fields, not %s", what, kind(n))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content) && d.err == nil; i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		var names []string
		known := false
		for _, f := range fields {
			names = append(names, f.name)
			if f.name != key.Value {
				continue
			}
			known = true
			if seen[f.name] {
				d.fail(key, "field %q appears twice", key.Value)
			} else {
				seen[f.name] = true
				f.read(value)
			}
		}
		if !known {
			d.fail(key, "unknown field %s%s", quoted(key), knowledge.Nearest(key.Value, names))
		}
	}
}

func (d *decoder) list(n *yaml.Node, what string) []*yaml.Node {
	if n.Kind != yaml.SequenceNode {
		d.fail(n, "%s must be a list, not %s", what, kind(n))
		return nil
	}
	return n.Content
}

func (d *decoder) names(n *yaml.Node, what string) []Name {
	var out []Name
	for _, item := range d.list(n, what) {
		out = append(out, Name{d.string(item, "an element of "+what), item.Line, item.Column})
	}
	return out
}

func (d *decoder) string(n *yaml.Node, what string) string {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		d.fail(n, "%s must be a text, not %s", what, kind(n))
		return ""
	}
	return n.Value
}

// path reads the name of a file, relative to the folder of the configuration.
func (d *decoder) path(n *yaml.Node, what string) string {
	name := d.string(n, what)
	if d.err == nil && strings.TrimSpace(name) == "" {
		d.fail(n, "%s must be the name of a file", what)
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(d.file), filepath.FromSlash(name))
	}
	return name
}

func (d *decoder) bool(n *yaml.Node, what string) bool {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
		d.fail(n, "%s must be true or false, not %s", what, quoted(n))
	}
	return strings.EqualFold(n.Value, "true")
}

func has(n *yaml.Node, key string) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return true
		}
	}
	return false
}

func kind(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias" // never followed: it is how a small file becomes a large one
	}
	if n.Tag == "!!null" {
		return "nothing"
	}
	return quoted(n)
}

func quoted(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode {
		return kind(n)
	}
	v := n.Value
	if len(v) > 60 {
		v = v[:60] + "…"
	}
	return fmt.Sprintf("%q", v)
}

func checkGlob(pattern string) error {
	if strings.HasPrefix(pattern, "/") || strings.Contains("/"+pattern+"/", "/../") {
		return fmt.Errorf("%q must be relative to the folder of the configuration and stay below it", pattern)
	}
	for part := range strings.SplitSeq(pattern, "/") {
		if _, err := path.Match(part, ""); err != nil {
			return fmt.Errorf("%q is not a glob: %v", pattern, err)
		}
	}
	return nil
}
