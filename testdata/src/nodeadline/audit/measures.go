package audit

import (
	"context"
	"net"
	"net/http"
	_ "net/http/pprof"
	"time"
)

const measurements = "/metrics"

// What its operators ask a server takes moments, and so does its shutdown.
func serveMeasurementsBad(ctx context.Context, l net.Listener, h http.Handler) error {
	mux := http.NewServeMux()
	mux.Handle(measurements, h)
	mux.Handle("/healthz", h)
	srv := http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() {
		_ = srv.Serve(l)
	}()
	<-ctx.Done()
	return srv.Shutdown(context.Background()) // want `shutdown`
}

// An operator turns it on for a while.
func (o *options) profileBad() {
	if o.profile {
		go func() {
			_ = http.ListenAndServe(":6060", nil) // want `http-server`
		}()
	}
}

type options struct{ profile bool }

// The mux that all share has the profiles, too, since somebody imports them.
func sharedMuxBad(addr string, h http.Handler) error {
	http.Handle(measurements, h)
	return http.ListenAndServe(addr, nil) // want `http-server`
}
