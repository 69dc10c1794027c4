package bad

import "context"

// A function that holds a slot while it runs what it is given.

type throttle struct{ tokens chan struct{} }

func newThrottle() *throttle { return &throttle{tokens: make(chan struct{}, 8)} }

func (t *throttle) do(ctx context.Context, fn func(context.Context) error) error {
	select {
	case t.tokens <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-t.tokens }()
	return fn(ctx)
}

type mirror struct{ lim *throttle }

func newMirror() *mirror { return &mirror{lim: newThrottle()} }

func (m *mirror) fetch(context.Context, string) error { return nil }

func (m *mirror) tag(ctx context.Context, name string) error {
	return m.lim.do(ctx, func(ctx context.Context) error { return m.fetch(ctx, name) })
}

func (m *mirror) doInDoBad(ctx context.Context) error {
	return m.lim.do(ctx, func(ctx context.Context) error {
		if err := m.tag(ctx, "latest"); err != nil { // want `a slot of m\.lim\.tokens is held \(taken at line \d+\) while slot of t\.tokens via \(\*mirror\)\.tag, \(\*throttle\)\.do waits for a second one.*token-nested`
			return err
		}
		return m.fetch(ctx, "manifest")
	})
}

// A method instead of a literal.
func (m *mirror) tagLatest(ctx context.Context) error { return m.tag(ctx, "latest") }

func (m *mirror) methodInDoBad(ctx context.Context) error {
	return m.lim.do(ctx, m.tagLatest) // want `a slot of m\.lim\.tokens is held .*token-nested`
}

// A literal that is called where it stands.
func (m *mirror) inPlaceBad(ctx context.Context) error {
	m.lim.tokens <- struct{}{}
	defer func() { <-m.lim.tokens }()
	err := func() error {
		return m.tag(ctx, "latest") // want `a slot of m\.lim\.tokens is held .*token-nested`
	}()
	return err
}
