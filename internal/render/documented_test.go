package render

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestDocumented holds that docs/output.md names every format and every field of
// the JSON output.
func TestDocumented(t *testing.T) {
	data, err := os.ReadFile("../../docs/output.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for _, format := range Formats() {
		if !strings.Contains(page, "| `"+format+"` |") {
			t.Errorf("the page does not name the format %s", format)
		}
	}
	seen := map[reflect.Type]bool{}
	var fields func(reflect.Type)
	fields = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || seen[typ] {
			return
		}
		seen[typ] = true
		for f := range typ.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !strings.Contains(page, "`"+name+"`") {
				t.Errorf("the page does not name the field %s of %s", name, typ.Name())
			}
			fields(f.Type)
		}
	}
	fields(reflect.TypeFor[jsonReport]())
	if len(seen) < 8 {
		t.Errorf("only %d kinds of objects were looked at", len(seen))
	}
}
