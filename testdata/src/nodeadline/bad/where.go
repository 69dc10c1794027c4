package bad

import (
	"context"
	"net"
	"net/http"
	"net/http/pprof"
	"time"
)

// A service calls it for each request that it hands on, whatever its name.
func newUpstream(addr string) (net.Conn, error) {
	return net.Dial("tcp", addr) // want `dial`
}

// A pool of connections waits for its hook, whatever the context that it gives.
func hookBad(ctx context.Context, network, address string) (net.Conn, error) {
	return net.Dial("tcp", address) // want `dial`
}

// It is made for each peer that appears.
type upstream struct{ c net.Conn }

func newUpstreamFor(addr string) (*upstream, error) {
	c, err := net.Dial("tcp", addr) // want `dial`
	return &upstream{c}, err
}

// Profiles of users, not of the program.
type profileService struct{ api http.Handler }

func (p *profileService) serveProfiles(addr string) error {
	return http.ListenAndServe(addr, p.api) // want `http-server`
}

// It goes on for as long as the service.
type poller struct{ url string }

func (p *poller) StartBad(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(time.Minute):
			if resp, err := http.Get(p.url); err == nil { // want `http-client`
				resp.Body.Close()
			}
		}
	}
}

// The constructor starts what goes on.
func newPollerBad(url string) *poller {
	p := &poller{url}
	go func() {
		if resp, err := http.Get(p.url); err == nil { // want `http-client`
			resp.Body.Close()
		}
	}()
	return p
}

// A constructor that is given a context and drops it.
func newFromBad(ctx context.Context, url string) (*poller, error) {
	_, err := fetch(context.Background(), url) // want `ctx-none`
	return &poller{url}, err
}

// The comment is about something else.
func otherLinterBad(url string) (*http.Response, error) {
	return http.Get(url) //nolint:gosec // want `http-client`
}

// The form with a limit is of another type.
type noLimit struct{ host string }

func (n *noLimit) Dial() (net.Conn, error) {
	return net.Dial("tcp", n.host) // want `dial`
}

type limited struct{ noLimit }

func (l *limited) DialTimeout(d time.Duration) (net.Conn, error) {
	return net.DialTimeout("tcp", l.host, d)
}

// Profiles are not all that it serves.
func mixedRoutesBad(addr string, api http.Handler) error {
	mux := http.NewServeMux()
	mux.Handle("/", api)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	return http.ListenAndServe(addr, mux) // want `http-server`
}

// What it measures is what others depend on.
func measuresBad(addr string, metrics http.Handler) error {
	mux := http.NewServeMux()
	mux.Handle("/metrics", metrics)
	srv := &http.Server{Addr: addr, Handler: mux}
	return srv.ListenAndServe() // want `http-server`
}

// One of two limits: a request may take as long as it likes to be answered.
func halfBoundedBad(srvAddr string, stop <-chan struct{}) error {
	srv := &http.Server{Addr: srvAddr, ReadTimeout: time.Second}
	done := make(chan error, 1)
	go func() {
		<-stop
		done <- srv.Shutdown(context.Background()) // want `shutdown`
	}()
	srv.ListenAndServe()
	return <-done
}

// One server, with and without TLS: one literal to repair.
func eitherWayBad(l net.Listener, h http.Handler, cert, key string) error {
	srv := &http.Server{Handler: h}
	if cert == "" {
		return srv.Serve(l) // want `\(\*http\.Server\)\.Serve serves without .* \(and 1 more with this server\)`
	}
	return srv.ServeTLS(l, cert, key)
}
