// Package refuse has what is left to the reader.
package refuse

import (
	"context"
	"net/http"
	"os/exec"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

func get(url string) error {
	resp, err := http.Get(url)
	if err == nil {
		resp.Body.Close()
	}
	return err
}

// A task starts another one in the same group: it would wait for its own place.
func nestedRefuse(urls []string) error {
	var g errgroup.Group
	for _, url := range urls {
		g.Go(func() error { // want `has no limit`
			g.Go(func() error { return get(url + "/info") })
			return get(url)
		})
	}
	return g.Wait()
}

// The buffer is filled again while the goroutine would still wait for its call.
func bufferRefuse(r interface{ Read([]byte) (int, error) }, in <-chan int) {
	buf := make([]byte, 512)
	url := ""
	for n := range in {
		r.Read(buf[:n])
		url = string(buf[:n])
		go get(url) // want `go-per-item`
	}
}

// The name is taken.
func nameRefuse(in <-chan string) {
	slots := 0
	for url := range in {
		slots++
		go get(url) // want `go-per-item`
	}
	_ = slots
}

// A lock is held where the loop would wait.
func lockedRefuse(mu *sync.Mutex, urls []string) {
	mu.Lock()
	defer mu.Unlock()
	for _, url := range urls {
		go get(url) // want `go-per-item`
	}
}

// What happens when the slot cannot be had is not the loop's business.
func conditionalRefuse(ctx context.Context, in <-chan string) {
	sem := semaphore.NewWeighted(8)
	for url := range in {
		go func() { // want `late-acquire`
			if err := sem.Acquire(ctx, 1); err != nil {
				return
			}
			defer sem.Release(1)
			get(url)
		}()
	}
}

// A handler must not wait.
func handlerRefuse(w http.ResponseWriter, r *http.Request) {
	go exec.Command("convert", r.FormValue("name")).Run() // want `go-per-item`
}

// What to do when it is full is for somebody to decide.
type queue struct {
	mu    sync.Mutex
	items []string
}

func (q *queue) pushRefuse(s string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, s) // want `slice-queue`
}

func (q *queue) pop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = q.items[1:]
}

// They send what they have found on a channel that is read after the loop: it
// would wait for them, and they for it.
func answersRefuse(urls []string) (n int) {
	found := make(chan int)
	for _, url := range urls {
		go func() { // want `go-per-item`
			get(url)
			found <- len(url)
		}()
	}
	for range urls {
		n += <-found
	}
	return n
}
