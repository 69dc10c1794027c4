package bad

import (
	"net/http"
	"time"
)

// Each of them waits with all that it holds, and then they all run.

func laterBad(in <-chan string) {
	for url := range in {
		time.AfterFunc(time.Minute, func() { http.Get(url) }) // want `a timer is set for every value that is received from in, and its function runs in a goroutine of its own: nothing limits how many wait or run at once: each makes an outbound call .*go-per-item`
	}
}

type retries struct{ client http.Client }

func (r *retries) handleBad(in <-chan string) {
	for url := range in {
		if _, err := r.client.Get(url); err != nil {
			r.again(url) // want `a timer is set for every value that is received from in \(time\.AfterFunc via \(\*retries\)\.again\).*go-per-item`
		}
	}
}

func (r *retries) again(url string) {
	time.AfterFunc(10*time.Second, func() { r.client.Get(url) })
}
