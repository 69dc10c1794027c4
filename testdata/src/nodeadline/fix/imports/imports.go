// Package imports has to import what the fixes need.
package imports

import (
	"net/http"
)

func serverGood(h http.Handler) error {
	srv := &http.Server{Handler: h}
	return srv.ListenAndServe() // want `http-server`
}

func otherGood(h http.Handler) error {
	srv := &http.Server{Handler: h}
	return srv.ListenAndServe() // want `http-server`
}
