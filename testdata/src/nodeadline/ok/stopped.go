package ok

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/rpc"
	"os/exec"
	"syscall"
	"time"
)

// The timeout of the dialer holds for the handshake, too.
func tlsDialerOk(addr string) (net.Conn, error) {
	d := tls.Dialer{NetDialer: &net.Dialer{Timeout: time.Second}}
	return d.DialContext(context.Background(), "tcp", addr)
}

// The client is closed when it takes too long.
func closedClientOk(c *rpc.Client, arg any) error {
	done := make(chan error, 1)
	go func() { done <- c.Call("Service.Method", arg, nil) }()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Second):
		c.Close()
		return context.DeadlineExceeded
	}
}

// The group of the process is killed.
func groupKilledOk(tool string) error {
	cmd := exec.Command(tool)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	t := time.AfterFunc(time.Minute, func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	defer t.Stop()
	io.Copy(io.Discard, out)
	return cmd.Wait()
}

// An accepted connection is copied until its end, after a handshake in time.
func sinkOk(ln net.Listener, conf *tls.Config) error {
	c, err := ln.Accept()
	if err != nil {
		return err
	}
	c.SetDeadline(time.Now().Add(time.Second))
	t := tls.Server(c, conf)
	if err := t.Handshake(); err != nil {
		return err
	}
	c.SetDeadline(time.Time{})
	_, err = io.Copy(io.Discard, t)
	return err
}
