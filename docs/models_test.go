package docs

import (
	"os"
	"strings"
	"testing"

	"github.com/concvet/concvet/internal/knowledge"
)

// The page on models has every clause of the grammar, and what it shows parses.
func TestModelsPage(t *testing.T) {
	data, err := os.ReadFile("models.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for _, clause := range knowledge.Clauses() {
		if !strings.Contains(page, "`"+clause+"`") && !strings.Contains(page, "`"+clause+" ") {
			t.Errorf("the clause %q is missing", clause)
		}
	}
	_, example, _ := strings.Cut(page, "models:\n")
	example, _, _ = strings.Cut(example, "```")
	rows := 0
	for line := range strings.Lines(example) {
		row, err := knowledge.ParseRow(strings.TrimPrefix(strings.TrimSpace(line), "- "))
		if err != nil || row == nil {
			t.Errorf("%q: %v", line, err)
		}
		rows++
	}
	if rows < 5 {
		t.Errorf("%d examples, want 5 or more", rows)
	}
}
