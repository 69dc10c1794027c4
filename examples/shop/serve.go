package shop

import (
	"context"
	"errors"
	"net"
	"net/http"
)

// Serve answers requests until ctx ends, and then lets those that are under way
// come to their end.
func (s *Service) Serve(ctx context.Context, l net.Listener) error {
	srv := &http.Server{Handler: s.Handler()}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() { stopped <- srv.Shutdown(context.Background()) })
	defer stop()
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}
