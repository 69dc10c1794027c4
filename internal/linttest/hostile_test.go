package linttest_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/concvet/concvet/internal/linttest"
)

const (
	// maxCPU is what the analysis of one package may cost, in processor time:
	// the machine may be busy with something else.
	maxCPU = 10 * time.Second

	// maxWall is after how long a run is taken to hang.
	maxWall = time.Minute
)

// hostile writes the packages of files into two modules at different places and
// analyses each package by itself in the one, and all of them at once in the
// other. Neither may panic or hang, and both must find the same. It returns the
// folder of the first module, and what was found there.
func hostile(t *testing.T, files []txtar.File) (string, []linttest.Finding) {
	t.Helper()
	name, err := tool()
	if err != nil {
		t.Fatal(err)
	}
	var dirs [2]string
	var packages []string
	for i := range dirs {
		dirs[i] = filepath.Join(t.TempDir(), fmt.Sprintf("checkout%d", i))
		for _, f := range append(files, txtar.File{Name: "go.mod", Data: []byte("module hostile\n\ngo 1.26\n")}) {
			file := filepath.Join(dirs[i], filepath.FromSlash(f.Name))
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
			if dir, _ := filepath.Split(f.Name); dir != "" && !slices.Contains(packages, "./"+dir) {
				packages = append(packages, "./"+dir)
			}
		}
	}
	var found []linttest.Finding
	for _, p := range packages {
		list, cpu := one(t, name, dirs[0], p)
		if cpu > maxCPU {
			t.Errorf("%s took %v of processor time", p, cpu)
		}
		found = append(found, list...)
	}
	all, _ := one(t, name, dirs[1], "./...")
	same(t, "one by one", found, "all at once in another checkout", all)
	return dirs[0], linttest.Sort(found)
}

// one analyses what pattern names. Packages that do not compile are no failure.
func one(t *testing.T, name, dir, pattern string) ([]linttest.Finding, time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), maxWall)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, "-json", "-config=none", pattern)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		t.Fatalf("%s takes more than %v", pattern, maxWall)
	}
	if err != nil && cmd.ProcessState.ExitCode() > 2 {
		t.Fatalf("%s: %v\n%s", pattern, err, stderr.Bytes())
	}
	for _, sign := range []string{"panic:", "goroutine 1 [", "internal error", "stack overflow"} {
		if strings.Contains(stdout.String()+stderr.String(), sign) {
			t.Errorf("%s: %s\n%s%s", pattern, sign, clip(stdout.Bytes()), clip(stderr.Bytes()))
		}
	}
	list, err := linttest.Decode(stdout.Bytes())
	if err != nil {
		t.Fatalf("%s: %v\n%s", pattern, err, clip(stdout.Bytes()))
	}
	return list, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

func clip(b []byte) []byte { return b[:min(len(b), 4000)] }

// Every shape that has broken an analyzer is analysed like any other code.
func TestHostileShapes(t *testing.T) {
	ar, err := txtar.ParseFile(filepath.Join("testdata", "hostile", "shapes.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	dir, found := hostile(t, ar.Files)
	// A finding is shown where a //line directive says that it is.
	shown := func(f linttest.Finding) bool {
		return strings.HasSuffix(f.File, "/etc/passwd") || strings.HasSuffix(f.File, "/x.y")
	}
	if n := len(found); n-len(slices.DeleteFunc(slices.Clone(found), shown)) != 2 {
		t.Errorf("of the findings under //line directives two should be shown elsewhere: %v", found)
	}
	found = slices.DeleteFunc(found, shown)
	problems, err := linttest.Wants(dir, found, func(string) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
}

// Bytes that are legal in a Go file and seldom seen there.
func TestHostileBytes(t *testing.T) {
	const body = "func F(mu *sync.Mutex, ch chan int) {\n\tmu.Lock()\n\t<-ch\n\tmu.Unlock()\n}"
	source := func(text string) []byte { return []byte(text) }
	dir, found := hostile(t, []txtar.File{
		{Name: "bom/a.go", Data: source("\xef\xbb\xbfpackage p\n\nimport \"sync\"\n\n" + body)},
		{Name: "crlf/a.go", Data: source(strings.ReplaceAll("package p\n\nimport \"sync\"\n\n"+body+"\n", "\n", "\r\n"))},
		{Name: "unformatted/a.go", Data: source("package p; import\"sync\"\n\n\n" + strings.ReplaceAll(body, "\t", " "))},
		{Name: "bidi/a.go", Data: source("package p\n\nimport \"sync\"\n\n// \u202e evil \u2066 \x1b[31m\n" + strings.ReplaceAll(body, "mu", "世界\u0130"))},
		{Name: "long/a.go", Data: source("package p\n\nimport \"sync\"\n\nvar " + strings.Repeat("x", 1<<18) + " = \"" + strings.Repeat("y", 1<<20) + "\"\n\n" + strings.ReplaceAll(body, "mu", strings.Repeat("m", 1<<12)))},
	})
	if len(found) != 5 {
		t.Errorf("%d findings, want one a package: %v", len(found), found)
	}
	for _, f := range found {
		if f.Line != 7 && !strings.HasPrefix(f.File, "unformatted") && !strings.HasPrefix(f.File, "bidi") && !strings.HasPrefix(f.File, "long") {
			t.Errorf("%s: line %d, want 7", f.File, f.Line)
		}
		if len(f.Message) > 800 || strings.ContainsAny(f.Message, "\x1b\r\u202e\u2066") {
			t.Errorf("%s: unsafe message %q", f.File, f.Message)
		}
	}
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
}

// Generated code is large in one way or another. Each of these is about as
// large as the largest that was seen; each ends in a mistake that must be found.
func TestHostileSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	repeat := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i, (i*7+3)%n)
		}
		return b.String()
	}
	const last = "\nfunc Last(mu *sync.Mutex, ch chan int) {\n\tmu.Lock()\n\tdefer mu.Unlock()\n\t<-ch\n}\n"
	programs := map[string]string{
		"literal":   "var X = []struct{ A, B int }{\n" + repeat(30000, "\t{%d, %d},\n") + "}\n",
		"literals":  "var M = map[string]func() int{\n" + repeat(3000, "\t\"k%d\": func() int { return %d },\n") + "}\n",
		"blocks":    "func F(x int) int {\n" + repeat(10000, "\tif x > %d {\n\t\tx += %d\n\t}\n") + "\treturn x + <-make(chan int)\n}\n",
		"phis":      "func g() bool { return false }\n\nfunc F(x *int) *int {\n" + repeat(200, "\tvar p%[1]d *int\n\t_ = p%[1]d\n") + "\tfor g() {\n" + repeat(200, "\t\tif g() {\n\t\t\tp%d, p%d = p0, x\n\t\t}\n") + "\t}\n\treturn p0\n}\n",
		"parens":    "func F(x int) int { return " + strings.Repeat("(1+", 5000) + "x" + strings.Repeat(")", 5000) + " }\n",
		"unary":     "func F(x bool) bool { return " + strings.Repeat("!", 50000) + "x }\n",
		"sum":       "func F(s string) string { return s" + strings.Repeat(" + s", 20000) + " }\n",
		"nested":    "func F() {\n" + strings.Repeat("func() {\n", 500) + "select {}\n" + strings.Repeat("}()\n", 500) + "}\n",
		"ifs":       "func F(x int) {\n" + strings.Repeat("if x > 0 {\n", 400) + "select {}\n" + strings.Repeat("}\n", 400) + "}\n",
		"chain":     "type B struct{}\n\nfunc (b *B) M() *B { return b }\n\nfunc F(b *B) { b" + strings.Repeat(".M()", 1000) + " }\n",
		"gotos":     "func g() bool { return false }\n\nfunc F() {\n" + repeat(2000, "L%d:\n\tif g() {\n\t\tgoto L%d\n\t}\n") + "}\n",
		"switch":    "func F(s string, c *[500]chan int) int {\n\tswitch s {\n" + repeat(10000, "\tcase \"k%d\":\n\t\treturn %d\n") + "\t}\n\tselect {\n" + repeat(500, "\tcase <-c[%d]:\n\t\treturn %d\n") + "\t}\n}\n",
		"functions": repeat(10000, "func f%d(a int) int { return a + %d }\n"),
		"ring":      "var mu sync.Mutex\n" + repeat(3000, "func f%d() { mu.Lock(); f%d(); mu.Unlock() }\n"),
		"calls":     callGraph(300, 12),
		"waits":     "func F(mu *sync.Mutex, c chan int) {\n" + repeat(300, "\tmu.Lock()\n\tc <- %d + %d\n\tmu.Unlock()\n") + "}\n",
		"aliases":   "type A0 = struct{ a, b int }\n" + repeat(16, "type B%d = struct{ c int; d [%d]int }\n") + aliasTower(16),
		"embedding": embedding(40),
		"methods":   "type I interface{ M() }\n" + repeat(500, "type T%d struct{ n [%d]int }\n") + repeat(500, "func (T%d) M() { _ = %d }\n") + "func F(mu *sync.Mutex, list []I) {\n\tmu.Lock()\n" + repeat(500, "\tlist[%d].M()\n\t_ = %d\n") + "\tmu.Unlock()\n}\n",
	}
	var files []txtar.File
	for name, text := range programs {
		files = append(files, txtar.File{Name: name + "/a.go", Data: []byte("package p\n\nimport \"sync\"\n\n" + text + last)})
	}
	slices.SortFunc(files, func(a, b txtar.File) int { return strings.Compare(a.Name, b.Name) })
	_, found := hostile(t, files)
	for name, text := range programs {
		lines := strings.Count("package p\n\nimport \"sync\"\n\n"+text, "\n") + 5
		if !slices.ContainsFunc(found, func(f linttest.Finding) bool { return f.File == name+"/a.go" && f.Line == lines }) {
			t.Errorf("%s: the mistake in line %d is not found", name, lines)
		}
	}
}

// callGraph makes functions that call each other at random, each with a lock
// held: one component of the call graph in which everything depends on
// everything.
func callGraph(n, calls int) string {
	var b strings.Builder
	b.WriteString("var mu sync.Mutex\n\nfunc q() bool { return false }\n")
	next := uint32(1)
	for i := range n {
		fmt.Fprintf(&b, "func f%d() {\n\tif q() {\n\t\tmu.Lock()\n", i)
		for range calls {
			next = next*1664525 + 1013904223
			fmt.Fprintf(&b, "\t\tf%d()\n", next>>8%uint32(n))
		}
		b.WriteString("\t\tmu.Unlock()\n\t}\n}\n")
	}
	return b.String()
}

// aliasTower doubles the size of a type that is written out in full.
func aliasTower(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "type A%d = struct{ a, b []A%d }\n", i+1, i)
	}
	fmt.Fprintf(&b, "func F(x A%d, c chan A%d) any {\n\tc <- x\n\treturn x\n}\n", n, n)
	return b.String()
}

// embedding has twice as many ways to the innermost method with every level.
func embedding(n int) string {
	var b strings.Builder
	b.WriteString("type B0 struct{ mu sync.Mutex }\n\nfunc (b *B0) M() { b.mu.Lock() }\n")
	for i := range n {
		fmt.Fprintf(&b, "type L%[1]d struct{ *B%[1]d }\ntype R%[1]d struct{ *B%[1]d }\ntype B%[2]d struct {\n\tL%[1]d\n\tR%[1]d\n\tx%[2]d int\n}\n", i, i+1)
	}
	fmt.Fprintf(&b, "func F(b *B%d) any { return b.x%d }\n", n, n)
	return b.String()
}
