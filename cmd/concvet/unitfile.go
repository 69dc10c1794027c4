package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// A unit is the go command's description of one package to analyse, and what is
// to be done with it.
//
// It is rewritten before the package is loaded, in three ways:
//
// The go command keeps one cached output a package whether it ran as a root or
// as a dependency, since VetxOnly is not part of its cache key, so that a
// package that was first seen as a dependency would lose its findings for good.
// Every package of the main module that can be a root is therefore analysed as
// one.
//
// Test files are left out unless their findings are asked for: half of many a
// module is tests, and loading them costs more than analysing the rest.
//
// A package that is compiled with its own test files gets the ID "p [p.test]".
// The go command calls it p, and the front end could not tell which of the two
// said what: p is analysed as itself too if something imports it. The ID is only
// a key of the JSON output.
type unit struct {
	name   string
	fields map[string]json.RawMessage // a newer go command's fields come through as they are
	cfg    unitCfg

	factsOnly bool // it is a dependency
	nothing   bool // it has nothing to analyse, and what it would have written is
}

// unitCfg is what is read of the configuration.
type unitCfg struct {
	ID, ImportPath, Dir string
	GoFiles             []string
	VetxOnly            bool
	VetxOutput, Stdout  string
	Module              *struct{ Version string }
	ModulePath          string
	ModuleVersion       string
}

func readUnit(name string) (*unit, error) {
	u := &unit{name: name}
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &u.fields)
	}
	if err == nil {
		err = json.Unmarshal(data, &u.cfg)
	}
	if err == nil && u.cfg.ImportPath+u.cfg.VetxOutput == "" {
		err = errors.New("it names no package")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %v; only go vet hands such a file to concvet, name packages instead", name, reason(err))
	}
	return u, nil
}

// prepare decides what is to be done, and writes the configuration anew where it
// has to differ.
func (u *unit) prepare(tests bool) error {
	c := &u.cfg
	changed := false
	set := func(field string, value any) error {
		data, err := json.Marshal(value)
		u.fields[field] = data
		changed = true
		return err
	}
	if c.VetxOnly {
		if !u.ofMainModule() || testedTwin(c.Dir) {
			u.factsOnly = true
			return nil
		}
		if err := set("VetxOnly", false); err != nil {
			return err
		}
	}
	code := slices.DeleteFunc(slices.Clone(c.GoFiles), isTestFile)
	if len(code) < len(c.GoFiles) && len(code) > 0 && c.ID == c.ImportPath {
		if err := set("ID", c.ID+" ["+c.ID+".test]"); err != nil {
			return err
		}
	}
	if !tests && len(code) < len(c.GoFiles) {
		if len(code) == 0 {
			return u.writeNothing()
		}
		if err := set("GoFiles", code); err != nil {
			return err
		}
	}
	if !changed {
		return nil
	}
	data, err := json.MarshalIndent(u.fields, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(u.name, data, 0o666)
}

// writeNothing writes what the analysis of an external test package would
// leave: no package imports it.
func (u *unit) writeNothing() error {
	u.nothing = true
	for _, name := range []string{u.cfg.VetxOutput, u.cfg.Stdout} {
		if name == "" {
			continue
		}
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			return err
		}
	}
	return nil
}

func (u *unit) ofMainModule() bool {
	if u.cfg.Module != nil {
		return u.cfg.Module.Version == ""
	}
	return u.cfg.ModulePath != "" && u.cfg.ModuleVersion == ""
}

func isTestFile(name string) bool { return strings.HasSuffix(name, "_test.go") }
