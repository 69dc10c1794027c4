package bad

import (
	"net/http"
	"time"
)

// A loop appends: the list is as long as what is given.
func wanted(names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, "http://"+n)
	}
	return out
}

func AskBad(names []string) {
	for _, url := range wanted(names) {
		go func() { http.Get(url) }() // want `a goroutine is started for every element of .* and nothing limits how many`
	}
}

// When nothing is there it only waits a little.
func PollBad(in <-chan string) {
	for {
		select {
		case url := <-in:
			go http.Get(url) // want `a goroutine is started for every value that is received from in`
		default:
			time.Sleep(time.Millisecond)
		}
	}
}
