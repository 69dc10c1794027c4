// Package newcode says which lines are new: those that a patch adds, or that
// differ from a commit. It asks git and reads patches; it knows nothing of
// findings.
package newcode

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// Lines are the new lines of files.
type Lines struct {
	files map[string][]span // by absolute path
	none  bool              // the patch is empty
}

// Empty reports whether they were read from a patch without a file.
func (l *Lines) Empty() bool { return l.none }

type span struct{ first, last int }

// whole is a span for every line of a file.
var whole = span{1, 1<<31 - 1}

// Touch reports whether one of the lines from first to last of file is new.
func (l *Lines) Touch(file string, first, last int) bool {
	return slices.ContainsFunc(l.files[file], func(s span) bool { return s.first <= last && first <= s.last })
}

// ReadPatch reads a patch whose paths are relative to one of the folders: the
// first where the file exists.
func ReadPatch(r io.Reader, folders ...string) (*Lines, error) {
	files, preamble, err := gitdiff.Parse(r)
	if err != nil {
		return nil, fmt.Errorf("not a patch: %v", err)
	}
	if len(files) == 0 && strings.TrimSpace(preamble) != "" {
		return nil, fmt.Errorf("not a patch: it names no file")
	}
	l := &Lines{files: map[string][]span{}, none: len(files) == 0}
	missing := "" // the first file that is not here
	for _, f := range files {
		if f.IsDelete || f.NewName == "" {
			continue
		}
		name := find(f.NewName, folders)
		if name == "" && missing == "" {
			missing = f.NewName
		}
		if name != "" {
			list := l.files[name] // a series of patches may name a file twice
			for _, fragment := range f.TextFragments {
				list = append(list, spans(fragment)...)
			}
			l.files[name] = list
		}
	}
	if len(l.files) == 0 && missing != "" {
		return nil, fmt.Errorf("none of its files is here, the first is %s; it must be relative to %s, and have the prefixes a/ and b/ if git made it", missing, folders[0])
	}
	return l, nil
}

// find returns the path of a file that a patch names. A patch that git did not
// make may have the prefix b/ still.
func find(name string, folders []string) string {
	names := []string{filepath.FromSlash(name)}
	if _, rest, ok := strings.Cut(name, "/"); ok {
		names = append(names, filepath.FromSlash(rest))
	}
	for _, n := range names {
		for _, folder := range folders {
			path := filepath.Join(folder, n)
			if _, err := os.Lstat(path); err == nil {
				return path
			}
		}
	}
	return ""
}

// spans lists the new lines of a fragment. Where lines were only taken away the
// lines before and after count as new: what was done there is done no more.
func spans(f *gitdiff.TextFragment) (list []span) {
	n := int(f.NewPosition)
	if f.NewLines == 0 {
		n++ // such a fragment names the line before
	}
	deleted := false
	gap := func() {
		if deleted {
			list = append(list, span{n - 1, n})
		}
		deleted = false
	}
	for _, line := range f.Lines {
		switch line.Op {
		case gitdiff.OpDelete:
			deleted = true
		case gitdiff.OpAdd:
			deleted = false // replaced, not taken away
			list = append(list, span{n, n})
			n++
		default:
			gap()
			n++
		}
	}
	gap()
	return list
}
