package ok

import (
	"net/http"
	"os"
	"time"
)

//concvet:latency every frame
func drawOk(frame int, log chan<- int) int {
	select {
	case log <- frame:
	default:
	}
	go report(frame)
	return frame + 1
}

func report(int) { http.Get("http://peer.example/") }

// Only the loop is marked.
func loopOk(frames <-chan int, name string) {
	os.Remove(name)
	//concvet:latency
	for {
		select {
		case <-frames:
		default:
			return
		}
	}
}

//concvet:latency
func shortWaitOk() { time.Sleep(time.Millisecond) }
