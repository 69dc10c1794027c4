package bad

import (
	"net/http"
	"os"
	"regexp"
	"sync"
)

//concvet:latency every frame
func drawBad(name string) bool {
	data, err := os.ReadFile(name) // want `^file access \(os\.ReadFile\) in code that must not wait \(//concvet:latency\) \[blockinloop/latency\]$`
	if err != nil {
		return false
	}
	return match(data)
}

func match(data []byte) bool { return len(data) > 0 }

//concvet:latency
func callBad(c *http.Client, slots chan struct{}, wg *sync.WaitGroup) {
	report(c) // want `an outbound call \(\(\*http\.Client\)\.Get via report\) in code that must not wait`
	wg.Wait() // want `a wait for other goroutines .* in code that must not wait`
}

func report(c *http.Client) { c.Get("http://peer.example/") }

func markedLoopBad(frames <-chan int, names []string, log chan<- int) {
	for _, name := range names {
		os.Remove(name)
	}
	//concvet:latency audio thread
	for f := range frames {
		log <- f                          // want `a send \(send on log\) in code that must not wait`
		os.WriteFile("frame", nil, 0o600) // want `file access .* in code that must not wait`
	}
	<-log2
}

var log2 chan int

var _ = regexp.MustCompile
