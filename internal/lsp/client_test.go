package lsp

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// A client is an editor for tests.
type client struct {
	t    testing.TB
	conn jsonrpc2.Conn
	dir  string

	server *Server // if it is in this process

	mu        sync.Mutex
	published map[string][]publishParams // by base name, in the order of arrival
	messages  []string
	requests  []string
	config    json.RawMessage
	arrived   chan struct{}
}

const wait = 60 * time.Second

// connect makes a client of a server that reads in and writes out.
func connect(t testing.TB, in io.ReadCloser, out io.Writer, dir string) *client {
	t.Helper()
	c := &client{t: t, dir: dir, published: map[string][]publishParams{}, arrived: make(chan struct{}, 1), config: json.RawMessage("null")}
	c.conn = jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(pipe{in, out, func() {}}), jsonrpc2.WithCodec(codec{}))
	c.conn.Go(context.Background(), c.handle)
	return c
}

func (c *client) handle(_ context.Context, req *jsonrpc2.Request) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch req.Method() {
	case "textDocument/publishDiagnostics":
		var p publishParams
		if err := json.Unmarshal(req.Params(), &p); err != nil {
			c.t.Error(err)
		}
		name := filepath.Base(pathOf(p.URI))
		c.published[name] = append(c.published[name], p)
	case "window/showMessage", "window/logMessage":
		var p messageParams
		if err := json.Unmarshal(req.Params(), &p); err != nil {
			c.t.Error(err)
		}
		c.messages = append(c.messages, strings.Clone(p.Message))
	case "workspace/configuration":
		c.requests = append(c.requests, "workspace/configuration")
		return []json.RawMessage{c.config}, nil
	default:
		c.requests = append(c.requests, strings.Clone(req.Method()))
	}
	select {
	case c.arrived <- struct{}{}:
	default:
	}
	return nil, nil
}

// until waits for a condition on what has arrived.
func (c *client) until(what string, ok func() bool) {
	c.t.Helper()
	deadline := time.After(wait)
	for {
		c.mu.Lock()
		done := ok()
		c.mu.Unlock()
		if done {
			return
		}
		select {
		case <-c.arrived:
		case <-time.After(50 * time.Millisecond):
		case <-deadline:
			c.mu.Lock()
			defer c.mu.Unlock()
			c.t.Fatalf("waited in vain for %s\npublished: %+v\nmessages: %q\nrequests: %q", what, c.published, c.messages, c.requests)
		}
	}
}

func (c *client) call(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	_, err := c.conn.Call(ctx, method, params, result)
	return err
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	if err := c.conn.Notify(context.Background(), method, params); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// initialize starts with the given capabilities, as JSON.
func (c *client) initialize(capabilities, options string) initializeResult {
	c.t.Helper()
	if options == "" {
		options = "null"
	}
	var res initializeResult
	params := json.RawMessage(`{"processId":null,"rootUri":"` + uriOf(c.dir) + `","capabilities":` + capabilities + `,"initializationOptions":` + options + `}`)
	if err := c.call("initialize", params, &res); err != nil {
		c.t.Fatal(err)
	}
	c.notify("initialized", struct{}{})
	return res
}

func (c *client) uri(name string) string {
	return uriOf(filepath.Join(c.dir, filepath.FromSlash(name)))
}

func (c *client) open(name, text string, version int) {
	c.t.Helper()
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri(name), "languageId": "", "version": version, "text": text}})
}

// openFile opens a file with what is in it.
func (c *client) openFile(name string) string {
	c.t.Helper()
	data, err := os.ReadFile(filepath.Join(c.dir, filepath.FromSlash(name)))
	if err != nil {
		c.t.Fatal(err)
	}
	c.open(name, string(data), 1)
	return string(data)
}

// replace sends a whole new text.
func (c *client) replace(name, text string, version int) {
	c.t.Helper()
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": c.uri(name), "version": version}, "contentChanges": []any{map[string]any{"text": text}}})
}

// last is what was published last of a file at a version, or nil.
func (c *client) last(name string, version int) *publishParams {
	list := c.published[filepath.Base(name)]
	if len(list) == 0 {
		return nil
	}
	p := list[len(list)-1]
	if p.Version == nil || *p.Version != version {
		return nil
	}
	return &p
}

// diagnostics waits for what is published of a version.
func (c *client) diagnostics(name string, version int) []diagnostic {
	c.t.Helper()
	var out []diagnostic
	c.until("diagnostics of "+name, func() bool {
		p := c.last(name, version)
		if p != nil {
			out = p.Diagnostics
		}
		return p != nil
	})
	return out
}

// cleared waits until nothing is shown of a file.
func (c *client) cleared(name string) {
	c.t.Helper()
	c.until(name+" without diagnostics", func() bool {
		list := c.published[filepath.Base(name)]
		return len(list) > 0 && len(list[len(list)-1].Diagnostics) == 0
	})
}

func (c *client) actions(name string, r textRange, returned []diagnostic, only ...string) []codeAction {
	c.t.Helper()
	if returned == nil {
		returned = []diagnostic{}
	}
	context := map[string]any{"diagnostics": returned}
	if len(only) > 0 {
		context["only"] = only
	}
	var list []codeAction
	if err := c.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}, "range": r, "context": context}, &list); err != nil {
		c.t.Fatal(err)
	}
	return list
}

func titles(list []codeAction) []string {
	var out []string
	for _, a := range list {
		out = append(out, a.Title)
	}
	return out
}

// applied is text after the edits of an action to one file.
func applied(t *testing.T, src string, enc encoding, edits []textEdit) string {
	t.Helper()
	x := newText(src, enc)
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b textEdit) int { return x.offset(b.Range.Start) - x.offset(a.Range.Start) })
	for _, e := range edits {
		start, end := x.offset(e.Range.Start), x.offset(e.Range.End)
		src = src[:start] + e.NewText + src[end:]
	}
	return src
}
