package ok

import (
	"context"
	"net"
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

// While it connects again there is nothing to serve.
type tap struct {
	dial func() (net.Conn, error)
	in   chan string
}

func (t *tap) redial(ctx context.Context) (in <-chan string, lost <-chan error, err error) {
	c, err := net.Dial("tcp", "peer.example:5672")
	if err != nil {
		return nil, nil, err
	}
	return read(c), nil, nil
}

func read(net.Conn) <-chan string { return nil }

func (t *tap) runOk(ctx context.Context, work func(string)) error {
	in, lost, err := t.redial(ctx)
	for err == nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case m := <-in:
			work(m)
		case <-lost:
			in, lost, err = t.redial(ctx)
		}
	}
	return err
}

// With true for an argument nothing is sent.
type zombies struct {
	found   chan string
	reports chan int
	dead    []string
}

func (z *zombies) runOk(tick *time.Ticker) {
	n := 0
	for {
		select {
		case name := <-z.found:
			z.dead = append(z.dead, name)
		case i := <-z.reports:
			n += i
		case <-tick.C:
			for _, name := range z.dead {
				z.remove(name, true)
			}
		}
	}
}

func (z *zombies) remove(name string, purge bool) {
	if !purge && name != "" {
		time.Sleep(time.Second)
		return
	}
	println(name)
}

// It accepts one at a time, and leaves what depends on the peer to the reader.
type quietListener struct {
	net.Listener
	allowed func(net.Addr) bool
}

func (l quietListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil || l.allowed(c.RemoteAddr()) {
			return c, err
		}
		c.Close()
	}
}
