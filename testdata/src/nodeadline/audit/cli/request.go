// Package cli is the client of a command line: who runs it can interrupt it.
package cli

import "net/http"

// Request asks a server.
func Request(url string) (*http.Response, error) {
	return http.Get(url) // want `http-client`
}
