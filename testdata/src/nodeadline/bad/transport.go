package bad

import (
	"context"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"time"
)

// The dial has no limit, and nobody waits for its method value in this package:
// the client does, for the answer as well.
func dialContextBad(url string) (*http.Response, error) {
	d := &net.Dialer{KeepAlive: time.Minute}
	t := &http.Transport{}
	t.DialContext = d.DialContext
	c := &http.Client{Transport: t}
	return c.Get(url) // want `http-client`
}

// A method value of a dialer is the dialer's.
type connector struct {
	dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

func newConnector() *connector {
	d := &net.Dialer{KeepAlive: time.Minute}
	return &connector{dial: d.DialContext}
}

func (c *connector) openBad(addr string) (net.Conn, error) {
	return c.dial(context.Background(), "tcp", addr) // want `dial`
}

// The dialer is a field itself.
type holder struct {
	dialer net.Dialer
	dial   func(network, addr string) (net.Conn, error)
}

func newHolder() *holder {
	h := &holder{}
	h.dial = h.dialer.Dial
	return h
}

func (h *holder) openBad(addr string) (net.Conn, error) {
	return h.dial("tcp", addr) // want `dial`
}

// The wrapper adds a header, no limit.
type headers struct {
	base http.RoundTripper
	name string
}

func (h *headers) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("User-Agent", h.name)
	return h.base.RoundTrip(req)
}

func wrappedBad(url string) (*http.Response, error) {
	c := &http.Client{Transport: &headers{base: http.DefaultTransport, name: "x"}}
	return c.Get(url) // want `http-client`
}

// Two of them, and the client in a field.
type logging struct{ next http.RoundTripper }

func (l logging) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := l.next.RoundTrip(req)
	log.Println(req.URL, err)
	return resp, err
}

type remoteAPI struct{ client *http.Client }

func newRemoteAPI() *remoteAPI {
	return &remoteAPI{client: &http.Client{Transport: logging{&headers{base: &http.Transport{}}}}}
}

func (a *remoteAPI) getBad(url string) (*http.Response, error) {
	return a.client.Get(url) // want `http-client`
}

// A function that is a transport.
type tripFunc func(*http.Request) (*http.Response, error)

func (f tripFunc) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func funcBad(url, token string) (*http.Response, error) {
	c := http.Client{Transport: tripFunc(func(req *http.Request) (*http.Response, error) {
		req.Header.Set("Authorization", token)
		return http.DefaultTransport.RoundTrip(req)
	})}
	return c.Get(url) // want `http-client`
}

// A command without a constructor.
func literalBad(path string, args []string) error {
	cmd := &exec.Cmd{Path: path, Args: args}
	return cmd.Run() // want `exec`
}

func literalOutputBad(path string) ([]byte, error) {
	cmd := exec.Cmd{Path: path}
	return cmd.CombinedOutput() // want `exec`
}

func literalWaitBad(path string) error {
	cmd := &exec.Cmd{Path: path}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	out.Read(make([]byte, 1))
	return cmd.Wait() // want `exec`
}

func deferShutdownBad(srv *http.Server, l net.Listener) {
	defer srv.Shutdown(context.Background()) // want `shutdown`
	l.Close()
}

// The context is that of the signal handler.
func handlerShutdownBad(srv *http.Server, wg *sync.WaitGroup) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, os.Interrupt)
	ctx := context.Background()
	wg.Add(1)
	go func() {
		defer wg.Done()
		for range ch {
			if err := srv.Shutdown(ctx); err != nil { // want `shutdown`
				log.Print(err)
			}
		}
	}()
}

// The arguments of a literal begin with the name.
func literalPullBad(dir, url string) error {
	cmd := exec.Cmd{Path: "/usr/bin/git", Args: []string{"git", "pull", url}, Dir: dir}
	return cmd.Run() // want `exec`
}

// The transport stands in unless there is another one.
type authorized struct {
	Base  http.RoundTripper
	token string
}

func (a *authorized) transport() http.RoundTripper {
	if a.Base != nil {
		return a.Base
	}
	return http.DefaultTransport
}

func (a *authorized) RoundTrip(req *http.Request) (*http.Response, error) {
	clone := req.Clone(req.Context())
	clone.Header.Set("Authorization", a.token)
	return a.send(clone)
}

func (a *authorized) send(req *http.Request) (*http.Response, error) {
	return a.transport().RoundTrip(req)
}

func authorizedBad(url, token string) (*http.Response, error) {
	return (&http.Client{Transport: &authorized{token: token}}).Get(url) // want `http-client`
}

// A constructor makes the wrapper, the struct embeds what it wraps.
type embedded struct {
	http.RoundTripper
	name string
}

func wrap(rt http.RoundTripper) http.RoundTripper { return &embedded{RoundTripper: rt} }

func constructedBad(url string) (*http.Response, error) {
	c := &http.Client{Transport: wrap(new(http.Transport))}
	return c.Get(url) // want `http-client`
}

// The transport itself is asked.
func tripBad() (*http.Response, error) {
	req, err := http.NewRequest("GET", "http://peer", nil)
	if err != nil {
		return nil, err
	}
	return http.DefaultTransport.RoundTrip(req) // want `http-client`
}

// The context of a request is that with which it was made.
func contextOfBad(url string) error {
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return err
	}
	return fetchWith(req.Context(), url) // want `ctx-none`
}

func fetchWith(ctx context.Context, url string) error {
	_, err := fetch(ctx, url)
	return err
}
