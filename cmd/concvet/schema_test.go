package main

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/concvet/concvet/internal/config"
)

var update = flag.Bool("update", false, "write schema/concvet.schema.json")

// TestSchema holds that the schema which editors load is that of this concvet:
// the same fields as the decoder reads, and the names of all categories.
func TestSchema(t *testing.T) {
	const name = "../../schema/concvet.schema.json"
	want, err := config.Schema(catalog())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(name, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
		t.Errorf("%s is not up to date: go test ./cmd/concvet -run TestSchema -update", name)
	}
}
