package apply

import (
	"errors"
	"go/parser"
	"go/token"
	"slices"

	"github.com/concvet/concvet/internal/vetrun"
)

// Edited is what a file with the contents old holds after edits: what Write
// would write. An editor that has the file open applies it.
func Edited(old []byte, edits []vetrun.Edit) ([]byte, error) {
	for i, e := range edits {
		if e.Start < 0 || e.End < e.Start || e.End > len(old) {
			return nil, errors.New("an edit is outside the file")
		}
		if Conflicts(edits[:i], e) {
			return nil, errors.New("two edits overlap")
		}
	}
	data := finish(old, edit(old, edits))
	if _, err := parser.ParseFile(token.NewFileSet(), "", data, parser.SkipObjectResolution); err != nil {
		return nil, err
	}
	return data, nil
}

// Conflicts reports whether e overlaps one of edits without being the same.
func Conflicts(edits []vetrun.Edit, e vetrun.Edit) bool {
	return slices.ContainsFunc(edits, func(other vetrun.Edit) bool {
		return other != e && other.File == e.File && overlap(other, e)
	})
}
