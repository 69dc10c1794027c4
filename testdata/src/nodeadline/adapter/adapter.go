// Package adapter gives a client to an interface whose methods have no context:
// that all its calls have none is one finding, not nine.
package adapter

import (
	"context"
	"net/http"
)

// client answers as its contexts allow.
type client struct{ http *http.Client }

func newClient() *client { return &client{http: &http.Client{}} }

func (c *client) get(ctx context.Context, path string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://example.org"+path, nil)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (c *client) read(ctx context.Context, path string) ([]byte, error) {
	return nil, c.get(ctx, path)
}

// Workspace has the methods of an interface that knows no contexts.
type Workspace struct{ c *client }

func newWorkspace() *Workspace { return &Workspace{newClient()} }

func (w *Workspace) AgentsBad() error {
	return w.c.get(context.Background(), "/agents") // want `and 8 more of this kind in the package.*ctx-none`
}
func (w *Workspace) Models() error { return w.c.get(context.Background(), "/models") }
func (w *Workspace) Prompts() error {
	_, err := w.c.read(context.Background(), "/prompts")
	return err
}
func (w *Workspace) Servers() error { return w.c.get(context.Background(), "/servers") }
func (w *Workspace) State() error   { return w.c.get(context.TODO(), "/state") }
func (w *Workspace) Answer() error {
	_, err := w.c.read(context.Background(), "/answer")
	return err
}
func (w *Workspace) Cancel() error { return w.c.get(context.Background(), "/cancel") }
func (w *Workspace) Clear() error  { return w.c.get(context.Background(), "/clear") }
func (w *Workspace) Close() error  { return w.c.get(context.Background(), "/close") }
