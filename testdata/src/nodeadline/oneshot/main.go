// Command oneshot is package main, and still has what outlives its start.
package main

import (
	"context"
	"net/http"
	"os"
	"os/signal"
)

func main() {
	http.HandleFunc("/", handleBad)
	go refreshBad("http://peer")
	srv := &http.Server{Addr: ":8080"}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	idle := make(chan struct{})
	go func() {
		<-stop
		srv.Shutdown(context.Background()) // want `shutdown`
		close(idle)
	}()
	srv.ListenAndServe() // want `http-server`
	<-idle
}

// A handler runs as long as the service.
func handleBad(w http.ResponseWriter, r *http.Request) {
	if resp, err := http.Get("http://peer" + r.URL.Path); err == nil { // want `http-client`
		resp.Body.Close()
	}
}

// So does a goroutine.
func refreshBad(url string) {
	if resp, err := http.Get(url); err == nil { // want `http-client`
		resp.Body.Close()
	}
}
