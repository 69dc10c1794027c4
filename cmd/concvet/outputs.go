package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/concvet/concvet/internal/render"
)

// outputs are the destinations of a run. A report that goes to a file is
// written beside it first and put in its place at the end, so that nobody
// reads half of one.
type outputs struct {
	list []destination
	temp map[string]*os.File
}

// openOutputs fails before the analysis if a file could not be written after.
func openOutputs(list []destination) (*outputs, error) {
	o := &outputs{list: list, temp: map[string]*os.File{}}
	for _, d := range list {
		if d.path == "" {
			continue
		}
		if info, err := os.Stat(d.path); err == nil && info.IsDir() {
			o.discard()
			return nil, fmt.Errorf("-format %s=%s: it is a folder", d.format, d.path)
		}
		file, err := os.CreateTemp(filepath.Dir(d.path), ".concvet-*")
		if err != nil {
			o.discard()
			return nil, fmt.Errorf("-format %s=%s: cannot write there: %v", d.format, d.path, errors.Unwrap(err))
		}
		o.temp[d.path] = file
	}
	return o, nil
}

// discard removes what was not written.
func (o *outputs) discard() {
	for path, file := range o.temp {
		file.Close()
		os.Remove(file.Name())
		delete(o.temp, path)
	}
}

func (o *outputs) write(r *render.Report) error {
	for _, d := range o.list {
		if d.path == "" {
			out := bufio.NewWriter(os.Stdout)
			err := render.Write(out, d.format, r)
			if ferr := out.Flush(); err == nil {
				err = ferr
			}
			if err != nil {
				return fmt.Errorf("cannot write the report: %v", err)
			}
			continue
		}
		file := o.temp[d.path]
		plain := *r
		plain.Color = false
		err := render.Write(file, d.format, &plain)
		if err == nil {
			err = file.Chmod(0o644)
		}
		if cerr := file.Close(); err == nil {
			err = cerr
		}
		if err == nil {
			err = os.Rename(file.Name(), d.path)
		}
		if err != nil {
			os.Remove(file.Name())
			err = fmt.Errorf("cannot write %s: %v", d.path, err)
		}
		delete(o.temp, d.path)
		if err != nil {
			return err
		}
	}
	return nil
}
