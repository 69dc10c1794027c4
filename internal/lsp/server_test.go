package lsp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"

	"github.com/concvet/concvet/internal/vetrun"
)

// A fake analyses text by itself: "BAD" is a finding, with the fix "GOOD", and
// "BROKEN" does not compile. What it does to the time is set by a test.
type fake struct {
	mu       sync.Mutex
	requests []Request
	active   atomic.Int32
	most     atomic.Int32
	canceled atomic.Int32
	before   func(ctx context.Context, req Request) // nil: answer at once
	err      error
}

var bad = regexp.MustCompile(`BAD|SLOPPY`)

func (f *fake) check(ctx context.Context, req Request) (*Result, error) {
	f.most.Store(max(f.most.Load(), f.active.Add(1)))
	defer f.active.Add(-1)
	f.mu.Lock()
	f.requests = append(f.requests, req)
	before, err := f.before, f.err
	f.mu.Unlock()
	if before != nil {
		before(ctx, req)
	}
	if ctx.Err() != nil {
		f.canceled.Add(1)
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	res := &Result{}
	for _, dir := range req.Folders {
		p := &vetrun.Package{ImportPath: "example.com/" + filepath.Base(dir), Dir: dir}
		names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
		for path := range req.Overlay {
			if filepath.Dir(path) == dir && !slices.Contains(names, path) {
				names = append(names, path)
			}
		}
		for _, path := range names {
			p.GoFiles = append(p.GoFiles, filepath.Base(path))
			data, ok := req.Overlay[path]
			if !ok {
				data, _ = os.ReadFile(path)
			}
			if strings.Contains(string(data), "BROKEN") {
				res.Problems = append(res.Problems, vetrun.Problem{Package: p.ImportPath, File: path, Text: "it is broken"})
				continue
			}
			res.Findings = append(res.Findings, f.find(p, path, string(data))...)
		}
		res.Packages = append(res.Packages, p)
	}
	return res, nil
}

func (f *fake) find(p *vetrun.Package, path, data string) []vetrun.Finding {
	var list []vetrun.Finding
	for i, m := range bad.FindAllStringIndex(data, -1) {
		line := 1 + strings.Count(data[:m[0]], "\n")
		column := m[0] - strings.LastIndexByte(data[:m[0]], '\n')
		fix := vetrun.Fix{Title: "make it good", Edits: []vetrun.Edit{{File: path, Start: m[0], End: m[1], New: "GOOD"}}}
		if data[m[0]:m[1]] == "SLOPPY" {
			fix.Unsafe = "the style"
		}
		list = append(list, vetrun.Finding{
			Package: p.ImportPath, Dir: p.Dir, Category: "holdacross/lock-blocking", File: path, Line: line, Column: column,
			EndLine: line, EndColumn: column + m[1] - m[0], Physical: true, Text: fmt.Sprintf("finding %d", i), Fingerprint: fmt.Sprintf("id-%d", i),
			Frames: []vetrun.Frame{{Pos: "far/far.go:3", File: filepath.Join(filepath.Dir(p.Dir), "far", "far.go"), Line: 3, Text: "waits"}}, Fixes: []vetrun.Fix{fix},
		})
	}
	return list
}

func (f *fake) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.requests)
}

// start serves a client that runs in this process, on a folder with the given
// files.
func start(t *testing.T, f *fake, files map[string]string) (c *client, served chan error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	fromClient, toServer := pipes(t)
	fromServer, toClient := pipes(t)
	served = make(chan error, 1)
	server := New(f.check, "test")
	go func() {
		served <- server.Serve(context.Background(), fromClient, toClient)
		toClient.Close()
	}()
	c = connect(t, fromServer, toServer, dir)
	c.server = server
	t.Cleanup(func() { toServer.Close(); <-c.conn.Done() })
	return c, served
}

// pipes is a pipe of the system, which holds something: both ends may write.
func pipes(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

const full = `{"general":{"positionEncodings":["utf-8","utf-16"]},"window":{"workDoneProgress":true},"workspace":{"configuration":true,"workspaceEdit":{"documentChanges":true},"didChangeWatchedFiles":{"dynamicRegistration":true}},"textDocument":{"publishDiagnostics":{"relatedInformation":true,"codeDescriptionSupport":true},"codeAction":{"dataSupport":true,"resolveSupport":{"properties":["edit"]}}}}`

const quick = `{"debounceMs":20}`

var oneModule = map[string]string{"go.mod": "module example.com\n", "a/a.go": "package a\n\nvar x = BAD\n", "a/b.go": "package a\n\nvar y = \"é\" + BAD + SLOPPY\n"}

func TestLifecycle(t *testing.T) {
	f := new(fake)
	c, served := start(t, f, oneModule)
	var rpc *jsonrpc2.Error
	if err := c.call("textDocument/hover", struct{}{}, nil); !errors.As(err, &rpc) || rpc.Code != jsonrpc2.ServerNotInitialized {
		t.Errorf("before initialize: %v", err)
	}
	res := c.initialize(full, quick)
	if res.Capabilities.PositionEncoding != "utf-16" || res.ServerInfo.Name != "concvet" || res.ServerInfo.Version != "test" {
		t.Errorf("initialize: %+v", res)
	}
	if err := c.call("initialize", struct{}{}, nil); !errors.As(err, &rpc) || rpc.Code != jsonrpc2.InvalidRequest {
		t.Errorf("a second initialize: %v", err)
	}
	if err := c.call("textDocument/completion", struct{}{}, nil); !errors.As(err, &rpc) || rpc.Code != jsonrpc2.MethodNotFound {
		t.Errorf("an unknown method: %v", err)
	}
	if err := c.call("textDocument/hover", []int{1}, nil); !errors.As(err, &rpc) || rpc.Code != jsonrpc2.InvalidParams {
		t.Errorf("wrong parameters: %v", err)
	}
	c.notify("$/setTrace", struct{}{})
	c.notify("textDocument/didOpen", []int{1}) // says so in the log, and goes on
	c.until("the requests of the server", func() bool {
		return slices.Contains(c.requests, "client/registerCapability") && slices.Contains(c.requests, "workspace/configuration")
	})
	if err := c.call("shutdown", nil, nil); err != nil {
		t.Error(err)
	}
	if err := c.call("textDocument/hover", struct{}{}, nil); !errors.As(err, &rpc) || rpc.Code != jsonrpc2.InvalidRequest {
		t.Errorf("after shutdown: %v", err)
	}
	c.notify("exit", nil)
	if err := <-served; err != nil {
		t.Errorf("after shutdown and exit: %v", err)
	}

	c, served = start(t, f, oneModule)
	c.initialize("{}", "")
	c.notify("exit", nil)
	if err := <-served; err == nil {
		t.Error("exit without shutdown is no failure")
	}
}

func TestDiagnostics(t *testing.T) {
	c, _ := start(t, new(fake), oneModule)
	c.initialize(full, quick)
	c.openFile("a/b.go")
	list := c.diagnostics("b.go", 1)
	want := textRange{position{2, 14}, position{2, 17}} // é is one unit and two bytes
	if len(list) != 2 || list[0].Range != want || list[0].Code != "holdacross/lock-blocking" || list[0].Source != "concvet" || list[0].Severity != severityWarning {
		t.Fatalf("published: %+v", list)
	}
	if list[0].CodeDescription == nil || !strings.HasSuffix(list[0].CodeDescription.Href, "/docs/holdacross/lock-blocking.md") {
		t.Errorf("code description: %+v", list[0].CodeDescription)
	}
	if len(list[0].Related) != 1 || list[0].Related[0].Message != "waits" || list[0].Related[0].Location.Range.Start.Line != 2 {
		t.Errorf("related: %+v", list[0].Related)
	}
	// The other file of the package is shown, too, though it is not open.
	c.until("diagnostics of a.go", func() bool { return len(c.published["a.go"]) == 1 && len(c.published["a.go"][0].Diagnostics) == 1 })
	// Both go with the last open file of the package.
	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": c.uri("a/b.go")}})
	c.cleared("a.go")
	c.cleared("b.go")
}

// A client that can show no related positions and no links gets the way in the
// text.
func TestPlainClient(t *testing.T) {
	c, _ := start(t, new(fake), oneModule)
	res := c.initialize(`{"general":{"positionEncodings":["utf-8"]}}`, quick)
	if res.Capabilities.PositionEncoding != "utf-8" {
		t.Errorf("encoding %s", res.Capabilities.PositionEncoding)
	}
	src := c.openFile("a/b.go")
	list := c.diagnostics("b.go", 1)
	if len(list) != 2 || list[0].Message != "finding 0\n  far/far.go:3: waits" || list[0].Related != nil || list[0].CodeDescription != nil {
		t.Fatalf("published: %+v", list)
	}
	if want := (textRange{position{2, 15}, position{2, 18}}); list[0].Range != want {
		t.Errorf("in bytes: %v, want %v", list[0].Range, want)
	}
	// It gets the edit at once, without versions.
	actions := c.actions("a/b.go", list[0].Range, nil)
	if got, want := titles(actions), []string{"concvet: make it good", "concvet: ignore holdacross/lock-blocking here, with a reason"}; !slices.Equal(got, want) {
		t.Fatalf("actions %q, want %q", got, want)
	}
	if actions[0].Edit == nil || actions[0].Edit.DocumentChanges != nil || !actions[0].IsPreferred {
		t.Fatalf("action: %+v", actions[0])
	}
	if got, want := applied(t, src, utf8Units, actions[0].Edit.Changes[c.uri("a/b.go")]), strings.Replace(src, "BAD", "GOOD", 1); got != want {
		t.Errorf("after the fix: %q, want %q", got, want)
	}
	want := strings.Replace(src, "var y", "//concvet:ignore holdacross/lock-blocking TODO: reason\nvar y", 1)
	if got := applied(t, src, utf8Units, actions[1].Edit.Changes[c.uri("a/b.go")]); got != want {
		t.Errorf("after ignoring: %q, want %q", got, want)
	}
}

func TestActions(t *testing.T) {
	f := new(fake)
	c, _ := start(t, f, oneModule)
	c.initialize(full, quick)
	src := c.openFile("a/b.go")
	list := c.diagnostics("b.go", 1)
	far := textRange{position{0, 0}, position{0, 0}}

	// The range of a returned diagnostic may be wrong, and it may be another
	// server's; the identity decides.
	wrong := list[1]
	wrong.Range = textRange{position{2, 99}, position{2, 99}}
	actions := c.actions("a/b.go", far, []diagnostic{wrong})
	if got := titles(actions); len(got) != 2 || got[0] != "concvet: make it good (unsafe: the style)" {
		t.Fatalf("by identity: %q", got)
	}
	if actions[0].IsPreferred || actions[0].Edit == nil || actions[0].Data != nil {
		t.Errorf("an unsafe fix: %+v", actions[0])
	}
	unnamed := wrong
	unnamed.Data = nil
	if got := titles(c.actions("a/b.go", far, []diagnostic{unnamed})); len(got) != 4 {
		t.Errorf("by code and line: %q", got)
	}
	if got := titles(c.actions("a/b.go", far, nil)); len(got) != 0 {
		t.Errorf("far from any finding: %q", got)
	}
	if got := titles(c.actions("a/b.go", list[0].Range, nil, "refactor")); len(got) != 0 {
		t.Errorf("other kinds: %q", got)
	}

	edits := actions[0].Edit.DocumentChanges
	if len(edits) != 1 || edits[0].TextDocument.Version == nil || *edits[0].TextDocument.Version != 1 {
		t.Fatalf("its edit: %+v", actions[0].Edit)
	}
	if got, want := applied(t, src, utf16Units, edits[0].Edits), strings.Replace(src, "SLOPPY", "GOOD", 1); got != want {
		t.Errorf("after the fix: %q, want %q", got, want)
	}

	// All safe ones, for who asks by name only.
	for only, n := range map[string]int{"source": 1, "source.fixAll": 1, "source.fixAll.concvet": 1, "source.organizeImports": 0, "quickfix": 4} {
		if got := titles(c.actions("a/b.go", list[0].Range, list, only)); len(got) != n {
			t.Errorf("only %s: %q", only, got)
		}
	}
	all := c.actions("a/b.go", far, nil, "source.fixAll")[0]
	checks := f.count()
	var resolved codeAction
	if err := c.call("codeAction/resolve", all, &resolved); err != nil {
		t.Fatal(err)
	}
	if got, want := applied(t, src, utf16Units, resolved.Edit.DocumentChanges[0].Edits), strings.Replace(src, "BAD", "GOOD", 1); got != want {
		t.Errorf("after all fixes: %q, want %q", got, want)
	}
	if f.count() != checks+1 {
		t.Errorf("the fixed text was checked %d times", f.count()-checks)
	}
	// What is fixed cannot be fixed again.
	c.replace("a/b.go", strings.Replace(src, "BAD", "GOOD", 1), 2)
	c.diagnostics("b.go", 2)
	c.until("the check", func() bool { return len(c.last("b.go", 2).Diagnostics) == 1 })
	if got := titles(c.actions("a/b.go", far, nil, "source.fixAll")); len(got) != 0 {
		t.Errorf("all fixes a second time: %q", got)
	}

	// A stale action is refused.
	var rpc *jsonrpc2.Error
	if err := c.call("codeAction/resolve", all, nil); !errors.As(err, &rpc) || rpc.Code != contentModified {
		t.Errorf("a stale action: %v", err)
	}
}

// Nothing of old text is published or offered.
func TestStale(t *testing.T) {
	f := new(fake)
	c, _ := start(t, f, oneModule)
	c.initialize(full, quick)
	src := c.openFile("a/a.go")
	c.diagnostics("a.go", 1)

	// While a check runs the text changes: the check is cancelled, its result
	// is not published.
	entered := make(chan struct{}, 10)
	f.mu.Lock()
	f.before = func(ctx context.Context, req Request) {
		entered <- struct{}{}
		if strings.Contains(string(req.Overlay[filepath.Join(c.dir, "a", "a.go")]), "slow") {
			<-ctx.Done()
		}
	}
	f.mu.Unlock()
	c.replace("a/a.go", src+"// slow\n", 2)
	<-entered
	if got := titles(c.actions("a/a.go", textRange{position{0, 0}, position{9, 0}}, nil)); len(got) != 0 {
		t.Errorf("offered for text that was not checked: %q", got)
	}
	c.replace("a/a.go", src+"// done\n", 3)
	c.diagnostics("a.go", 3)
	c.until("the finding", func() bool { return len(c.last("a.go", 3).Diagnostics) == 1 })
	if f.canceled.Load() != 1 || f.most.Load() != 1 {
		t.Errorf("%d checks cancelled, %d at once", f.canceled.Load(), f.most.Load())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.published["a.go"] {
		if *p.Version == 2 && len(p.Diagnostics) > 0 {
			t.Errorf("published of version 2: %+v", p)
		}
	}
}

// Twenty quick changes cost one check and one publication.
func TestRapid(t *testing.T) {
	f := new(fake)
	c, _ := start(t, f, oneModule)
	c.initialize(full, `{"debounceMs":1000}`) // longer than this test is ever kept waiting
	src := c.openFile("a/a.go")
	c.diagnostics("a.go", 1)
	before := f.count()
	for v := 2; v <= 21; v++ {
		c.notify("textDocument/didChange", map[string]any{
			"textDocument":   map[string]any{"uri": c.uri("a/a.go"), "version": v},
			"contentChanges": []any{map[string]any{"range": textRange{position{3, 0}, position{3, 0}}, "text": "//\n"}},
		})
	}
	c.diagnostics("a.go", 21)
	time.Sleep(200 * time.Millisecond)
	if n := f.count() - before; n != 1 {
		t.Errorf("%d checks", n)
	}
	f.mu.Lock()
	got := string(f.requests[len(f.requests)-1].Overlay[filepath.Join(c.dir, "a", "a.go")])
	f.mu.Unlock()
	if want := src + strings.Repeat("//\n", 20); got != want {
		t.Errorf("checked %q, want %q", got, want)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.published["a.go"]); n != 2 {
		t.Errorf("published %d times", n)
	}
}

// What is typed over goes at once, the rest when the check has ended; what does
// not compile changes nothing.
func TestEditing(t *testing.T) {
	f := new(fake)
	c, _ := start(t, f, oneModule)
	c.initialize(full, `{"debounceMs":1000}`)
	src := c.openFile("a/b.go")
	list := c.diagnostics("b.go", 1)
	inside := textRange{list[0].Range.Start, position{list[0].Range.Start.Line, list[0].Range.Start.Character + 1}}
	before := f.count()
	c.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": c.uri("a/b.go"), "version": 2},
		"contentChanges": []any{map[string]any{"range": inside, "text": "M"}, map[string]any{"range": textRange{}, "text": "// é\n"}},
	})
	got := c.diagnostics("b.go", 2)
	if f.count() != before || len(got) != 1 || got[0].Range.Start != (position{3, 20}) {
		t.Errorf("at once, after %d checks: %+v", f.count()-before, got)
	}
	c.until("the check", func() bool { return f.count() > before })
	c.replace("a/b.go", src+"BROKEN", 3)
	c.until("a complaint", func() bool {
		return slices.ContainsFunc(c.messages, func(m string) bool { return strings.Contains(m, "it is broken") })
	})
	c.mu.Lock()
	if p := c.last("b.go", 3); p != nil && len(p.Diagnostics) > 0 {
		t.Errorf("published of broken text: %+v", p)
	}
	c.mu.Unlock()
	c.replace("a/b.go", src, 4)
	c.until("the findings again", func() bool { p := c.last("b.go", 4); return p != nil && len(p.Diagnostics) == 2 })
}

// Several modules are checked each for itself, and all unsaved text is seen by
// every check.
func TestModules(t *testing.T) {
	f := new(fake)
	c, _ := start(t, f, map[string]string{
		"one/go.mod": "module one\n", "one/a.go": "package one // BAD\n",
		"two/go.mod": "module two\n", "two/b.go": "package two // BAD\n",
		"none/c.go": "package none // BAD\n",
	})
	c.initialize(full, quick)
	c.openFile("one/a.go")
	c.diagnostics("a.go", 1)
	c.replace("one/a.go", "package one // BAD and more\n", 2)
	c.openFile("two/b.go")
	c.diagnostics("b.go", 1)
	c.diagnostics("a.go", 2)
	c.openFile("none/c.go")
	c.until("a word on c.go", func() bool {
		return slices.ContainsFunc(c.messages, func(m string) bool { return strings.Contains(m, "in no Go module") })
	})
	f.mu.Lock()
	for _, req := range f.requests {
		if len(req.Folders) != 1 || req.Folders[0] != req.Dir {
			t.Errorf("a check of %s is of %q", req.Dir, req.Folders)
		}
	}
	last := f.requests[len(f.requests)-1]
	f.mu.Unlock()
	if len(last.Overlay) != 1 {
		t.Errorf("the overlay has %d files", len(last.Overlay))
	}
	// Files that others change are noticed.
	if err := os.WriteFile(filepath.Join(c.dir, "two", "d.go"), []byte("package two // BAD\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": c.uri("two/d.go"), "type": 1}}})
	c.until("d.go", func() bool { return len(c.published["d.go"]) > 0 })
	// A folder that is taken away takes its diagnostics along.
	c.notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{"added": []any{}, "removed": []any{map[string]any{"uri": c.uri("two"), "name": "two"}}}})
	c.cleared("d.go")
}

// Settings come with the first request, or as a section of the configuration.
func TestSettings(t *testing.T) {
	f := new(fake)
	c, _ := start(t, f, oneModule)
	c.initialize(`{}`, `{"trigger":"save","tags":"slow","unsafeFixes":false}`)
	src := c.openFile("a/b.go")
	list := c.diagnostics("b.go", 1)
	if got := titles(c.actions("a/b.go", list[1].Range, nil)); len(got) != 1 {
		t.Errorf("unsafe fixes that nobody wants: %q", got)
	}
	before := f.count()
	c.replace("a/b.go", src+"// more\n", 2)
	time.Sleep(100 * time.Millisecond)
	if f.count() != before {
		t.Error("a change is checked, not only a save")
	}
	c.notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": c.uri("a/b.go")}})
	c.diagnostics("b.go", 2)
	f.mu.Lock()
	if got := f.requests[len(f.requests)-1].Settings.Tags; got != "slow" {
		t.Errorf("tags %q", got)
	}
	f.mu.Unlock()

	before = f.count()
	c.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"concvet": map[string]any{"debounceMs": 5}}})
	c.until("a check with the new settings", func() bool { return f.count() > before })
	c.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"concvet": map[string]any{"trigger": "sometimes"}}})
	c.until("a complaint", func() bool {
		return slices.ContainsFunc(c.messages, func(m string) bool { return strings.Contains(m, `not "sometimes"`) })
	})

	c, _ = start(t, f, oneModule)
	c.config = []byte(`{"tags":"asked"}`)
	c.initialize(full, quick)
	c.openFile("a/b.go")
	c.until("a check with the tags", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.requests[len(f.requests)-1].Settings.Tags == "asked"
	})

	// What keeps every check from running is said once.
	f.mu.Lock()
	f.err = errors.New(".concvet.yaml:3: unknown field")
	f.mu.Unlock()
	for v := 2; v < 5; v++ {
		before := f.count()
		c.replace("a/b.go", src, v)
		c.until("a check", func() bool { return f.count() > before })
	}
	c.until("a message", func() bool {
		return slices.ContainsFunc(c.messages, func(m string) bool { return strings.Contains(m, "unknown field") })
	})
	time.Sleep(50 * time.Millisecond)
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, m := range c.messages {
		if strings.Contains(m, "unknown field") {
			n++
		}
	}
	if n != 1 {
		t.Errorf("said %d times: %q", n, c.messages)
	}
}

func TestHover(t *testing.T) {
	c, _ := start(t, new(fake), map[string]string{"go.mod": "module m\n", "a.go": "package m\n\n//concvet:ignore holdacross/tx-outbound,nodeadline it is a test\nvar x = BAD\n"})
	c.initialize(full, quick)
	c.openFile("a.go")
	c.diagnostics("a.go", 1)
	for _, test := range []struct {
		at   position
		want []string // nothing: no hover
	}{
		{position{3, 9}, []string{"lock-blocking"}},
		{position{2, 20}, []string{"tx-outbound", "`nodeadline/http-client`: "}},
		{position{0, 3}, nil},
	} {
		var got *hover
		if err := c.call("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": c.uri("a.go")}, "position": test.at}, &got); err != nil {
			t.Fatal(err)
		}
		if (got != nil) != (test.want != nil) {
			t.Errorf("%v: %+v", test.at, got)
			continue
		}
		for _, w := range test.want {
			if got.Contents.Kind != "markdown" || !strings.Contains(got.Contents.Value, w) {
				t.Errorf("%v: no %q in %.300s", test.at, w, got.Contents.Value)
			}
		}
	}
}

// Progress is shown for what takes a while, and ends.
func TestProgress(t *testing.T) {
	f := new(fake)
	f.before = func(ctx context.Context, _ Request) {
		select {
		case <-ctx.Done():
		case <-time.After(noticeable + 200*time.Millisecond):
		}
	}
	c, _ := start(t, f, oneModule)
	c.initialize(full, quick)
	c.openFile("a/a.go")
	c.diagnostics("a.go", 1)
	c.until("progress", func() bool {
		n := 0
		for _, r := range c.requests {
			if r == "$/progress" {
				n++
			}
		}
		return slices.Contains(c.requests, "window/workDoneProgress/create") && n == 2
	})
}

// Where a check of a change takes too long, changes are checked on save, and that
// is said once.
func TestSlow(t *testing.T) {
	f := new(fake)
	c, _ := start(t, f, oneModule)
	slow := make(chan struct{})
	f.before = func(ctx context.Context, _ Request) {
		select {
		case <-ctx.Done():
		case <-slow:
		}
	}
	c.server.tooSlow = 50 * time.Millisecond
	c.initialize("{}", quick)
	src := c.openFile("a/a.go")
	slow <- struct{}{}
	c.diagnostics("a.go", 1)
	c.replace("a/a.go", src+"// one\n", 2)
	time.Sleep(150 * time.Millisecond)
	slow <- struct{}{}
	c.diagnostics("a.go", 2)
	said := func() (n int) {
		for _, m := range c.messages {
			if strings.Contains(m, "when a file is saved") {
				n++
			}
		}
		return n
	}
	c.until("a word on it", func() bool { return said() == 1 })
	before := f.count()
	c.replace("a/a.go", src+"// two\n", 3)
	time.Sleep(100 * time.Millisecond)
	if f.count() != before {
		t.Error("a change is checked all the same")
	}
	c.notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": c.uri("a/a.go")}})
	slow <- struct{}{}
	c.diagnostics("a.go", 3)
}

// An editor that vanishes ends what runs.
func TestGone(t *testing.T) {
	f := new(fake)
	entered := make(chan struct{}, 1)
	f.before = func(ctx context.Context, _ Request) { entered <- struct{}{}; <-ctx.Done() }
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	in, toServer := pipes(t)
	fromServer, out := pipes(t)
	served := make(chan error, 1)
	go func() { served <- New(f.check, "test").Serve(context.Background(), in, out) }()
	c := connect(t, fromServer, toServer, dir)
	c.initialize("{}", "")
	c.open("a.go", "package m\n", 1)
	<-entered
	toServer.Close()
	select {
	case err := <-served:
		if err == nil {
			t.Error("it is no failure")
		}
	case <-time.After(wait):
		t.Fatal("the server is still there")
	}
	if f.canceled.Load() != 1 {
		t.Errorf("%d checks were cancelled", f.canceled.Load())
	}
}
