// Package lsp is the language server: it keeps the findings of the packages
// whose files are open in an editor up to date, unsaved changes included, and
// offers their fixes.
//
// It pushes diagnostics and does nothing that gopls does. Handlers run on the
// goroutine that reads, one after the other and quickly; checks run beside, one
// a module, and whatever is not of the newest text is thrown away.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// A Server serves one editor.
type Server struct {
	check   Checker
	version string
	conn    jsonrpc2.Conn
	ctx     context.Context // ends with the connection
	end     context.CancelFunc
	running sync.WaitGroup
	tooSlow time.Duration

	mu       sync.Mutex
	state    state
	client   clientCapabilities
	enc      encoding
	settings Settings
	docs     map[string]*document          // by path
	modules  map[string]*module            // by folder
	other    map[string]otherFile          // by path: files with diagnostics that are not open
	told     map[string]bool               // messages that were shown already
	calls    map[string]context.CancelFunc // by request id, as text
	tokens   int
	out      *outbox
}

type state int

const (
	fresh state = iota
	serving
	stopped
)

// New returns a server that analyses with check.
func New(check Checker, version string) *Server {
	return &Server{
		check: check, version: version, tooSlow: tooSlow, enc: utf16Units, settings: defaultSettings(),
		docs: map[string]*document{}, modules: map[string]*module{}, other: map[string]otherFile{}, told: map[string]bool{}, calls: map[string]context.CancelFunc{}, out: newOutbox(),
	}
}

// Serve answers the editor until it ends the connection, or until ctx ends. It
// fails if the editor did not ask for a shutdown before.
func (s *Server) Serve(ctx context.Context, in io.ReadCloser, out io.Writer) error {
	ended := ctx.Done()
	s.ctx, s.end = context.WithCancel(ctx)
	ctx = s.ctx
	s.conn = jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(pipe{in, out, s.end}), jsonrpc2.WithCodec(codec{}))
	s.conn.Go(ctx, s.handle)
	s.running.Go(func() {
		s.out.deliver(ctx, func(p publishParams) { s.notify("textDocument/publishDiagnostics", p) })
	})
	left := false
	select {
	case <-s.conn.Done():
	case <-ended:
		left = true // what reads may go on waiting for the editor
	}
	s.end()
	s.mu.Lock()
	for _, m := range s.modules {
		m.stop()
	}
	stopped := s.state == stopped
	s.mu.Unlock()
	if left {
		over := make(chan struct{})
		go func() { s.running.Wait(); close(over) }()
		select {
		case <-over:
		case <-time.After(2 * time.Second): // what writes may wait for it as well
		}
		return ctx.Err()
	}
	s.running.Wait()
	if err := s.conn.Err(); err != nil && !stopped {
		return err
	}
	if !stopped {
		return errors.New("the editor has gone without a shutdown")
	}
	return nil
}

// A pipe is standard input and output as one. Once the editor is gone nothing
// that is under way is of use.
type pipe struct {
	io.ReadCloser
	io.Writer
	gone func()
}

func (p pipe) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	if err != nil {
		p.gone()
	}
	return n, err
}

// handle answers one request. A notification never fails: that would end the
// connection.
func (s *Server) handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	result, err := s.dispatch(ctx, req)
	if err != nil && !req.IsCall() {
		if !errors.Is(err, jsonrpc2.ErrMethodNotFound) {
			s.log(messageError, err.Error())
		}
		return nil, nil
	}
	return result, err
}

func (s *Server) dispatch(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	s.mu.Lock()
	at := s.state
	s.mu.Unlock()
	method := req.Method()
	switch {
	case method == "exit":
		s.end()
		s.running.Go(func() { s.conn.Close() }) // it waits for this handler
		return nil, nil
	case at == fresh && method != "initialize":
		return nil, jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "initialize comes first")
	case at == serving && method == "initialize":
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "it is initialized already")
	case at == stopped:
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "it is shut down")
	}
	switch method {
	case "initialize":
		return with(req, s.initialize)
	case "initialized":
		s.running.Go(s.register)
		return nil, nil
	case "shutdown":
		return nil, s.shutdown()
	case "textDocument/didOpen":
		return with(req, s.didOpen)
	case "textDocument/didChange":
		return with(req, s.didChange)
	case "textDocument/didSave":
		return with(req, s.didSave)
	case "textDocument/didClose":
		return with(req, s.didClose)
	case "workspace/didChangeWatchedFiles":
		return with(req, s.didChangeWatchedFiles)
	case "workspace/didChangeConfiguration":
		return with(req, s.didChangeConfiguration)
	case "workspace/didChangeWorkspaceFolders":
		return with(req, s.didChangeFolders)
	case "textDocument/hover":
		return with(req, s.hover)
	case "textDocument/codeAction":
		call := s.newCall(ctx, req)
		defer call.end()
		return with(req, func(p codeActionParams) (any, error) { return s.codeActions(call, p) })
	case "codeAction/resolve":
		call := s.newCall(ctx, req)
		defer call.end()
		return with(req, func(a codeAction) (any, error) { return s.resolve(call, a) })
	case "$/cancelRequest":
		return with(req, s.cancelCall)
	}
	return nil, jsonrpc2.ErrMethodNotFound
}

// with decodes the parameters of a request.
func with[P any](req *jsonrpc2.Request, do func(P) (any, error)) (any, error) {
	var p P
	if err := json.Unmarshal(req.Params(), &p); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: %v", req.Method(), err)
	}
	return do(p)
}

func (s *Server) initialize(p initializeParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state, s.client = serving, p.Capabilities
	s.enc = chooseEncoding(p.Capabilities.General.PositionEncodings)
	if err := s.settings.read(p.Options); err != nil {
		defer s.running.Go(func() { s.tell(messageWarning, err.Error()) })
	}
	var out initializeResult
	out.ServerInfo = serverInfo{Name: "concvet", Version: s.version}
	out.Capabilities.PositionEncoding = string(s.enc)
	out.Capabilities.TextDocumentSync = syncOptions{OpenClose: true, Change: incremental}
	out.Capabilities.CodeActionProvider = codeActionOptions{CodeActionKinds: []string{kindQuickFix, kindFixAll}, ResolveProvider: true}
	out.Capabilities.HoverProvider = true
	out.Capabilities.Workspace.WorkspaceFolders.Supported = true
	out.Capabilities.Workspace.WorkspaceFolders.ChangeNotifications = true
	return out, nil
}

// register asks for what can only be asked for once initialized.
func (s *Server) register() {
	s.mu.Lock()
	watch, configured := s.client.Workspace.DidChangeWatchedFiles.DynamicRegistration, s.client.Workspace.Configuration
	s.mu.Unlock()
	if watch {
		var w watchers
		for _, glob := range []string{"**/*.go", "**/go.mod", "**/go.sum", "**/go.work", "**/.concvet.yaml", "**/.concvet-baseline.json"} {
			w.Watchers = append(w.Watchers, watcher{glob})
		}
		_, err := s.conn.Call(s.ctx, "client/registerCapability", registrationParams{[]registration{{ID: "concvet-files", Method: "workspace/didChangeWatchedFiles", Options: w}}}, nil)
		if err != nil && s.ctx.Err() == nil {
			s.log(messageWarning, fmt.Sprintf("the editor does not tell of files that others change: %v", err))
		}
	}
	if configured {
		s.askConfiguration()
	}
}

// askConfiguration asks for the section "concvet".
func (s *Server) askConfiguration() {
	var sections []json.RawMessage
	if _, err := s.conn.Call(s.ctx, "workspace/configuration", configurationRequest{[]configurationItem{{"concvet"}}}, &sections); err == nil && len(sections) == 1 {
		s.configure(sections[0])
	}
}

// configure takes over settings, and checks again if they are new.
func (s *Server) configure(raw json.RawMessage) {
	s.mu.Lock()
	before := s.settings
	err := s.settings.read(raw)
	changed := s.settings != before
	s.mu.Unlock()
	if err != nil {
		s.tell(messageWarning, err.Error())
	}
	if changed {
		s.checkAll()
	}
}

func (s *Server) didChangeConfiguration(p configurationParams) (any, error) {
	s.mu.Lock()
	ask := s.client.Workspace.Configuration
	s.mu.Unlock()
	if ask {
		s.running.Go(s.askConfiguration)
	} else {
		s.configure(p.Settings.Concvet)
	}
	return nil, nil
}

// didChangeFolders has little to do: what is checked depends on what is open,
// and on the module that it is in, wherever that is.
func (s *Server) didChangeFolders(p foldersParams) (any, error) {
	for _, folder := range p.Event.Removed {
		dir := pathOf(folder.URI)
		s.mu.Lock()
		for path := range s.other {
			if dir != "" && below(path, dir) {
				s.clear(path)
			}
		}
		s.mu.Unlock()
	}
	s.checkAll()
	return nil, nil
}

func (s *Server) didChangeWatchedFiles(watchedParams) (any, error) {
	s.checkAll()
	return nil, nil
}

func (s *Server) shutdown() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = stopped
	for _, m := range s.modules {
		m.stop()
	}
	return nil
}

// log writes to the editor's log.
func (s *Server) log(kind int, text string) {
	s.notify("window/logMessage", messageParams{kind, "concvet: " + text})
}

// tell shows a message, once each.
func (s *Server) tell(kind int, text string) {
	s.mu.Lock()
	told := s.told[text]
	s.told[text] = true
	s.mu.Unlock()
	if !told {
		s.notify("window/showMessage", messageParams{kind, "concvet: " + text})
	}
}

func (s *Server) notify(method string, params any) {
	// It fails only when the editor is gone, and then the server ends.
	_ = s.conn.Notify(s.ctx, method, params)
}

func below(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// sortedKeys is for what is sent in an order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
