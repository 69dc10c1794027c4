package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/concvet/concvet/analyzers"
	"github.com/concvet/concvet/internal/lineinfo"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// unitConf is the value of -conf: everything that can change what is found, so
// that it is part of go vet's cache key. Its presence switches to wire mode.
type unitConf struct {
	V      int      `json:"v"`
	Models []string `json:"models,omitempty"`
	Tests  bool     `json:"tests,omitempty"` // test files are analysed, too
}

func (c *unitConf) String() string { return "" }

func (c *unitConf) Set(text string) error {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(c); err != nil {
		return err
	}
	if c.V != 1 {
		return fmt.Errorf("version %d is not known to this concvet", c.V)
	}
	report.Wire = true
	summary.Tests = c.Tests
	return summary.SetModels(c.Models)
}

// unitMain analyses one package for the go command and exits.
func unitMain(args []string) {
	// One package a process: less collecting costs little memory here.
	debug.SetGCPercent(150)
	summary.Tests = false // plain go vet reports nothing in them
	flag.Var(new(unitConf), "conf", "configuration as canonical JSON; set by concvet itself, it switches to wire messages")
	if cfg := args[len(args)-1]; strings.HasSuffix(cfg, ".cfg") {
		facts, err := prepareUnit(cfg)
		if err != nil {
			fmt.Fprintf(os.Stderr, "concvet: %v\n", err)
			os.Exit(1)
		}
		report.FactsOnly = facts
		summary.AnalyzeStd = !facts
		if !facts {
			err = nameVariant(cfg)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "concvet: %v\n", err)
			os.Exit(1)
		}
	}
	unitchecker.Main(append(slices.Clip(analyzers.Suite), lineinfo.Analyzer)...)
}

// prepareUnit rewrites the unit's configuration so that every package of the
// main module is analysed as a root, and reports whether only facts are wanted.
//
// The go command keeps one cached output a package whether it ran as a root or
// as a dependency, since VetxOnly is not part of its cache key. A package that
// was first seen as a dependency would lose its findings for good.
func prepareUnit(name string) (factsOnly bool, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return false, err
	}
	var cfg struct {
		VetxOnly bool
		Module   *struct{ Version string }
		ModulePath,
		ModuleVersion string
		Standard map[string]bool
	}
	if err := json.Unmarshal(data, &cfg); err != nil {
		return false, fmt.Errorf("%s: %v", name, err)
	}
	if !cfg.VetxOnly {
		return false, nil
	}
	main := cfg.Module != nil && cfg.Module.Version == "" || cfg.Module == nil && cfg.ModulePath != "" && cfg.ModuleVersion == ""
	if !main {
		return true, nil
	}
	// Only the one word is changed: whatever else a newer go command writes
	// there must come through as it is.
	old, new := []byte(`"VetxOnly": true`), []byte(`"VetxOnly": false`)
	if bytes.Count(data, old) != 1 {
		return true, nil
	}
	return false, os.WriteFile(name, bytes.Replace(data, old, new, 1), 0o666)
}

// nameVariant gives the unit of a package that is compiled with its own test
// files the ID "p [p.test]". The go command gives it the ID of p, and so the
// front end could not tell which of the two said what: p is analysed as itself
// too if something imports it. The ID is only a key of the JSON output.
func nameVariant(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var cfg struct {
		ID, ImportPath string
		GoFiles        []string
	}
	if err := json.Unmarshal(data, &cfg); err != nil {
		return fmt.Errorf("%s: %v", name, err)
	}
	isTest := func(file string) bool { return strings.HasSuffix(file, "_test.go") }
	if cfg.ID != cfg.ImportPath || !slices.ContainsFunc(cfg.GoFiles, isTest) || !slices.ContainsFunc(cfg.GoFiles, func(f string) bool { return !isTest(f) }) {
		return nil
	}
	old, err := json.Marshal(cfg.ID)
	if err != nil {
		return err
	}
	new, err := json.Marshal(cfg.ID + " [" + cfg.ID + ".test]")
	if err != nil {
		return err
	}
	old, new = slices.Concat([]byte(`"ID": `), old), slices.Concat([]byte(`"ID": `), new)
	if bytes.Count(data, old) != 1 {
		return nil
	}
	return os.WriteFile(name, bytes.Replace(data, old, new, 1), 0o666)
}
