package vetrun

import "context"

type groupKey struct{}

// WithGroup returns a context under which go commands run in a process group of
// their own and are ended together with all that they have started, at once.
// Otherwise an interrupted go command first waits for what it has started: right
// for a terminal, too slow where the next run is waiting.
func WithGroup(ctx context.Context) context.Context {
	return context.WithValue(ctx, groupKey{}, true)
}

func inGroup(ctx context.Context) bool { return ctx.Value(groupKey{}) != nil }
