package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/concvet/concvet/internal/linttest"
)

// service writes a small module with one mistake of each of two analyzers, one
// of them in a helper of another package.
func service(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/service\n\ngo 1.26\n",
		"peer/peer.go": `package peer

import "net/http"

func Ask(url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
`,
		"hub/hub.go": `package hub

import (
	"sync"

	"example.com/service/peer"
)

type Hub struct {
	mu    sync.Mutex
	peers map[string]bool
}

func (h *Hub) Check(url string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.peers[url] = peer.Ask(url) == nil
}

// Known suffers: it only looks.
func (h *Hub) Known(url string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.peers[url]
}
`,
		"hub/sdk.go": `package hub

import "example.com/service/sdk"

func (h *Hub) Post() {
	h.mu.Lock()
	defer h.mu.Unlock()
	sdk.Post()
}
`,
		"sdk/sdk.go": `package sdk

var post func()

// Post is opaque: nobody sees what post is.
func Post() { post() }

func Set(f func()) { post = f }
`,
	} {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func categories(list []linttest.Finding) []string {
	var out []string
	for _, f := range list {
		out = append(out, f.Message[strings.LastIndexByte(f.Message, '[')+1:len(f.Message)-1])
	}
	slices.Sort(out)
	return out
}

// The settings are typed, change what is found, and are part of the cache key.
func TestSettings(t *testing.T) {
	p := newProject(t, service(t))
	for _, test := range []struct {
		settings string
		want     []string
	}{
		{"", []string{"holdacross/lock-blocking", "nodeadline/http-client"}},
		{"checks: [nodeadline]", []string{"nodeadline/http-client"}},
		{"checks: [all, -nodeadline/http-client]", []string{"holdacross/lock-blocking"}},
		{"models: ['example.com/service/sdk.Post   net']", []string{"holdacross/lock-blocking", "holdacross/lock-blocking", "nodeadline/http-client"}},
		{"models:\n  - example.com/service/peer.Ask quiet\nchecks: [holdacross]", nil},
	} {
		if got := categories(p.findings(t, settings(test.settings))); !slices.Equal(got, test.want) {
			t.Errorf("%s: found %q, want %q", test.settings, got, test.want)
		}
	}
	for text, want := range map[string]string{
		"check: [all]":        `unknown setting "check"; did you mean "checks"?`,
		"checks: [holdacros]": `unknown check "holdacros"; did you mean "holdacross"?`,
		"checks: all":         "checks",
		"models: ['example.com/service/sdk.Post netz']": "netz",
		"audit: true": `unknown setting "audit"`,
	} {
		status, stdout, stderr := p.run(t, settings(text), "./...")
		if status != 3 || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, want 3 and %q\n%s%s", text, status, want, stdout, stderr)
		}
	}
}

// Both its own directives and those of golangci-lint suppress.
func TestSuppression(t *testing.T) {
	dir := service(t)
	p := newProject(t, dir)
	edit(t, filepath.Join(dir, "hub", "hub.go"), "peer.Ask(url) == nil", "peer.Ask(url) == nil //nolint:concvet // start-up only")
	edit(t, filepath.Join(dir, "peer", "peer.go"), "\tresp, err", "\t//concvet:ignore nodeadline/http-client the peer is this process\n\tresp, err")
	if got := p.findings(t, settings("")); len(got) > 0 {
		t.Errorf("found in spite of directives: %v", got)
	}
	if front, err := linttest.Concvet(concvet, dir); err != nil || len(front) > 0 {
		t.Errorf("concvet: %v, %v", front, err)
	}
	edit(t, filepath.Join(dir, "peer", "peer.go"), "http-client the", "http-klient the")
	if got := categories(p.findings(t, settings(""))); !slices.Equal(got, []string{"directive/malformed", "nodeadline/http-client"}) {
		t.Errorf("with a misspelt directive: %v", got)
	}
}

func edit(t *testing.T, name, old, new string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(data), old) != 1 {
		t.Fatalf("%s: %q is not there once", name, old)
	}
	write(t, name, strings.Replace(string(data), old, new, 1))
}

// Nothing is lost or added by what golangci-lint does with findings when nobody
// configures it: it drops all but three of equal messages, and makes issues of
// related positions.
func TestDefaults(t *testing.T) {
	dir := filepath.Join(root, "examples", "shop")
	work := t.TempDir()
	if err := os.CopyFS(work, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	vet, err := linttest.Vet(concvet, work)
	if err != nil {
		t.Fatal(err)
	}
	if len(vet) < 5 {
		t.Fatalf("only %d findings in the example", len(vet))
	}
	config, _, ok := strings.Cut(settings(""), "issues:")
	if !ok {
		t.Fatal("the settings have no issues")
	}
	p := newProject(t, work)
	same(t, "go vet", vet, "golangci-lint", p.findings(t, config))

	status, stdout, stderr := p.run(t, config, "--output.sarif.path=stdout", "./...")
	var doc struct {
		Runs []struct{ Results []struct{ RuleID string } }
	}
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil || status != 1 || len(doc.Runs) != 1 || len(doc.Runs[0].Results) != len(vet) {
		t.Errorf("sarif: status %d, %v\n%.400s%s", status, err, stdout, stderr)
	}
}

// Of a change only what is new is reported: golangci-lint goes by the lines of
// the findings.
func TestNewCode(t *testing.T) {
	dir := service(t)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "start")
	edit(t, filepath.Join(dir, "hub", "sdk.go"), "\tsdk.Post()\n", "\tsdk.Post()\n\th.Check(\"\")\n")
	edit(t, filepath.Join(dir, "hub", "hub.go"), "type Hub struct", "func (h *Hub) New(url string) {\n\th.mu.Lock()\n\tpeer.Ask(url)\n\th.mu.Unlock()\n}\n\ntype Hub struct")
	p := newProject(t, dir)
	_, stdout, stderr := p.run(t, settings(""), "--new-from-rev=HEAD", "--output.json.path=stdout", "./...")
	if !strings.Contains(stdout, "[holdacross/lock-blocking]") || strings.Contains(stdout, "[nodeadline/http-client]") {
		t.Errorf("not what is new:\n%s%s", stdout, stderr)
	}
}

// golangci-lint --fix writes what concvet -fix writes, and the second run has
// nothing to fix. Two of the fixes bring the same import.
func TestFix(t *testing.T) {
	const fixable = `package web

import (
	"net/http"
)

func Public(h http.Handler) error {
	srv := &http.Server{Addr: ":8080", Handler: h}
	return srv.ListenAndServe()
}

func Private(h http.Handler) error {
	srv := &http.Server{Handler: h}
	return srv.ListenAndServe()
}
`
	front, plugin := service(t), service(t)
	name := filepath.Join("web", "web.go")
	write(t, filepath.Join(front, name), fixable)
	write(t, filepath.Join(plugin, name), fixable)

	cmd := exec.Command(concvet, "-fix", "-q", "-exit-zero", "./...")
	cmd.Dir = front
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("concvet -fix: %v\n%s", err, out)
	}
	p := newProject(t, plugin)
	if before := p.findings(t, settings("")); !slices.Contains(categories(before), "nodeadline/http-server") {
		t.Fatalf("found before the fix: %v", before)
	}
	p.run(t, settings(""), "--fix", "./...")
	a, err := os.ReadFile(filepath.Join(front, name))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(plugin, name))
	if err != nil {
		t.Fatal(err)
	}
	if string(a) == fixable {
		t.Error("no fix was applied")
	}
	if string(a) != string(b) {
		t.Errorf("concvet -fix wrote\n%s\ngolangci-lint --fix\n%s", a, b)
	}
	left := p.findings(t, settings(""))
	if got := categories(left); !slices.Equal(got, []string{"holdacross/lock-blocking", "nodeadline/http-client"}) {
		t.Errorf("left after --fix: %v", left)
	}
}

// The configuration in the documentation is accepted, and does what it says.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "golangci-lint.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, config, ok := strings.Cut(string(page), "`.golangci.yml`:\n\n```yaml\n")
	config, _, ended := strings.Cut(config, "```")
	if !ok || !ended {
		t.Fatal("the page has no .golangci.yml")
	}
	dir := service(t)
	write(t, filepath.Join(dir, "internal", "legacy", "hub.go"), `package legacy

import (
	"net/http"
	"sync"
)

var mu sync.Mutex

func Get(url string) (*http.Response, error) {
	mu.Lock()
	defer mu.Unlock()
	return http.Get(url)
}
`)
	p := newProject(t, dir)
	status, stdout, stderr := p.run(t, config, "--enable-only=concvet", "--output.json.path=stdout", "./...")
	if status != 1 || strings.Contains(stdout, "legacy/hub.go: holdacross") || !strings.Contains(stdout, "nodeadline/http-client") {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
	if strings.Contains(stdout, "internal/legacy/hub.go") && strings.Count(stdout, "[holdacross/lock-blocking]") != 1 {
		t.Errorf("the exclusion does not hold:\n%s", stdout)
	}
}
