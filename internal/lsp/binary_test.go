package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// spawn starts the command's language server in dir, with a client. Whatever it
// writes is kept and must be framed messages only. end waits for its end and
// returns the exit status.
func spawn(t testing.TB, dir string) (c *client, end func() int) {
	t.Helper()
	tool, err := build()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tool, "lsp")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr, written bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c = connect(t, readCloser{io.TeeReader(stdout, &written), stdout}, stdin, dir)
	ended := false
	end = func() int {
		ended = true
		stdin.Close()
		<-c.conn.Done()
		_ = cmd.Wait()
		framed(t, written.Bytes())
		if stderr.Len() > 0 && cmd.ProcessState.ExitCode() == 0 {
			t.Errorf("on standard error: %s", stderr.Bytes())
		}
		return cmd.ProcessState.ExitCode()
	}
	t.Cleanup(func() {
		if !ended {
			end()
		}
	})
	return c, end
}

type readCloser struct {
	io.Reader
	io.Closer
}

var header = regexp.MustCompile(`^Content-Length: (\d+)\r\n(?:Content-Type: [^\r]*\r\n)?\r\n`)

// framed checks that every byte belongs to a message.
func framed(t testing.TB, data []byte) {
	t.Helper()
	for n := 0; len(data) > 0; n++ {
		m := header.FindSubmatch(data)
		if m == nil {
			t.Fatalf("after %d messages: %.200q", n, data)
		}
		size, _ := strconv.Atoi(string(m[1]))
		data = data[len(m[0]):]
		if size > len(data) {
			return // cut off by the end of the process
		}
		if !json.Valid(data[:size]) {
			t.Fatalf("message %d is no JSON: %.200q", n, data[:size])
		}
		data = data[size:]
	}
}

// The real server, from the first message to the last: what it finds is what
// the command finds, its fix is what concvet -fix writes.
func TestServer(t *testing.T) {
	dir := unpack(t, "web.txtar")
	c, end := spawn(t, dir)
	c.initialize(full, quick)
	src := c.openFile("web/web.go")
	list := c.diagnostics("web.go", 1)
	if len(list) != 2 || list[0].Code != "nodeadline/http-server" || len(list[0].Related) != 2 {
		t.Fatalf("published: %+v", list)
	}
	// The position is in UTF-16, the line has characters of two and four bytes.
	line := strings.Split(src, "\n")[list[0].Range.Start.Line]
	x := newText(line, utf16Units)
	if got := line[x.offset(position{0, list[0].Range.Start.Character}):x.offset(position{0, list[0].Range.End.Character})]; got != "srv.ListenAndServe" {
		t.Errorf("it marks %q", got)
	}
	all := c.actions("web/web.go", textRange{}, nil, "source.fixAll")
	if len(all) != 1 {
		t.Fatalf("actions: %+v", all)
	}
	var resolved codeAction
	if err := c.call("codeAction/resolve", all[0], &resolved); err != nil {
		t.Fatal(err)
	}
	edited := applied(t, src, utf16Units, resolved.Edit.DocumentChanges[0].Edits)
	c.replace("web/web.go", edited, 2)
	if list := c.diagnostics("web.go", 2); len(list) > 0 {
		c.until("no finding", func() bool { return len(c.last("web.go", 2).Diagnostics) == 0 })
	}

	tool, _ := build()
	cmd := exec.Command(tool, "-fix", "-q", "./web")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() > 1 {
		t.Fatalf("concvet -fix: %v\n%s", err, out)
	}
	if written, _ := os.ReadFile(filepath.Join(dir, "web", "web.go")); string(written) != edited {
		t.Errorf("concvet -fix wrote\n%s\nthe editor has\n%s", written, edited)
	}
	if err := c.call("shutdown", nil, nil); err != nil {
		t.Error(err)
	}
	c.notify("exit", nil)
	if status := end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// Code of others is not checked: an editor opens it to look something up.
func TestServerForeign(t *testing.T) {
	dir := unpack(t, "web.txtar")
	c, end := spawn(t, dir)
	c.initialize(full, quick)
	std := filepath.Join(goEnv(t, "GOROOT"), "src", "sort", "sort.go")
	lib := filepath.Join(goEnv(t, "GOMODCACHE"), "golang.org", "x", "tools@v0.52.0", "txtar", "archive.go")
	for _, path := range []string{std, lib} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uriOf(path), "version": 1, "text": string(data)}})
		if list := c.diagnostics(filepath.Base(path), 1); len(list) > 0 {
			t.Errorf("%s: %+v", path, list)
		}
	}
	if len(c.messages) > 0 {
		t.Errorf("messages: %q", c.messages)
	}
	end()
}

// The editor goes without a word, or says something that is no message.
func TestServerEnds(t *testing.T) {
	dir := unpack(t, "web.txtar")
	c, end := spawn(t, dir)
	c.initialize("{}", "")
	if status := end(); status != 1 {
		t.Errorf("exit status %d after the end of the input, want 1", status)
	}

	tool, err := build()
	if err != nil {
		t.Fatal(err)
	}
	frame := func(s string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(s), s) }
	for name, test := range map[string]struct {
		input  string
		status int
		want   string
	}{
		"shutdown and exit": {frame(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`) + frame(`{"jsonrpc":"2.0","id":"two","method":"shutdown"}`) + frame(`{"jsonrpc":"2.0","method":"exit"}`), 0, `"id":"two"`},
		"no JSON":           {frame(`{"jsonrpc":`), 1, ""},
		"no header":         {"hello\r\n\r\n", 1, ""},
		"nothing":           {"", 1, ""},
		"cut off":           {"Content-Length: 100\r\n\r\n{", 1, ""},
		"huge":              {"Content-Length: 99999999999\r\n\r\n{", 1, ""},
		"unknown argument":  {"", 2, ""},
	} {
		args := []string{"lsp", "--stdio"}
		if name == "unknown argument" {
			args = []string{"lsp", "--studio"}
		}
		cmd := exec.Command(tool, args...)
		cmd.Dir = dir
		cmd.Stdin = strings.NewReader(test.input)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		start := time.Now()
		_ = cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != test.status || !strings.Contains(stdout.String(), test.want) {
			t.Errorf("%s: exit status %d, want %d and %q\n%s%s", name, got, test.status, test.want, stdout.Bytes(), stderr.Bytes())
		}
		if strings.Contains(stderr.String(), "goroutine ") || time.Since(start) > 10*time.Second {
			t.Errorf("%s: after %v: %s", name, time.Since(start), stderr.Bytes())
		}
		framed(t, stdout.Bytes())
	}
}

// A running go vet ends when the text changes, together with what it started.
func TestServerCancels(t *testing.T) {
	dir := unpack(t, "web.txtar")
	c, end := spawn(t, dir)
	c.initialize(full, quick)
	src := c.openFile("web/hub.go")
	c.diagnostics("hub.go", 1)
	for v := 2; v < 12; v++ {
		c.replace("web/hub.go", src+fmt.Sprintf("\nvar v%d = 1\n", v), v)
		time.Sleep(60 * time.Millisecond) // longer than the pause: each starts a check
	}
	c.diagnostics("hub.go", 11)
	c.until("the finding", func() bool { return len(c.last("hub.go", 11).Diagnostics) == 1 })
	c.mu.Lock()
	var versions []int
	for _, p := range c.published["hub.go"] {
		versions = append(versions, *p.Version)
	}
	c.mu.Unlock()
	if !slices.IsSorted(versions) {
		t.Errorf("published in the order %v", versions)
	}
	end()
	noneLeft(t, dir)
}
