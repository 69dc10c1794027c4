package main

import (
	"bytes"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// testedTwin reports whether the go command, asked for the package in dir, looks
// at it together with its own test files and never at it alone. Then the unit
// without them is only a dependency, and analysing it too would double the cost
// of a module: whoever asks for the package is shown what the other unit says.
//
// The tool is not told of the build tags, so only a test file that every build
// takes counts.
func testedTwin(dir string) bool {
	if dir == "" {
		return false
	}
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return false
	}
	return slices.ContainsFunc(names, isOwnTest)
}

// isOwnTest reports whether a test file belongs to the package itself, not to an
// external test package, under all build tags.
func isOwnTest(name string) bool {
	if ok, err := build.Default.MatchFile(filepath.Split(name)); err != nil || !ok {
		return false
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return false
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, data, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil || strings.HasSuffix(f.Name.Name, "_test") {
		return false
	}
	head := data[:f.Package-1]
	return !bytes.Contains(head, []byte("//go:build")) && !bytes.Contains(head, []byte("// +build"))
}
