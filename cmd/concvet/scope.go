package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/concvet/concvet/internal/newcode"
	"github.com/concvet/concvet/internal/render"
	"github.com/concvet/concvet/internal/vetrun"
)

// narrow does what -changed and -new-from-… ask for: the first chooses packages
// before anything is analysed, the others lines after.
func (run *checkRun) narrow(ctx context.Context) error {
	if err := run.readNew(ctx); err != nil {
		return err
	}
	if !run.opts.changed.set {
		return nil
	}
	repo, err := newcode.Open(run.dir)
	if err != nil {
		return fmt.Errorf("-changed: %v", err)
	}
	commit, err := repo.Commit(ctx, run.opts.changed.ref)
	if err != nil {
		return fmt.Errorf("-changed: %v", err)
	}
	changed, err := repo.Changed(ctx, commit)
	if err != nil {
		return fmt.Errorf("-changed: %v", err)
	}
	var kept []target
	for _, t := range run.targets {
		paths, all, err := vetrun.Affected(ctx, t.Target, run.buildFlags(), changed)
		if err != nil {
			return err
		}
		if !all {
			t.Patterns = paths
		}
		if len(t.Patterns) > 0 {
			kept = append(kept, t)
		}
	}
	run.targets = kept
	return nil
}

// buildFlags are the flags that choose files, for go list.
func (run *checkRun) buildFlags() []string {
	if run.opts.tags == "" {
		return nil
	}
	return []string{"-tags=" + run.opts.tags}
}

// readNew finds the new lines that -new-from-… speaks of.
func (run *checkRun) readNew(ctx context.Context) (err error) {
	o := run.opts
	flag, find := "", func(*newcode.Repo) (string, error) { return "", nil }
	switch {
	case o.newFrom != "":
		run.fresh, err = run.readPatch(o.newFrom)
		if err != nil {
			return fmt.Errorf("-new-from-patch %s: %v", o.newFrom, err)
		}
		if run.fresh.Empty() && !o.quiet {
			// A command that makes the patch and fails gives none either.
			fmt.Fprintf(os.Stderr, "concvet: -new-from-patch %s: the patch is empty, so nothing is new and nothing is reported\n", render.Escape(o.newFrom))
		}
		return nil
	case o.newRev != "":
		flag, find = "-new-from-rev", func(r *newcode.Repo) (string, error) { return r.Commit(ctx, o.newRev) }
	case o.newBase != "":
		flag, find = "-new-from-merge-base", func(r *newcode.Repo) (string, error) { return r.MergeBase(ctx, o.newBase) }
	default:
		return nil
	}
	repo, err := newcode.Open(run.dir)
	if err == nil {
		var commit string
		if commit, err = find(repo); err == nil {
			run.fresh, err = repo.Since(ctx, commit)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %v", flag, err)
	}
	return nil
}

func (run *checkRun) readPatch(name string) (*newcode.Lines, error) {
	var in io.Reader = os.Stdin
	if name != "-" {
		if !filepath.IsAbs(name) {
			name = filepath.Join(run.dir, name)
		}
		file, err := os.Open(name)
		if err != nil {
			return nil, reason(err)
		}
		defer file.Close()
		in = file
	}
	folders := []string{run.dir}
	if repo, err := newcode.Open(run.dir); err == nil && repo.Root != run.dir {
		folders = []string{repo.Root, run.dir}
	}
	return newcode.ReadPatch(in, folders...)
}

// isNew reports whether a finding is due to new lines: that of the finding, or
// one of those that lead from it to what blocks.
func (run *checkRun) isNew(f vetrun.Finding) bool {
	if run.fresh == nil {
		return true
	}
	if f.Physical && run.fresh.Touch(f.File, f.Line, max(f.Line, f.EndLine)) {
		return true
	}
	return slices.ContainsFunc(f.Frames, func(fr vetrun.Frame) bool { return fr.File != "" && run.fresh.Touch(fr.File, fr.Line, fr.Line) })
}
