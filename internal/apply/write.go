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
	Files []string
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
	targets, err := p.targets(files)
	if err != nil {
		return Written{}, err
	}
	staged := make([]string, 0, len(files))
	defer func() {
		for _, name := range staged {
			os.Remove(name) // what was renamed is gone already
		}
	}()
	for i, file := range files {
		name, err := stage(targets[i], contents[file])
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
		if err := os.Rename(staged[i], targets[i]); err != nil {
			if uerr := p.restore(files[:i], targets[:i]); uerr != nil {
				return Written{}, fmt.Errorf("%s: cannot write: %v; and %v", file, cause(err), uerr)
			}
			return Written{}, fmt.Errorf("%s: cannot write, so nothing was changed: %v", file, cause(err))
		}
	}
	p.written = files
	return Written{Files: files, Fixes: len(p.fixes)}, nil
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

// targets are the files that are written for files, which may be links.
func (p *Plan) targets(files []string) ([]string, error) {
	var list []string
	for _, file := range files {
		info, err := os.Lstat(file)
		if err != nil {
			return nil, fmt.Errorf("%s: cannot write, so nothing was changed: %v", file, cause(err))
		}
		target, why := p.guard.target(file, info)
		if why != "" {
			return nil, fmt.Errorf("%s: nothing was changed: %s", file, why)
		}
		list = append(list, target)
	}
	return list, nil
}

// Undo puts back what Write has changed, unless somebody has changed it since.
func (p *Plan) Undo() error {
	targets, err := p.targets(p.written)
	if err != nil {
		return err
	}
	contents, err := p.contents(p.fixes)
	if err != nil {
		return err
	}
	for _, file := range p.written {
		if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, contents[file]) {
			return fmt.Errorf("%s, which had been changed, is not put back: somebody else changed it since", file)
		}
	}
	return p.restore(p.written, targets)
}

// Fixes describes the fixes of the plan, one a line.
func (p *Plan) Fixes() []Withheld {
	var list []Withheld
	for _, c := range p.fixes {
		list = append(list, Withheld{Finding: c.finding, Fix: c.fix})
	}
	return list
}

// restore puts back the contents that files had.
func (p *Plan) restore(files, targets []string) error {
	for i, file := range files {
		name, err := stage(targets[i], p.original[file])
		if err == nil {
			err = os.Rename(name, targets[i])
		}
		if err != nil {
			return fmt.Errorf("%s, which had been changed, could not be put back: %v", file, cause(err))
		}
	}
	return nil
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
