package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
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
	tuneGC()
	conf := new(unitConf)
	summary.Tests = false // plain go vet reports nothing in them
	flag.Var(conf, "conf", "configuration as canonical JSON; set by concvet itself, it switches to wire messages")
	if cfg := args[len(args)-1]; strings.HasSuffix(cfg, ".cfg") {
		u, err := readUnit(cfg)
		if err == nil {
			err = u.prepare(wantsTests(args))
		}
		if err != nil {
			os.Exit(fail(err))
		}
		if u.nothing {
			os.Exit(0)
		}
		report.FactsOnly = u.factsOnly
		summary.AnalyzeStd = !u.factsOnly
	}
	unitchecker.Main(append(slices.Clip(analyzers.Suite), lineinfo.Analyzer)...)
}

// wantsTests looks for -conf before the flags are parsed, which is the last
// thing that happens before the package is loaded. What is wrong with it is
// said then.
func wantsTests(args []string) bool {
	var conf unitConf
	for i, arg := range args {
		name, value, ok := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if name != "conf" {
			continue
		}
		if !ok && i+1 < len(args) {
			value = args[i+1]
		}
		if json.Unmarshal([]byte(value), &conf) != nil {
			return false
		}
	}
	return conf.Tests
}
