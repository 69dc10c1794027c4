// Package linttest has what the tests of all analyzers share: the drivers that
// run the tool on the tree of testdata.
package linttest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// driverTimeout is longer than any tree of testdata takes on a slow machine.
const driverTimeout = 10 * time.Minute

// A Finding is one finding of one driver. Its message ends in the category in
// brackets, as go vet prints it.
type Finding struct {
	File      string // relative to the module, with slashes
	Line, Col int
	Message   string
}

func (f Finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Col, f.Message)
}

// Compare orders findings by place.
func (f Finding) Compare(o Finding) int {
	return cmp.Or(cmp.Compare(f.File, o.File), cmp.Compare(f.Line, o.Line), cmp.Compare(f.Col, o.Col), cmp.Compare(f.Message, o.Message))
}

// Sort brings findings into the order in which drivers are compared.
func Sort(list []Finding) []Finding {
	slices.SortFunc(list, Finding.Compare)
	return list
}

// Module writes a module into dir that has the packages of the GOPATH tree src
// below name, under the same import paths, and the stub of every library as a
// module that is replaced. It returns the folder of the module.
func Module(dir, src, name string) (string, error) {
	main := filepath.Join(dir, "main")
	if err := os.CopyFS(main, os.DirFS(filepath.Join(src, name))); err != nil {
		return "", err
	}
	roots, err := stubRoots(src)
	if err != nil {
		return "", err
	}
	var mod strings.Builder
	fmt.Fprintf(&mod, "module %s\n\ngo 1.26\n", name)
	for _, root := range roots {
		stub := filepath.Join(dir, "stubs", filepath.FromSlash(root))
		if err := os.CopyFS(stub, os.DirFS(filepath.Join(src, filepath.FromSlash(root)))); err != nil {
			return "", err
		}
		text := fmt.Sprintf("module %s\n\ngo 1.26\n", root)
		if err := os.WriteFile(filepath.Join(stub, "go.mod"), []byte(text), 0o666); err != nil {
			return "", err
		}
		version := "v0.0.0"
		if m := majorSuffix.FindStringSubmatch(root); m != nil {
			version = m[1] + ".0.0"
		}
		fmt.Fprintf(&mod, "\nrequire %[1]s %[2]s\n\nreplace %[1]s => ../stubs/%[1]s\n", root, version)
	}
	return main, os.WriteFile(filepath.Join(main, "go.mod"), []byte(mod.String()), 0o666)
}

var majorSuffix = regexp.MustCompile(`/(v[2-9][0-9]*)$`)

// stubRoots lists the folders of src that become modules: the topmost packages
// below a folder that is named like a host.
func stubRoots(src string) ([]string, error) {
	var roots []string
	err := fs.WalkDir(os.DirFS(src), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || name == "." {
			return err
		}
		host, _, _ := strings.Cut(name, "/")
		if !strings.Contains(host, ".") {
			return fs.SkipDir
		}
		files, err := filepath.Glob(filepath.Join(src, filepath.FromSlash(name), "*.go"))
		if err != nil || len(files) == 0 {
			return err
		}
		roots = append(roots, name)
		return fs.SkipDir
	})
	return roots, err
}

var vetLine = regexp.MustCompile(`^(?:vet: )?([^\t].*?):(\d+)(?::(\d+))?: (.*)$`)

// Vet runs go vet -vettool on all packages of the module in dir.
func Vet(tool, dir string, flags ...string) ([]Finding, error) {
	args := append([]string{"vet", "-vettool=" + tool}, flags...)
	cmd := exec.Command("go", append(args, "./...")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	var out []Finding
	for line := range strings.Lines(stderr.String()) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m := vetLine.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("go vet in %s printed %q\n%s", dir, line, stderr.String())
		}
		if strings.HasPrefix(m[4], "\t") {
			continue // a related position of the finding above
		}
		n, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		out = append(out, Finding{path.Clean(filepath.ToSlash(m[1])), n, col, m[4]})
	}
	if (err != nil) != (len(out) > 0) {
		return nil, fmt.Errorf("go vet in %s: %v, and %d findings\n%s", dir, err, len(out), stderr.String())
	}
	return Sort(out), nil
}

// Concvet runs concvet -json on all packages of the module in dir.
func Concvet(tool, dir string, flags ...string) ([]Finding, error) {
	args := append([]string{"-json", "-config=none"}, flags...)
	ctx, cancel := context.WithTimeout(context.Background(), driverTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool, append(args, "./...")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return nil, fmt.Errorf("concvet in %s: %v\n%s%s", dir, err, stdout.Bytes(), stderr.Bytes())
	}
	var doc struct{ Errors []json.RawMessage }
	if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
		return nil, fmt.Errorf("concvet in %s: %v\n%s", dir, err, stdout.Bytes())
	}
	if len(doc.Errors) > 0 {
		return nil, fmt.Errorf("concvet in %s: %s", dir, doc.Errors)
	}
	return Decode(stdout.Bytes())
}

// Decode reads the findings that concvet -json has printed.
func Decode(text []byte) ([]Finding, error) {
	var doc struct {
		Findings []struct {
			Category, Message, Path string
			Range                   struct {
				Start struct{ Line, Column int }
			}
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	var out []Finding
	for _, f := range doc.Findings {
		out = append(out, Finding{f.Path, f.Range.Start.Line, f.Range.Start.Column, f.Message + " [" + f.Category + "]"})
	}
	return Sort(out), nil
}

var wantText = regexp.MustCompile("// want ((?:(?:`[^`]*`|\"[^\"]*\") ?)+)")

// Wants checks findings against the want comments of the Go files in dir, as
// analysistest does, and returns what differs, one line each. Files for which
// skip is true are taken to want nothing.
func Wants(dir string, found []Finding, skip func(file string) bool) ([]string, error) {
	type place struct {
		file string
		line int
	}
	wants := make(map[place][]string)
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".go" || skip(name) {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			m := wantText.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			for _, quoted := range wantQuoted.FindAllString(m[1], -1) {
				pattern, err := strconv.Unquote(quoted)
				if err != nil {
					return fmt.Errorf("%s:%d: %v", name, i+1, err)
				}
				wants[place{name, i + 1}] = append(wants[place{name, i + 1}], pattern)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, f := range found {
		p := place{f.File, f.Line}
		i := slices.IndexFunc(wants[p], func(pattern string) bool {
			ok, err := regexp.MatchString(pattern, f.Message)
			return ok && err == nil
		})
		if i < 0 {
			problems = append(problems, fmt.Sprintf("not wanted: %v", f))
			continue
		}
		wants[p] = slices.Delete(wants[p], i, i+1)
	}
	for p, list := range wants {
		for _, pattern := range list {
			problems = append(problems, fmt.Sprintf("%s:%d: not found: %s", p.file, p.line, pattern))
		}
	}
	slices.Sort(problems)
	return problems, nil
}

var wantQuoted = regexp.MustCompile("`[^`]*`|\"[^\"]*\"")
