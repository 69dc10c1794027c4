package shop

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// Serve answers requests until ctx ends, and then gives those that are under way
// 15 s to come to their end.
func (s *Service) Serve(ctx context.Context, l net.Listener) error {
	srv := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), 15*time.Second)
		defer cancel()
		stopped <- errors.Join(srv.Shutdown(limit), srv.Close())
	})
	defer stop()
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}
