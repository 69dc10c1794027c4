// Command infra runs on the project's own machines only.
package main

import "net/http"

func main() {
	go serveMetrics(":9100", http.NotFoundHandler())
	select {}
}

func serveMetrics(addr string, metrics http.Handler) {
	mux := http.NewServeMux()
	mux.Handle("/metrics", metrics)
	http.ListenAndServe(addr, mux) // want `http-server`
}
