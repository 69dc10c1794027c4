package config

import (
	"fmt"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/knowledge"
)

// ModelPackages lists the import paths of the packages that models speak of.
func (cfg *Config) ModelPackages() []string {
	var paths []string
	for _, m := range cfg.Models {
		paths = append(paths, knowledge.KeyPackage(m.Row.Key))
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// ResolveModels checks that every model speaks of something that exists: a
// model with a typing error would say nothing, and nobody would know.
func (cfg *Config) ResolveModels(pkgs map[string]*types.Package, why map[string]string) error {
	for _, m := range cfg.Models {
		of := knowledge.KeyPackage(m.Row.Key)
		pkg := pkgs[of]
		var err error
		if pkg != nil {
			err = knowledge.Resolve(m.Row, pkg)
		} else if reason := why[of]; reason != "" {
			err = fmt.Errorf("%s: the package cannot be loaded: %s", m.Row.Key, strings.TrimSuffix(reason, "; to add it:"))
		} else {
			err = fmt.Errorf("%s: the package cannot be loaded", m.Row.Key)
		}
		if pkg == nil {
			err = fmt.Errorf("%w%s", err, methodHint(m.Row.Key))
		}
		if err != nil {
			return &Error{File: m.File, Line: m.Line, Column: m.Column, Text: "model: " + err.Error()}
		}
	}
	return nil
}

// methodHint says how the key of a method is written if key may mean one:
// "net/http.Client.Do" is read as the function Do of a package "net/http.Client".
func methodHint(key string) string {
	dir, base := path.Split(key)
	parts := strings.Split(base, ".")
	if strings.HasPrefix(key, "(") || len(parts) < 3 || !token.IsExported(parts[len(parts)-2]) {
		return ""
	}
	typ, method := dir+strings.Join(parts[:len(parts)-1], "."), parts[len(parts)-1]
	return fmt.Sprintf("; for a method write (%[1]s).%[2]s or (*%[1]s).%[2]s", typ, method)
}

// ModelTexts lists the models in the form that the tool is given: sorted, so
// that their order in the file does not change go vet's cache key.
func (cfg *Config) ModelTexts() []string {
	var texts []string
	for _, m := range cfg.Models {
		texts = append(texts, m.Text)
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}
