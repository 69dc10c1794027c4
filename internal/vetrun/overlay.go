package vetrun

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// overlayPrefix marks the folders of replacement files, so that a path in one
// is known as such later, too.
//
// The go command keys its cache by the contents of files and by their names in
// the package, not by the path of a replacement. Once a file has been saved
// with the contents that a replacement had, the cached findings are replayed,
// and they name the replacement, long gone.
const overlayPrefix = "concvet-overlay-"

// An overlay is the files that stand in for others during one run.
type overlay struct {
	dir     string
	replace map[string]string // real file → replacement
}

// newOverlay writes the contents to files and tells the go command of them.
func newOverlay(contents map[string][]byte) (*overlay, error) {
	dir, err := tempDir("", overlayPrefix+"*")
	if err != nil {
		return nil, err
	}
	o := &overlay{dir: dir, replace: map[string]string{}}
	for i, file := range slices.Sorted(maps.Keys(contents)) {
		// The base name decides about tests and build constraints.
		folder := filepath.Join(dir, fmt.Sprint(i))
		o.replace[file] = filepath.Join(folder, filepath.Base(file))
		if err = os.Mkdir(folder, 0o700); err == nil {
			err = os.WriteFile(o.replace[file], contents[file], 0o600)
		}
		if err != nil {
			o.remove()
			return nil, err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err == nil {
		err = os.WriteFile(o.file(), data, 0o600)
	}
	if err != nil {
		o.remove()
		return nil, err
	}
	return o, nil
}

func (o *overlay) file() string { return filepath.Join(o.dir, "overlay.json") }

func (o *overlay) remove() { os.RemoveAll(o.dir) }

// real is the file of the package that path stands in for, or what a //line
// directive in such a file names, or path itself if it is no replacement.
func (p *Package) real(path string) string {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if !strings.HasPrefix(filepath.Base(filepath.Dir(dir)), overlayPrefix) {
			continue
		}
		if rel, err := filepath.Rel(dir, path); err == nil {
			return filepath.Join(p.Dir, rel)
		}
	}
	return path
}

// restore puts the names of real files in f.
func (p *Package) restore(f *Finding) {
	f.File = p.real(f.File)
	for i := range f.Frames {
		f.Frames[i].File = p.real(f.Frames[i].File)
	}
	for i := range f.Fixes {
		for j := range f.Fixes[i].Edits {
			e := &f.Fixes[i].Edits[j]
			e.File = p.real(e.File)
		}
	}
}
