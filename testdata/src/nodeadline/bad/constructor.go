package bad

import "net/http"

type api struct{ client *http.Client }

func newAPI() *api {
	return &api{client: &http.Client{CheckRedirect: refuse}}
}

func refuse(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
