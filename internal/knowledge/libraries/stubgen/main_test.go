package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The stubs in the repository are those that this generator writes.
func TestStubsAreUpToDate(t *testing.T) {
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < len(roots) {
		t.Errorf("%d files for %d packages", len(files), len(roots))
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("../../../../testdata/src", filepath.FromSlash(name)))
		if err != nil {
			t.Errorf("%v: run go -C internal/knowledge/libraries run ./stubgen", err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: run go -C internal/knowledge/libraries run ./stubgen", name)
		}
	}
}
