package ok

import (
	"context"
	"net/http"
	"time"

	"google.golang.org/grpc"
)

// Somebody else waits for the handlers.
func goShutdownOk(addr string) error {
	mux := http.NewServeMux()
	srv := &http.Server{Addr: addr, Handler: mux, ReadHeaderTimeout: time.Second}
	mux.HandleFunc("POST /quit", func(w http.ResponseWriter, r *http.Request) {
		go srv.Shutdown(context.Background())
	})
	mux.HandleFunc("POST /close", func(w http.ResponseWriter, r *http.Request) {
		srv.Close()
	})
	return srv.ListenAndServe()
}

// It waits for some seconds, and then for nobody.
func boundedShutdownOk(addr string) error {
	mux := http.NewServeMux()
	srv := &http.Server{Addr: addr, Handler: mux, ReadHeaderTimeout: time.Second}
	mux.HandleFunc("POST /quit", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		srv.Shutdown(ctx)
	})
	return srv.ListenAndServe()
}

// The handler of one server shuts another one down.
type pair struct{ public, admin *http.Server }

func newPair(h http.Handler) *pair {
	p := &pair{}
	p.public = &http.Server{Addr: ":80", Handler: h, ReadHeaderTimeout: time.Second}
	mux := http.NewServeMux()
	mux.HandleFunc("/quit", p.quitOk)
	p.admin = &http.Server{Addr: "localhost:81", Handler: mux, ReadHeaderTimeout: time.Second}
	return p
}

func (p *pair) quitOk(w http.ResponseWriter, r *http.Request) {
	p.public.Shutdown(context.Background())
}

func twoServersOk(addr, admin string) {
	mux := http.NewServeMux()
	srv := &http.Server{Addr: addr, Handler: mux, ReadHeaderTimeout: time.Second}
	ctl := http.NewServeMux()
	ctl.HandleFunc("/quit", func(w http.ResponseWriter, r *http.Request) {
		srv.Shutdown(context.Background())
	})
	go http.ListenAndServe(admin, ctl)
	srv.ListenAndServe()
}

// Another object has that server.
type peerNode struct{ srv *http.Server }

func newNode(other *peerNode) *peerNode {
	n := &peerNode{}
	mux := http.NewServeMux()
	mux.HandleFunc("/quit", other.quitOk)
	n.srv = &http.Server{Handler: mux, ReadHeaderTimeout: time.Second}
	return n
}

func (n *peerNode) quitOk(w http.ResponseWriter, r *http.Request) {
	n.srv.Shutdown(context.Background())
}

type ControlServer interface {
	Stop(context.Context, *string) (*string, error)
}

func RegisterControlServer(s grpc.ServiceRegistrar, srv ControlServer) {
	s.RegisterService(&grpc.ServiceDesc{}, srv)
}

type control struct{ server, own *grpc.Server }

func newControl(server *grpc.Server) *control {
	c := &control{server: server, own: grpc.NewServer()}
	RegisterControlServer(c.own, c)
	return c
}

func (c *control) Stop(ctx context.Context, in *string) (*string, error) {
	go c.own.GracefulStop()
	c.server.GracefulStop()
	return in, nil
}
