package lsp

import (
	"context"
	"encoding/json"
	"fmt"

	"go.lsp.dev/jsonrpc2"
)

// A call is a request whose answer may take a while. Its context ends with the
// connection or when the editor no longer wants the answer. It is not derived
// from that of the request, which jsonrpc2 uses again for another request while
// package context may still look at it.
type call struct {
	ctx context.Context
	end func()

	request context.Context
}

func (s *Server) newCall(request context.Context, req *jsonrpc2.Request) *call {
	ctx, cancel := context.WithCancel(s.ctx)
	id := fmt.Sprintf("%q", req.ID())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[id] = cancel
	return &call{ctx: ctx, request: request, end: func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.calls, id)
	}}
}

// detach lets later messages be handled while the call goes on.
func (c *call) detach() { jsonrpc2.Async(c.request) }

func (s *Server) cancelCall(p struct{ ID json.RawMessage }) (any, error) {
	var id jsonrpc2.ID
	var n int64
	var text string
	switch {
	case json.Unmarshal(p.ID, &n) == nil:
		id = jsonrpc2.NewNumberID(n)
	case json.Unmarshal(p.ID, &text) == nil:
		id = jsonrpc2.NewStringID(text)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.calls[fmt.Sprintf("%q", id)]; cancel != nil {
		cancel()
	}
	return nil, nil
}
