// Command command waits only while it starts, and then serves.
package main

import (
	"context"
	"log"
	"net/http"
	"os/exec"
)

func main() {
	if err := load("http://peer/config"); err != nil {
		log.Fatal(err)
	}
	if err := exec.Command(name()).Run(); err != nil { // want `exec`
		log.Fatal(err)
	}
}

func name() string { return "x" }

// Only main calls it.
func load(url string) error {
	resp, err := http.Get(url) // want `http-client`
	if err != nil {
		return err
	}
	return ready(context.Background(), resp)
}

func ready(_ context.Context, resp *http.Response) error { return resp.Body.Close() }
