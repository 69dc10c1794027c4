// Command infra runs on the project's own machines only.
package main

import "net/http"

func main() {
	mux := http.NewServeMux()
	mux.Handle("/metrics", http.NotFoundHandler())
	go func() {
		http.ListenAndServe(":9100", mux) // want `http-server`
	}()
	serveMetrics(":9101", http.NotFoundHandler())
}

func serveMetrics(addr string, metrics http.Handler) {
	mux := http.NewServeMux()
	mux.Handle("/metrics", metrics)
	http.ListenAndServe(addr, mux) // want `http-server`
}
