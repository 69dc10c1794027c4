package ok

import (
	"context"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// The process that the loop waits for is one of its sources.
func monitorOk(signals, restarts <-chan syscall.Signal, command func() *exec.Cmd) {
	for {
		cmd := command()
		if cmd.Start() != nil {
			return
		}
		exit := make(chan error)
		go func() { exit <- cmd.Wait() }()
		select {
		case s := <-signals:
			cmd.Process.Signal(s)
			<-exit
			return
		case s := <-restarts:
			cmd.Process.Signal(s)
			<-exit
		case <-exit:
		}
	}
}

// What has just been cancelled has ended.
type stream struct {
	ctx    context.Context
	cancel context.CancelFunc
}

type registry struct {
	mu      sync.Mutex
	streams map[*stream]bool
}

func (r *registry) watchOk(stop <-chan struct{}, every time.Duration, lost func() bool) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(every):
			if !lost() {
				continue
			}
			for s := range r.streams {
				s.cancel()
				<-s.ctx.Done()
			}
		}
	}
}
