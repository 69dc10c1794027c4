package render

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/concvet/concvet/internal/vetrun"
)

// TestSuggestion holds that reviewdog is only offered what is whole in itself.
func TestSuggestion(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(file, []byte("one\nüx two\nthree\n"+strings.Repeat("\n", 50)), 0o666); err != nil {
		t.Fatal(err)
	}
	f := vetrun.Finding{File: file, Line: 2, Physical: true}
	edit := func(start, end int, text string) vetrun.Edit {
		return vetrun.Edit{File: file, Start: start, End: end, New: text}
	}
	for _, test := range []struct {
		name  string
		fix   vetrun.Fix
		text  string // empty: none is offered
		start rdPosition
	}{
		{"one edit", vetrun.Fix{Edits: []vetrun.Edit{edit(8, 11, "2")}}, "2", rdPosition{2, 5}},
		{"two edits", vetrun.Fix{Edits: []vetrun.Edit{edit(12, 17, "3"), edit(0, 3, "1")}}, "1\nüx two\n3", rdPosition{1, 1}},
		{"far apart", vetrun.Fix{Edits: []vetrun.Edit{edit(0, 0, "1"), edit(60, 60, "2")}}, "", rdPosition{}},
		{"unsafe", vetrun.Fix{Unsafe: "order", Edits: []vetrun.Edit{edit(8, 11, "2")}}, "", rdPosition{}},
		{"outside", vetrun.Fix{Edits: []vetrun.Edit{edit(8, 1000, "2")}}, "", rdPosition{}},
		{"overlapping", vetrun.Fix{Edits: []vetrun.Edit{edit(4, 10, "2"), edit(8, 11, "2")}}, "", rdPosition{}},
		{"another file", vetrun.Fix{Edits: []vetrun.Edit{{File: "other.go", New: "x"}}}, "", rdPosition{}},
		{"empty", vetrun.Fix{}, "", rdPosition{}},
	} {
		got, ok := suggestion(f, test.fix, sources{})
		if ok != (test.text != "") || got.Text != test.text || got.Range.Start != test.start {
			t.Errorf("%s: %+v, %t", test.name, got, ok)
		}
	}
}
