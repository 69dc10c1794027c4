// Package demo shows something: nothing depends on what waits in it.
package demo

import (
	"net/http"
	"os/exec"
)

func Serve(h http.Handler) error {
	return http.ListenAndServe(":8080", h) // want `http-server`
}

func Run(script string) error {
	return exec.Command("sh", "-c", script).Run() // want `exec`
}

func Get(url string) (*http.Response, error) {
	return http.Get(url) // want `http-client`
}
