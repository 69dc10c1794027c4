package ok

import (
	"net/http"
	"sync"
	"time"
)

// Kept, so that there is one for each key, or the next one stops it.

type debounce struct {
	mu    sync.Mutex
	timer *time.Timer
	by    map[string]*time.Timer
}

func (d *debounce) runOk(in <-chan string) {
	for url := range in {
		d.mu.Lock()
		if d.timer != nil {
			d.timer.Stop()
		}
		d.timer = time.AfterFunc(time.Second, func() { http.Get(url) })
		d.mu.Unlock()
	}
}

func (d *debounce) perKeyOk(in <-chan string) {
	for url := range in {
		d.mu.Lock()
		if t := d.by[url]; t != nil {
			t.Reset(time.Second)
		} else {
			d.by[url] = time.AfterFunc(time.Second, func() { http.Get(url) })
		}
		d.mu.Unlock()
	}
}

// Stopped at the end of the round.
func (d *debounce) watchdogOk(in <-chan string) {
	for url := range in {
		t := time.AfterFunc(time.Minute, func() { http.Get("https://alarm.example/" + url) })
		http.Get(url)
		t.Stop()
	}
}

// A list that is known beforehand, and what takes no time.

func scheduleOk(urls []string) {
	for i, url := range urls {
		time.AfterFunc(time.Duration(i)*time.Second, func() { http.Get(url) })
	}
}

func forgetOk(in <-chan string, seen *sync.Map) {
	for url := range in {
		time.AfterFunc(time.Minute, func() { seen.Delete(url) })
	}
}

// What it puts back is taken by the same loop.
func requeueOk(in chan string) {
	for s := range in {
		time.AfterFunc(time.Second, func() { in <- s })
	}
}
