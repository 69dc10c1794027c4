package ok

import "context"

type throttle struct{ tokens chan struct{} }

func newThrottle() *throttle { return &throttle{tokens: make(chan struct{}, 8)} }

func (t *throttle) do(ctx context.Context, fn func(context.Context) error) error {
	t.tokens <- struct{}{}
	defer func() { <-t.tokens }()
	return fn(ctx)
}

// try takes a slot if there is one.
func (t *throttle) try(ctx context.Context, fn func(context.Context) error) error {
	select {
	case t.tokens <- struct{}{}:
		defer func() { <-t.tokens }()
	default:
	}
	return fn(ctx)
}

// before has given its slot back when it calls.
func (t *throttle) before(ctx context.Context, fn func(context.Context) error) error {
	t.tokens <- struct{}{}
	<-t.tokens
	return fn(ctx)
}

type mirror struct{ tags, blobs *throttle }

func newMirror() *mirror { return &mirror{tags: newThrottle(), blobs: newThrottle()} }

func (m *mirror) fetch(context.Context) error { return nil }

func (m *mirror) tag(ctx context.Context) error { return m.tags.do(ctx, m.fetch) }

func (m *mirror) otherTokensOk(ctx context.Context) error {
	return m.blobs.do(ctx, func(ctx context.Context) error { return m.tag(ctx) })
}

func (m *mirror) innerTriesOk(ctx context.Context) error {
	return m.tags.do(ctx, func(ctx context.Context) error { return m.tags.try(ctx, m.fetch) })
}

func (m *mirror) beforeOk(ctx context.Context) error {
	return m.tags.before(ctx, func(ctx context.Context) error { return m.tag(ctx) })
}

func (m *mirror) oneAfterTheOtherOk(ctx context.Context) error {
	if err := m.tag(ctx); err != nil {
		return err
	}
	return m.tags.do(ctx, m.fetch)
}

// What runs later holds no slot of who started it.
func (m *mirror) goroutineOk(ctx context.Context) error {
	return m.tags.do(ctx, func(ctx context.Context) error {
		go m.tag(ctx)
		return nil
	})
}
