package libraries

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
)

// quit serves one request over HTTP whose handler shuts its server down, and
// returns when the handler has.
func quit(t *testing.T, shutdown func(*http.Server)) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Error(err)
		return
	}
	returned := make(chan struct{})
	srv := &http.Server{ReadHeaderTimeout: time.Minute}
	srv.Handler = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		defer close(returned)
		shutdown(srv)
	})
	go srv.Serve(l)
	go func() {
		if resp, err := http.Get("http://" + l.Addr().String()); err == nil {
			resp.Body.Close()
		}
	}()
	<-returned
}

// health is a service whose one call ends its server.
type health struct {
	grpc_health_v1.UnimplementedHealthServer
	stop     func()
	returned chan struct{}
}

func (h *health) Check(context.Context, *grpc_health_v1.HealthCheckRequest) (*grpc_health_v1.HealthCheckResponse, error) {
	defer close(h.returned)
	h.stop()
	return &grpc_health_v1.HealthCheckResponse{}, nil
}

// check is quit over gRPC.
func check(t *testing.T, stop func(*grpc.Server)) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Error(err)
		return
	}
	srv := grpc.NewServer()
	h := &health{stop: func() { stop(srv) }, returned: make(chan struct{})}
	grpc_health_v1.RegisterHealthServer(srv, h)
	go srv.Serve(l)
	conn, err := grpc.NewClient(l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Error(err)
		return
	}
	go func() {
		_, _ = grpc_health_v1.NewHealthClient(conn).Check(context.Background(), &grpc_health_v1.HealthCheckRequest{})
		conn.Close()
	}()
	<-h.returned
}

// TestServedHang shows that a handler that shuts its own server down waits for
// itself, and that one that leaves it to a goroutine returns.
func TestServedHang(t *testing.T) {
	for _, h := range []struct {
		name      string
		bad, good func(func())
	}{
		{"http.Server: Shutdown in a handler",
			func(func()) { quit(t, func(s *http.Server) { _ = s.Shutdown(context.Background()) }) },
			func(func()) { quit(t, func(s *http.Server) { go s.Shutdown(context.Background()) }) }},
		{"grpc.Server: GracefulStop in a handler",
			func(func()) { check(t, (*grpc.Server).GracefulStop) },
			func(func()) { check(t, func(s *grpc.Server) { go s.GracefulStop() }) }},
	} {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			if ends(h.bad, 300*time.Millisecond) {
				t.Error("the wrong shape has ended")
			}
			if !ends(h.good, 30*time.Second) {
				t.Error("the right shape has not ended")
			}
		})
	}
}
