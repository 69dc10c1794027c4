package dep

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// CtxGroup is a group with its context.
type CtxGroup struct {
	*errgroup.Group
	Ctx context.Context
}

// NewGroup returns one without a limit.
func NewGroup(ctx context.Context) *CtxGroup {
	g, ctx := errgroup.WithContext(ctx)
	return &CtxGroup{Group: g, Ctx: ctx}
}

// LimitedGroup returns one with a limit.
func LimitedGroup(ctx context.Context, n int) *CtxGroup {
	g := NewGroup(ctx)
	g.SetLimit(n)
	return g
}

// SetUp gives a group a limit.
func SetUp(g *CtxGroup) *CtxGroup {
	g.SetLimit(4)
	return g
}
