package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func TestTestedTwin(t *testing.T) {
	for _, test := range []struct {
		name, file, text string
		want             bool
	}{
		{"own test", "a_test.go", "package a\n", true},
		{"external test", "a_test.go", "package a_test\n", false},
		{"no test", "a.go", "package a\n", false},
		{"under a build tag", "a_test.go", "//go:build integration\n\npackage a\n", false},
		{"unless a build tag", "a_test.go", "//go:build !integration\n\npackage a\n", false},
		{"of another system", "a_plan9_test.go", "package a\n", false},
		{"ignored", "_a_test.go", "package a\n", false},
		{"does not parse", "a_test.go", "pack\n", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, test.file), []byte(test.text), 0o666); err != nil {
				t.Fatal(err)
			}
			if got := testedTwin(dir); got != test.want {
				t.Errorf("testedTwin = %t, want %t", got, test.want)
			}
		})
	}
	if testedTwin("") {
		t.Error("testedTwin of no folder")
	}
}

// TestUnit holds what becomes of the go command's description of a unit.
func TestUnit(t *testing.T) {
	tested := t.TempDir()
	if err := os.WriteFile(filepath.Join(tested, "a_test.go"), []byte("package a\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	main, dep := map[string]any{"Path": "m"}, map[string]any{"Path": "d", "Version": "v1.0.0"}
	type fields map[string]any
	for _, test := range []struct {
		name      string
		in        fields
		tests     bool
		want      fields // nil if the file stays as it is
		factsOnly bool
		nothing   bool
	}{
		{name: "root", in: fields{"Module": main, "GoFiles": []string{"a.go"}}},
		{name: "dependency of another module", in: fields{"Module": dep, "VetxOnly": true}, factsOnly: true},
		{name: "of no module", in: fields{"VetxOnly": true}, factsOnly: true},
		{name: "imported, can be a root", in: fields{"Module": main, "VetxOnly": true, "Dir": t.TempDir(), "GoFiles": []string{"a.go"}}, want: fields{"VetxOnly": false}},
		{name: "imported, is a root with its tests", in: fields{"Module": main, "VetxOnly": true, "Dir": tested, "GoFiles": []string{"a.go"}}, factsOnly: true},
		{name: "as an older go command writes it", in: fields{"ModulePath": "m", "VetxOnly": true}, want: fields{"VetxOnly": false}},
		{name: "with its tests", in: fields{"Module": main, "ID": "m/a", "ImportPath": "m/a", "GoFiles": []string{"a.go", "a_test.go"}},
			want: fields{"ID": "m/a [m/a.test]", "GoFiles": []any{"a.go"}}},
		{name: "with its tests, which are wanted", in: fields{"Module": main, "ID": "m/a", "ImportPath": "m/a", "GoFiles": []string{"a.go", "a_test.go"}}, tests: true,
			want: fields{"ID": "m/a [m/a.test]"}},
		{name: "external test", in: fields{"Module": main, "ID": "m/a_test [m/a.test]", "ImportPath": "m/a_test", "GoFiles": []string{"x_test.go"}}, nothing: true},
		{name: "external test, which is wanted", in: fields{"Module": main, "ID": "m/a_test [m/a.test]", "ImportPath": "m/a_test", "GoFiles": []string{"x_test.go"}}, tests: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			name := filepath.Join(dir, "vet.cfg")
			vetx, stdout := filepath.Join(dir, "vet.out"), filepath.Join(dir, "vet.stdout")
			in := fields{"VetxOutput": vetx, "Stdout": stdout, "Later": 1.0}
			for k, v := range test.in {
				in[k] = v
			}
			before, err := json.Marshal(in)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, before, 0o666); err != nil {
				t.Fatal(err)
			}
			u, err := readUnit(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := u.prepare(test.tests); err != nil {
				t.Fatal(err)
			}
			if u.factsOnly != test.factsOnly || u.nothing != test.nothing {
				t.Errorf("facts only %t, nothing %t; want %t, %t", u.factsOnly, u.nothing, test.factsOnly, test.nothing)
			}
			for _, file := range []string{vetx, stdout} {
				if _, err := os.Stat(file); (err == nil) != test.nothing {
					t.Errorf("%s: %v", filepath.Base(file), err)
				}
			}
			after, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if test.want == nil {
				if string(after) != string(before) {
					t.Errorf("rewritten to %s", after)
				}
				return
			}
			for k, v := range test.want {
				in[k] = v
			}
			want, err := json.MarshalIndent(in, "", "\t")
			if err != nil {
				t.Fatal(err)
			}
			if string(after) != string(want) {
				t.Errorf("rewritten to\n%s\nwant\n%s", after, want)
			}
		})
	}
}
