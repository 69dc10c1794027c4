package vetrun

import (
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
)

// mapFrames turns the frames of findings, which name a file by the import path
// of its package, into paths. One go list asks for all packages that are not
// known yet; a package it does not know leaves the frame without a path.
func (ix *index) mapFrames(ctx context.Context, target Target, buildFlags []string, findings []Finding) {
	missing := map[string]bool{}
	for _, f := range findings {
		for _, fr := range f.Frames {
			if pkg := path.Dir(fr.Pos); fr.File == "" && pkg != "." && ix.dirs[pkg] == "" {
				missing[pkg] = true
			}
		}
	}
	if len(missing) > 0 {
		// An error only costs the paths.
		pkgs, _ := List(ctx, target, buildFlags, slices.Sorted(maps.Keys(missing)))
		for _, p := range pkgs {
			ix.dirs[p.ImportPath] = p.Dir
		}
	}
	for i := range findings {
		f := &findings[i]
		for j := range f.Frames {
			fr := &f.Frames[j]
			if fr.File != "" {
				continue
			}
			name, line, _ := splitPosn(fr.Pos)
			fr.Line = line
			folder := f.Dir
			if pkg := path.Dir(name); pkg != "." {
				folder = ix.dirs[pkg]
			}
			if folder != "" {
				fr.File = filepath.Join(folder, path.Base(name))
			}
		}
	}
}
