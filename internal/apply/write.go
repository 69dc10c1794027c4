package apply

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/aymanbagabas/go-udiff"
)

// A Written says what was changed.
type Written struct {
	Files int
	Fixes int
}

// Write writes all files or none: each new content is complete on disk, beside
// its file, before the first file is replaced.
func (p *Plan) Write() (Written, error) {
	contents, err := p.contents(p.fixes)
	if err != nil {
		return Written{}, err
	}
	files := slices.Sorted(maps.Keys(contents))
	staged := make([]string, 0, len(files))
	defer func() {
		for _, name := range staged {
			os.Remove(name) // what was renamed is gone already
		}
	}()
	for _, file := range files {
		name, err := stage(file, contents[file])
		if err != nil {
			return Written{}, fmt.Errorf("%s: cannot write, so nothing was changed: %v", file, cause(err))
		}
		staged = append(staged, name)
	}
	for _, file := range files {
		if _, why, _ := p.guard.read(file); why != "" {
			return Written{}, fmt.Errorf("%s: nothing was changed: %s", file, why)
		}
	}
	for i, file := range files {
		if err := os.Rename(staged[i], file); err != nil {
			return Written{}, p.undo(files[:i], file, err)
		}
	}
	return Written{Files: len(files), Fixes: len(p.fixes)}, nil
}

// stage writes data to a new file beside file, with file's mode.
func stage(file string, data []byte) (name string, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), ".concvet-*")
	if err != nil {
		return "", err
	}
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(tmp.Name())
		return "", err
	}
	return tmp.Name(), nil
}

// undo puts back what was replaced before a rename failed.
func (p *Plan) undo(done []string, failed string, err error) error {
	for _, file := range done {
		name, serr := stage(file, p.original[file])
		if serr == nil {
			serr = os.Rename(name, file)
		}
		if serr != nil {
			return fmt.Errorf("%s: cannot write: %v; and %s, which had been changed, could not be put back: %v", failed, cause(err), file, cause(serr))
		}
	}
	return fmt.Errorf("%s: cannot write, so nothing was changed: %v", failed, cause(err))
}

func cause(err error) error {
	if perr := (*fs.PathError)(nil); errors.As(err, &perr) {
		return perr.Err
	}
	if lerr := (*os.LinkError)(nil); errors.As(err, &lerr) {
		return lerr.Err
	}
	return err
}

// Diff returns what Write would change, as a unified diff for patch -p1; label
// turns a file into the path it is called by.
func (p *Plan) Diff(label func(file string) string) (string, error) {
	contents, err := p.contents(p.fixes)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	for _, file := range slices.Sorted(maps.Keys(contents)) {
		name := label(file)
		out.WriteString(udiff.Unified("a/"+name, "b/"+name, string(p.original[file]), string(contents[file])))
	}
	return out.String(), nil
}
