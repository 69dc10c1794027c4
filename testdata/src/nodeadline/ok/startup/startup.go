// Package startup changes the default client before anybody uses it.
package startup

import (
	"net/http"
	"time"
)

func init() { http.DefaultClient.Timeout = 10 * time.Second }

func getOk(url string) (*http.Response, error) { return http.Get(url) }

func doOk(req *http.Request) (*http.Response, error) {
	r, err := http.NewRequest("GET", "http://peer", nil)
	if err != nil {
		return nil, err
	}
	return http.DefaultClient.Do(r)
}
