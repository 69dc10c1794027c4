// Package server has servers that the functions of the package make.
package server

import (
	"net"
	"net/http"
	"time"
)

const drain = 5 * time.Second

func listenGood(h http.Handler) error {
	return http.ListenAndServe(":8080", h) // want `http-server`
}

func defaultGood(addr string) error {
	return http.ListenAndServe(addr, nil) // want `http-server`
}

func tlsGood(cert, key string, h http.Handler) error {
	return http.ListenAndServeTLS(":8443", cert, key, h) // want `http-server`
}

func serveGood(l net.Listener, mux *http.ServeMux) error {
	if err := http.Serve(l, mux); err != nil { // want `http-server`
		return err
	}
	return nil
}

func serveTLSGood(l net.Listener, h http.Handler) {
	go http.ServeTLS(l, h, "cert", "key") // want `http-server`
}
