package summary

import (
	"strings"

	"github.com/concvet/concvet/internal/effect"
)

// Way names the struct fields that a local path leads through, outermost first,
// each as [Result.Field] does, "" if it ends in no field. It tells the locks apart
// that several types have because they embed the same struct:
//
//	(stores.FileStore).generic > (stores.generic).common > (stores.common).RWMutex
func (r *Result) Way(path effect.Path) string {
	root, sel := path.Split()
	way := ""
	add := func(end int) {
		key := r.in.fieldKey(effect.Path(root + sel[:end]))
		switch {
		case key == "":
			way = "" // what comes before is another object
		case way == "":
			way = key
		default:
			way += " > " + key
		}
	}
	if strings.HasPrefix(root, "g:") {
		add(0)
	}
	for i := 1; i <= len(sel); i++ {
		if i == len(sel) || sel[i] == '.' || sel[i] == '[' {
			if sel[i-1] == ']' {
				way = "" // an element is an object of its own
			} else {
				add(i)
			}
		}
	}
	return way
}

// Meet reports whether two ways may lead to the same field of one object: one of
// them is the end of the other, which comes from further out.
func Meet(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a != "" && (a == b || strings.HasSuffix(b, " > "+a))
}
