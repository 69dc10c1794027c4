package bad

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/rpc"
	"net/rpc/jsonrpc"
	"net/smtp"
	"time"
)

func dialBad(addr string) (net.Conn, error) {
	return net.Dial("tcp", addr) // want `net\.Dial has no deadline.*\[nodeadline/dial\]`
}

func dialerBad(ctx context.Context, addr string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(context.WithoutCancel(ctx), "tcp", addr) // want `\(\*net\.Dialer\)\.DialContext has no deadline.*dial`
}

func keepAliveBad(addr string) (net.Conn, error) {
	d := &net.Dialer{KeepAlive: time.Minute}
	return d.Dial("tcp", addr) // want `dial`
}

func zeroBad(addr string) (net.Conn, error) {
	return net.DialTimeout("tcp", addr, 0) // want `dial`
}

func tlsBad(addr string) (*tls.Conn, error) {
	return tls.Dial("tcp", addr, &tls.Config{}) // want `tls\.Dial has no deadline.*dial`
}

func tlsDialerBad(addr string) (*tls.Conn, error) {
	return tls.DialWithDialer(new(net.Dialer), "tcp", addr, nil) // want `dial`
}

func mailBad(addr string, msg []byte) error {
	return smtp.SendMail(addr, nil, "from", []string{"to"}, msg) // want `smtp\.SendMail has no deadline.*dial`
}

func rpcDialBad(addr string) (*rpc.Client, error) {
	return rpc.DialHTTP("tcp", addr) // want `dial`
}

func rpcCallBad(c *rpc.Client) error {
	return c.Call("Service.Method", 1, nil) // want `\(\*rpc\.Client\)\.Call has neither a context nor a timeout.*\[nodeadline/rpc\]`
}

// A dial function in a field, with nothing behind it.
type link struct {
	dial func(network, addr string) (net.Conn, error)
}

func newLink() *link { return &link{dial: net.Dial} }

func (l *link) openBad(addr string) (net.Conn, error) {
	return l.dial("tcp", addr) // want `dial`
}

func jsonDialBad(addr string) (*rpc.Client, error) {
	return jsonrpc.Dial("tcp", addr) // want `dial`
}

// The method is in a field, and of which client is not to be seen.
type caller struct {
	call func(method string, args, reply any) error
}

func newCaller(c *rpc.Client) *caller { return &caller{call: c.Call} }

func (c *caller) askBad() error {
	return c.call("Service.Method", 1, nil) // want `rpc`
}

var plain net.Dialer

func packageDialerBad(addr string) (net.Conn, error) {
	return plain.Dial("tcp", addr) // want `dial`
}

// The connection attempt has a limit, the greeting has none.
func greetingBad(addr string) (string, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return "", err
	}
	defer c.Close()
	return bufio.NewReader(c).ReadString('\n') // want `conn-io`
}

func readBad(addr string) error {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Read(make([]byte, 1)) // want `\(net\.Conn\)\.Read waits on a fresh connection that has no deadline.*\[nodeadline/conn-io\]`
	return err
}

func handshakeBad(addr string, conf *tls.Config) (net.Conn, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	t := tls.Client(c, conf)
	if err := t.Handshake(); err != nil { // want `Handshake waits on a fresh connection.*conn-io`
		c.Close()
		return nil, err
	}
	return t, nil
}

// The connection is read by a helper.
func hello(c net.Conn) ([]byte, error) {
	b := make([]byte, 16)
	_, err := io.ReadFull(c, b)
	return b, err
}

func helperBad(addr string) ([]byte, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return hello(c) // want `io\.ReadFull via hello waits on a fresh connection.*conn-io`
}

// The connection comes from a constructor.
func connect(addr string) (net.Conn, error) { return net.DialTimeout("tcp", addr, time.Second) }

func connectedBad(addr string) ([]byte, error) {
	c, err := connect(addr)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return hello(c) // want `conn-io`
}
