// Package where waits without a limit where that costs little: before a service
// serves, where the maintainers have said so, for what nobody depends on.
package where

import (
	"context"
	"database/sql"
	"net"
	"net/http"
	"net/http/pprof"
	"os/exec"
	"time"
)

type Store struct{ db *sql.DB }

func (s *Store) migrateTo(ctx context.Context, version int) error {
	_, err := s.db.ExecContext(ctx, "update versions set n = $1", version)
	return err
}

// A constructor runs before anything is served.
func NewStoreBad(db *sql.DB) (*Store, error) {
	s := &Store{db: db}
	return s, s.migrateTo(context.Background(), 3) // want `ctx-none`
}

type Config struct{ Secret string }

type Secrets struct{ value string }

func fetch(ctx context.Context, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	return resp.Status, resp.Body.Close()
}

func BuildSecretsBad(cfg *Config) (*Secrets, error) {
	v, err := fetch(context.Background(), cfg.Secret) // want `ctx-none`
	return &Secrets{v}, err
}

func (s *Secrets) initBad(url string) error {
	_, err := fetch(context.Background(), url) // want `ctx-none`
	return err
}

func (s *Secrets) StartBad(url string) error {
	resp, err := http.Get(url) // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// The maintainers have looked at it, when another linter said the same.
func knownBad(url string) (*http.Response, error) {
	return http.Get(url) //nolint:noctx // want `http-client`
}

func knownBeforeBad(name string) error {
	//nolint:gosec,noctx
	cmd := exec.Command(name)
	return cmd.Run() // want `exec`
}

func knownServerBad(h http.Handler) error {
	return http.ListenAndServe(":8080", h) // #nosec G114 // want `http-server`
}

// To kill it halfway would be worse.
func upgradeBad(script string) error {
	return exec.Command("sh", "-c", script).Run() // want `exec`
}

// The resolver gives up by itself.
func lookupBad(host string) ([]net.IPAddr, error) {
	return net.DefaultResolver.LookupIPAddr(context.Background(), host) // want `ctx-none`
}

// Who has a limit calls the other one.
type Address struct{ host string }

func (a *Address) Dial() (net.Conn, error) {
	return net.Dial("tcp", a.host) // want `dial`
}

func (a *Address) DialTimeout(d time.Duration) (net.Conn, error) {
	return net.DialTimeout("tcp", a.host, d)
}

// It is only seen whether the peer is there.
func probeBad(addr string) error {
	c, err := net.Dial("tcp", addr) // want `dial`
	if err != nil {
		return err
	}
	println(c.RemoteAddr().String())
	return c.Close()
}

func probeInLiteralBad(addr string, retry func(func() error) error) error {
	var c net.Conn
	var err error
	err = retry(func() error {
		c, err = net.Dial("tcp", addr) // want `dial`
		return err
	})
	if err != nil {
		return err
	}
	defer c.Close()
	return nil
}

// The hypervisor answers.
type cloud struct{ identityURL string }

func (c *cloud) identityBad() error {
	req, err := http.NewRequest(http.MethodGet, c.identityURL, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Metadata-Flavor", "Google")
	resp, err := http.DefaultClient.Do(req) // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func projectBad() (*http.Response, error) {
	return http.Get("http://metadata.google.internal/computeMetadata/v1/project/project-id") // want `http-client`
}

func localRequestBad() error {
	req, err := http.NewRequest(http.MethodGet, "http://localhost:9090/ready", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req) // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Servers that nobody depends on.
func servePprofBad(addr string) error {
	return http.ListenAndServe(addr, nil) // want `http-server`
}

func routesBad(addr string, metrics http.Handler) error {
	mux := http.NewServeMux()
	mux.Handle("/metrics", metrics)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	return http.ListenAndServe(addr, mux) // want `http-server`
}

func addRoutesPprof(mux *http.ServeMux) { mux.HandleFunc("/debug/pprof/", pprof.Index) }

func helperRoutesBad(addr string) error {
	mux := http.NewServeMux()
	addRoutesPprof(mux)
	srv := &http.Server{Addr: addr, Handler: mux}
	return srv.ListenAndServe() // want `http-server`
}

type migratingAPI struct{ addr string }

func (m migratingAPI) serveBad() error {
	srv := &http.Server{Addr: m.addr}
	return srv.ListenAndServe() // want `http-server`
}

// The clean-up of a start that has failed: nothing was served yet.
type node struct{ metrics, profiles *http.Server }

func (n *node) OnStartBad(open func() error) error {
	if err := open(); err != nil {
		n.metrics.Shutdown(context.Background()) // want `shutdown`
		return err
	}
	return nil
}

// Nobody waits for it: Serve has returned, and the process ends.
func (n *node) signalBad(srv *http.Server, signals <-chan struct{}) error {
	go func() {
		<-signals
		srv.Shutdown(context.Background()) // want `shutdown`
	}()
	return srv.ListenAndServe()
}

func goShutdownBad(srv *http.Server, stop <-chan struct{}) {
	<-stop
	go srv.Shutdown(context.Background()) // want `shutdown`
}

// A request takes as long as its limits say.
func boundedRequestsBad(ctx context.Context, l net.Listener) error {
	srv := &http.Server{ReadTimeout: time.Second, WriteTimeout: time.Second}
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		<-ctx.Done()
		srv.Shutdown(context.Background()) // want `shutdown`
	}()
	err := srv.Serve(l)
	<-stopped
	return err
}

// A command line talks to its daemon.
type ControlClient struct{ base string }

func (c *ControlClient) Status() (string, error) {
	return fetch(context.Background(), c.base+"/status") // want `ctx-none`
}

// The requests of the server end by themselves; a literal captures it.
func capturedShutdownBad(l net.Listener, stop <-chan struct{}, served chan<- error) {
	srv := http.Server{ReadTimeout: time.Second, WriteTimeout: time.Second}
	go func() { served <- srv.Serve(l) }()
	<-stop
	srv.Shutdown(context.Background()) // want `shutdown`
}
