// Package literal sets timeouts where clients, servers and dialers are made.
package literal

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"net"
	"net/http"
	"time"
)

var poll = time.Minute

func serverGood(h http.Handler) error {
	srv := &http.Server{Addr: ":8080", Handler: h}
	return srv.ListenAndServe() // want `http-server`
}

func linesGood(h http.Handler) error {
	srv := &http.Server{
		Addr:    ":8080",
		Handler: h, // all of it
	}
	return srv.ListenAndServe() // want `http-server`
}

func emptyGood(l net.Listener) error {
	srv := http.Server{}
	return srv.Serve(l) // want `http-server`
}

// The literal is made by another function.
type daemon struct{ srv *http.Server }

func newDaemon(h http.Handler) *daemon { return &daemon{srv: &http.Server{Handler: h}} }

func (d *daemon) runGood(l net.Listener) error {
	return d.srv.Serve(l) // want `http-server`
}

func clientJudge(url string) (*http.Response, error) {
	c := &http.Client{}
	return c.Get(url) // want `http-client`
}

func transportJudge(url string) (*http.Response, error) {
	c := &http.Client{
		Transport: &http.Transport{MaxIdleConns: 4},
	}
	return c.Get(url) // want `http-client`
}

func getJudge(url string) (*http.Response, error) {
	return http.Get(url) // want `http-client`
}

func dialGood(addr string) (net.Conn, error) {
	return net.Dial("tcp", addr) // want `dial`
}

func dialerGood(addr string) (net.Conn, error) {
	d := net.Dialer{KeepAlive: poll}
	return d.Dial("tcp", addr) // want `dial`
}

func tlsGood(addr string) (*tls.Conn, error) {
	return tls.Dial("tcp", addr, nil) // want `dial`
}

func readJudge(addr string) (byte, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	b := make([]byte, 1)
	_, err = c.Read(b) // want `conn-io`
	return b[0], err
}

// Nothing but the one answer follows.
func acceptedJudge(ln net.Listener) error {
	c, err := ln.Accept()
	if err != nil {
		return err
	}
	defer c.Close()
	b := make([]byte, 1)
	_, err = c.Read(b) // want `conn-io`
	if err == nil {
		_, err = c.Write(b)
	}
	return err
}

// The connection is behind a reader.
func lineJudge(addr string) (string, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return "", err
	}
	defer c.Close()
	return bufio.NewReader(c).ReadString('\n') // want `conn-io`
}

func decodeJudge(addr string, v any) error {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	dec := json.NewDecoder(bufio.NewReader(c))
	return dec.Decode(v) // want `conn-io`
}

// The helper closes it, and each turn has its own.
func ask(c net.Conn) []byte {
	defer c.Close()
	b := make([]byte, 16)
	n, _ := c.Read(b)
	return b[:n]
}

func turnsJudge(addrs []string, got func([]byte)) {
	for _, addr := range addrs {
		c, err := net.DialTimeout("tcp", addr, time.Second)
		if err != nil {
			continue
		}
		got(ask(c)) // want `conn-io`
	}
}
