package facts

import (
	"context"
	"net/http"
	"time"
)

func Endless() context.Context { return context.Background() } // want Endless:`^ends\(r0 never\)$`

func Short() (context.Context, context.CancelFunc) { // want Short:`^ends\(r0 deadline 1s\)$`
	return context.WithTimeout(context.Background(), time.Second)
}

func Passed(name string, ctx context.Context) context.Context { // want Passed:`^ends\(r0 as p1\)$`
	return context.WithValue(ctx, "k", name)
}

func Cancelled() (context.Context, context.CancelFunc) { // want Cancelled:`^ends\(r0 cancel\)$`
	return context.WithCancel(context.Background())
}

func NewClient() *http.Client { return &http.Client{} } // want NewClient:`^ends\(r0 never\)$`

func NewLimited() *http.Client { return &http.Client{Timeout: time.Minute} } // want NewLimited:`^ends\(r0 deadline 1m0s\)$`

func Either(short bool) *http.Client { // nothing that is true of both
	if short {
		return &http.Client{Timeout: time.Second}
	}
	return &http.Client{}
}

func Do(ctx context.Context, url string) error { // want Do:`^blocks\(net ctx=p0\)$`
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return err
	}
	_, err = http.DefaultClient.Do(req)
	return err
}

func Limited(ctx context.Context, url string) error { // want Limited:`^blocks\(net <=1m0s\)$`
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return err
	}
	_, err = NewLimited().Do(req)
	return err
}
