// Package mid passes on what it is given.
package mid

import (
	"context"

	"nodeadline/crosspkg/dep"
)

// Service is what handlers use.
type Service struct{ store *dep.Store }

// New returns a service.
func New(s *dep.Store) *Service { return &Service{store: s} }

// Order saves.
func (s *Service) Order(ctx context.Context) error { return s.store.Save(ctx) }

// OrderSoon saves within a second.
func (s *Service) OrderSoon(ctx context.Context) error { return s.store.SaveSoon(ctx) }
