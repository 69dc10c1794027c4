package main

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/vetrun"
)

// A spot is a line under one of its names: that of the file it is in, or the
// one that a //line directive gives it, which is what a finding shows.
type spot struct {
	file string // absolute
	line int
}

// A place is where in one Go file the code of a spot is: a generator may write
// the code of one line to several.
type place struct {
	file  string
	code  []byte
	lines []int  // of the file, whatever its directives say
	names []spot // what findings there may be shown at
}

// locate finds the code of line of file, as somebody has typed it: the line of a
// Go file, or one that a //line directive names, as those of generated code
// (goyacc, templ) lead to their source.
func locate(dir, file string, line int) ([]place, error) {
	path := file
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, file)
	}
	typed := spot{filepath.Clean(path), line}
	var places []place
	code, err := os.ReadFile(typed.file)
	isGo := err == nil && strings.HasSuffix(file, ".go")
	if isGo && line <= lineCount(code) {
		places = []place{{file: typed.file, code: code, lines: []int{line}, names: []spot{typed, shown(typed.file, code)[line-1]}}}
	}
	for folder := filepath.Dir(typed.file); ; folder = filepath.Dir(folder) {
		for _, p := range named(folder, typed) {
			if i := slices.IndexFunc(places, func(q place) bool { return q.file == p.file }); i < 0 {
				places = append(places, p)
			} else if !slices.Contains(p.lines, line) {
				places[i].lines = append(places[i].lines, p.lines...)
			}
		}
		// A generator may be run further up, and name its source from there.
		if isGo || len(places) > 0 || folder == vetrun.ModuleRoot(folder) || folder == filepath.Dir(folder) {
			break
		}
	}
	switch {
	case len(places) > 0:
		return places, nil
	case isGo:
		return nil, fmt.Errorf("%s:%d: the file has %d lines", file, line, lineCount(code))
	case err != nil && strings.HasSuffix(file, ".go"):
		return nil, fmt.Errorf("%s: %v", file, reason(err))
	}
	what := ""
	if err != nil {
		what = "no such file, and "
	}
	return nil, fmt.Errorf("%s:%d: %sno //line directive of a Go file there leads to this line", file, line, what)
}

// named lists the Go files of folder whose //line directives name a spot. Where
// none has the whole path, as it is from another folder, its last part will do.
func named(folder string, s spot) []place {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil
	}
	var exact, near []place
	for _, file := range files {
		code, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(code, []byte("line ")) || !bytes.Contains(code, []byte(filepath.Base(s.file)+":")) {
			continue
		}
		same, alike := place{file: file, code: code}, place{file: file, code: code}
		for i, at := range shown(file, code) {
			switch {
			case at.line != s.line || at.file == file && i+1 == at.line:
			case at.file == s.file:
				same.lines, same.names = append(same.lines, i+1), []spot{at}
			case filepath.Base(at.file) == filepath.Base(s.file):
				alike.lines, alike.names = append(alike.lines, i+1), []spot{at}
			}
		}
		if len(same.lines) > 0 {
			exact = append(exact, same)
		}
		if len(alike.lines) > 0 {
			near = append(near, alike)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return near
}

// shown says of each line of a Go file what its //line directives make of it.
func shown(file string, code []byte) []spot {
	fset := token.NewFileSet()
	f := fset.AddFile(file, -1, len(code))
	var s scanner.Scanner
	s.Init(f, code, nil, 0)
	for tok := token.ILLEGAL; tok != token.EOF; {
		_, tok, _ = s.Scan()
	}
	spots := make([]spot, f.LineCount())
	for i := range spots {
		p := fset.Position(f.LineStart(i + 1))
		spots[i] = spot{p.Filename, p.Line}
	}
	return spots
}

// lineCount is the number of lines of a file.
func lineCount(code []byte) int {
	n := bytes.Count(code, []byte("\n"))
	if len(code) > 0 && code[len(code)-1] != '\n' {
		n++
	}
	return n
}
