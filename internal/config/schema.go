package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
)

// A schema is a JSON schema, or a part of one.
type schema map[string]any

var (
	boolean = schema{"type": "boolean"}
	text    = schema{"type": "string", "minLength": 1}

	// checkName is replaced by the names that there are.
	checkName = schema{"$ref": "#/definitions/check"}
)

func list(of schema) schema { return schema{"type": "array", "items": of} }

func (d *decoder) object(required []string, fields []field) schema {
	properties := schema{}
	for _, f := range fields {
		p := schema{"description": f.doc}
		for k, v := range f.schema {
			p[k] = v
		}
		properties[f.name] = p
	}
	s := schema{"type": "object", "additionalProperties": false, "properties": properties}
	if required != nil {
		s["required"] = required
	}
	return s
}

// SchemaURL is where the schema can be found.
const SchemaURL = "https://raw.githubusercontent.com/concvet/concvet/main/schema/concvet.schema.json"

// Schema returns the JSON schema of the configuration: what the decoder reads.
func Schema(c Catalog) ([]byte, error) {
	d := new(decoder)
	s := d.object([]string{"version"}, d.fields(new(Config)))
	s["$schema"] = "http://json-schema.org/draft-07/schema#"
	s["$id"] = SchemaURL
	s["title"] = "concvet configuration"
	names := []string{"all", "-all"}
	for _, name := range append(append([]string{}, c.Analyzers...), c.Categories...) {
		names = append(names, name, "-"+name)
	}
	s["definitions"] = schema{"check": schema{"enum": names}}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(s)
	return out.Bytes(), err
}

const platformPattern = "^[a-z0-9]+/[a-z0-9_]+$"

var platform = regexp.MustCompile(platformPattern)

// CheckPlatform reports whether p has the form of a platform. Whether there is
// such a one only the go command knows.
func CheckPlatform(p string) error {
	if !platform.MatchString(p) {
		return fmt.Errorf("%q is not a platform; write GOOS/GOARCH, such as linux/amd64", p)
	}
	return nil
}
