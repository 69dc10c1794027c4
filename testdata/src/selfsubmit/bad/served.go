package bad

import (
	"context"
	"net/http"
	"time"

	"google.golang.org/grpc"
)

// A handler is waited for by the shutdown of its server, also by one that it
// calls itself.

func quitBad(addr string) error {
	mux := http.NewServeMux()
	srv := &http.Server{Addr: addr, Handler: mux, ReadHeaderTimeout: time.Second}
	mux.HandleFunc("POST /quit", func(w http.ResponseWriter, r *http.Request) {
		srv.Shutdown(context.Background()) // want `^this function is a handler of the http\.Server that it shuts down: \(\*http\.Server\)\.Shutdown waits until all handlers have returned, this one among them: deadlock \[selfsubmit/self-wait\]$`
	})
	return srv.ListenAndServe()
}

type api struct {
	srv  *http.Server
	stop func()
}

func newAPI(addr string) *api {
	a := &api{}
	mux := http.NewServeMux()
	mux.HandleFunc("/quit", a.quitBad)
	mux.Handle("/restart", http.HandlerFunc(a.restartBad))
	a.srv = &http.Server{Addr: addr, Handler: mux, ReadHeaderTimeout: time.Second}
	return a
}

func (a *api) quitBad(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(http.StatusAccepted)
	a.srv.Shutdown(context.Background()) // want `\(\*api\)\.quitBad is a handler of the http\.Server that it shuts down.*self-wait`
}

func (a *api) restartBad(w http.ResponseWriter, r *http.Request) {
	a.close() // want `\(\*api\)\.restartBad is a handler of the http\.Server that it shuts down: \(\*http\.Server\)\.Shutdown via \(\*api\)\.close waits`
}

func (a *api) close() { a.srv.Shutdown(context.Background()) }

// It is the handler of its own server.
type whole struct{ srv http.Server }

func (s *whole) run(addr string) error {
	s.srv = http.Server{Addr: addr, Handler: s, ReadHeaderTimeout: time.Second}
	return s.srv.ListenAndServe()
}

func (s *whole) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == "DELETE" {
		s.srv.Shutdown(context.Background()) // want `is a handler of the http\.Server that it shuts down`
	}
}

var shared *http.Server

func sharedBad(addr string) error {
	shared = &http.Server{Addr: addr, ReadHeaderTimeout: time.Second}
	http.HandleFunc("/quit", quitShared)
	return shared.ListenAndServe()
}

func quitShared(w http.ResponseWriter, r *http.Request) {
	shared.Shutdown(context.Background()) // want `is a handler of the http\.Server that it shuts down`
}

type AdminServer interface {
	Stop(context.Context, *string) (*string, error)
}

func RegisterAdminServer(s grpc.ServiceRegistrar, srv AdminServer) {
	s.RegisterService(&grpc.ServiceDesc{}, srv)
}

type admin struct{ server *grpc.Server }

func newAdmin() *admin {
	a := &admin{server: grpc.NewServer()}
	RegisterAdminServer(a.server, a)
	return a
}

func (a *admin) Stop(ctx context.Context, in *string) (*string, error) {
	a.server.GracefulStop() // want `\(\*admin\)\.Stop is a handler of the grpc\.Server that it shuts down: \(\*grpc\.Server\)\.GracefulStop waits`
	return in, nil
}

// The server is made first, and kept later.
type later struct{ server *grpc.Server }

func newLater() *later {
	server := grpc.NewServer()
	l := &later{}
	l.server = server
	RegisterAdminServer(server, l)
	return l
}

func (l *later) Stop(ctx context.Context, in *string) (*string, error) {
	l.server.GracefulStop() // want `\(\*later\)\.Stop is a handler of the grpc\.Server that it shuts down`
	return in, nil
}
