// Package dep waits for others.
package dep

import (
	"net/http"
	"time"
)

// Fetch asks a peer.
func Fetch(url string) string {
	resp, err := http.Get(url)
	if err != nil {
		return ""
	}
	defer resp.Body.Close()
	return resp.Status
}

// Pause waits.
func Pause() { time.Sleep(time.Second) }

// Publish hands a value to every subscriber.
func Publish(subs map[string]chan int, v int) {
	for _, ch := range subs {
		ch <- v
	}
}

// Quick does nothing that takes long.
func Quick() { time.Sleep(time.Millisecond) }
