package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/concvet/concvet/internal/render"
)

// outputs are the destinations of a run. A report that goes to a file is
// written beside it first and put in its place at the end, so that nobody
// reads half of one. What is no regular file, such as a pipe or a device, is
// written to as it is.
type outputs struct {
	list []destination
	open map[string]*output // by destination.path
}

type output struct {
	file *os.File
	into string // path the file gets at the end, empty if it is written directly
}

// openOutputs fails before the analysis if a file could not be written after.
func openOutputs(list []destination) (*outputs, error) {
	o := &outputs{list: list, open: map[string]*output{}}
	for _, d := range list {
		if d.path == "" {
			continue
		}
		out, err := openOutput(d.path)
		if err != nil {
			o.discard()
			return nil, fmt.Errorf("-format %s=%s: cannot write there: %v", d.format, d.path, reason(err))
		}
		o.open[d.path] = out
	}
	return o, nil
}

func openOutput(path string) (*output, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, errors.New("it is a folder")
	case err == nil && !info.Mode().IsRegular():
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &output{file: file}, err
	case err == nil:
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, err
		}
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".concvet-*")
	return &output{file, path}, err
}

// reason is the cause of an error of package os, without the name of a
// temporary file.
func reason(err error) error {
	if perr := (*fs.PathError)(nil); errors.As(err, &perr) {
		return perr.Err
	}
	return err
}

// discard removes what was not written.
func (o *outputs) discard() {
	for path, out := range o.open {
		out.file.Close()
		if out.into != "" {
			os.Remove(out.file.Name())
		}
		delete(o.open, path)
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
				return outputError(err)
			}
			continue
		}
		out := o.open[d.path]
		plain := *r
		plain.Color = false
		if err := out.write(func(w io.Writer) error { return render.Write(w, d.format, &plain) }); err != nil {
			return fmt.Errorf("cannot write %s: %v", d.path, reason(err))
		}
		delete(o.open, d.path)
	}
	return o.writeSummary(r)
}

// writeSummary adds the findings to the summary of a GitHub job if one of the
// formats is for GitHub: annotations are limited to ten a step.
func (o *outputs) writeSummary(r *render.Report) error {
	name := os.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" || !slices.ContainsFunc(o.list, func(d destination) bool { return d.format == "github" }) {
		return nil
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err == nil {
		err = render.WriteSummary(file, r)
		if cerr := file.Close(); err == nil {
			err = cerr
		}
	}
	if err != nil {
		return fmt.Errorf("cannot write GITHUB_STEP_SUMMARY: %v", reason(err))
	}
	return nil
}

func (out *output) write(content func(io.Writer) error) error {
	err := content(out.file)
	if err == nil && out.into != "" {
		err = out.file.Chmod(0o644)
	}
	if cerr := out.file.Close(); err == nil {
		err = cerr
	}
	if out.into != "" {
		if err == nil {
			err = os.Rename(out.file.Name(), out.into)
		}
		if err != nil {
			os.Remove(out.file.Name())
		}
	}
	return err
}
