package linttest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

// Editor opens every Go file of the module in dir in the language server, as an
// editor would, and returns what it shows.
func Editor(tool, dir string) ([]Finding, error) {
	ctx, cancel := context.WithTimeout(context.Background(), driverTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool, "lsp")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	e := &editor{dir: dir, shown: map[string][]Finding{}, all: make(chan struct{})}
	conn := jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(duplex{stdout, stdin}))
	conn.Go(ctx, e.handle)
	list, err := e.session(ctx, conn)
	conn.Close()
	if werr := cmd.Wait(); err == nil && werr != nil {
		err = fmt.Errorf("concvet lsp: %v", werr)
	}
	return list, err
}

type duplex struct {
	io.ReadCloser
	io.WriteCloser
}

func (d duplex) Close() error {
	d.WriteCloser.Close()
	return d.ReadCloser.Close()
}

type editor struct {
	dir string

	mu      sync.Mutex
	waiting map[string]bool // files of which nothing was heard
	shown   map[string][]Finding
	all     chan struct{}
	err     error
}

func (e *editor) session(ctx context.Context, conn jsonrpc2.Conn) ([]Finding, error) {
	type object map[string]any
	capabilities := object{
		"general":      object{"positionEncodings": []string{"utf-8"}}, // columns in bytes, as all drivers count
		"textDocument": object{"publishDiagnostics": object{"relatedInformation": true}},
	}
	options := object{"config": "none"}
	if _, err := conn.Call(ctx, "initialize", object{"capabilities": capabilities, "initializationOptions": options}, nil); err != nil {
		return nil, err
	}
	if err := conn.Notify(ctx, "initialized", object{}); err != nil {
		return nil, err
	}
	files := map[string]string{}
	err := filepath.WalkDir(e.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		return nil, err
	}
	e.waiting = map[string]bool{}
	for path := range files {
		e.waiting[path] = true
	}
	for path, text := range files {
		uri := (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
		if err := conn.Notify(ctx, "textDocument/didOpen", object{"textDocument": object{"uri": uri, "version": 1, "text": text}}); err != nil {
			return nil, err
		}
	}
	select {
	case <-e.all:
	case <-ctx.Done():
		e.mu.Lock()
		defer e.mu.Unlock()
		return nil, fmt.Errorf("%d of %d files were not heard of: %v", len(e.waiting), len(files), ctx.Err())
	}
	if _, err := conn.Call(ctx, "shutdown", nil, nil); err != nil {
		return nil, err
	}
	if err := conn.Notify(ctx, "exit", nil); err != nil {
		return nil, err
	}
	<-conn.Done()
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []Finding
	for _, shown := range e.shown {
		list = append(list, shown...)
	}
	return Sort(list), e.err
}

func (e *editor) handle(_ context.Context, req *jsonrpc2.Request) (any, error) {
	if req.Method() != "textDocument/publishDiagnostics" {
		return nil, nil
	}
	var p struct {
		URI         string
		Version     int
		Diagnostics []struct {
			Range         struct{ Start struct{ Line, Character int } }
			Code, Message string
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	err := json.Unmarshal(req.Params(), &p)
	uri, perr := url.Parse(p.URI)
	if err != nil || perr != nil {
		e.err = fmt.Errorf("%v, %v: %s", err, perr, req.Params())
		return nil, nil
	}
	if p.Version != 1 {
		return nil, nil // not open yet
	}
	path := filepath.FromSlash(uri.Path)
	rel, err := filepath.Rel(e.dir, path)
	if err != nil {
		e.err = err
	}
	e.shown[path] = nil
	for _, d := range p.Diagnostics {
		e.shown[path] = append(e.shown[path], Finding{filepath.ToSlash(rel), d.Range.Start.Line + 1, d.Range.Start.Character + 1, strings.TrimSpace(d.Message) + " [" + d.Code + "]"})
	}
	if delete(e.waiting, path); len(e.waiting) == 0 {
		select {
		case <-e.all:
		default:
			close(e.all)
		}
	}
	return nil, nil
}
