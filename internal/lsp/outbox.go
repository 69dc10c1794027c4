package lsp

import (
	"context"
	"sync"
)

// An outbox holds the diagnostics that are to be sent, the newest of each file.
// They are put there under a lock that handlers wait for, and an editor that is
// slow to read must not hold that up.
type outbox struct {
	mu      sync.Mutex
	pending map[string]publishParams
	order   []string
	wake    chan struct{}
}

func newOutbox() *outbox {
	return &outbox{pending: map[string]publishParams{}, wake: make(chan struct{}, 1)}
}

// put replaces what was to be sent of the file. It never waits.
func (o *outbox) put(p publishParams) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, waits := o.pending[p.URI]; !waits {
		o.order = append(o.order, p.URI)
	}
	o.pending[p.URI] = p
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *outbox) take() (p publishParams, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.order) == 0 {
		return p, false
	}
	uri := o.order[0]
	o.order = o.order[1:]
	p = o.pending[uri]
	delete(o.pending, uri)
	return p, true
}

// deliver sends what is put, until ctx ends.
func (o *outbox) deliver(ctx context.Context, send func(publishParams)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.wake:
		}
		for ctx.Err() == nil {
			p, ok := o.take()
			if !ok {
				break
			}
			send(p)
		}
	}
}
