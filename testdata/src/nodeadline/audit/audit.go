// Package audit has what is worth reading in a review: a maintainer may well
// leave it.
package audit

import (
	"context"
	"crypto/tls"
	"database/sql"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

func query(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, "delete from t")
	return err
}

func prune(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, "delete from old")
	return err
}

// Somebody can cancel it, nobody has to.
func cancelBad(db *sql.DB) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	return query(ctx, db) // want `a context without a deadline reaches \(\*sql\.DB\)\.ExecContext via query: only a cancel ends the wait \[nodeadline/ctx-none\]`
}

func signalBad(db *sql.DB) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return query(ctx, db) // want `ctx-none`
}

// The group is cancelled by its first error.
func groupBad(db *sql.DB) error {
	g, ctx := errgroup.WithContext(context.Background())
	g.Go(func() error {
		return query(ctx, db) // want `ctx-none`
	})
	return g.Wait()
}

func groupOk(ctx context.Context, db *sql.DB) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return query(ctx, db) })
	return g.Wait()
}

// Something else cancels it when the parent ends.
func afterFuncBad(parent context.Context, db *sql.DB) error {
	ctx, cancel := context.WithCancel(context.WithoutCancel(parent))
	defer cancel()
	stop := context.AfterFunc(parent, cancel)
	defer stop()
	return prune(ctx, db) // want `ctx-none`
}

// The cancel is in the helper.
func cancellable(ctx context.Context, db *sql.DB) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return prune(ctx, db)
}

func helperBad(db *sql.DB) error {
	return cancellable(context.Background(), db) // want `only a cancel ends the wait`
}

func requestBad(url string) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req) // want `only ends when somebody cancels it.*http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// The whole line is constant: it does the same every time.
func constantBad() ([]byte, error) {
	return exec.Command("git", "rev-parse", "HEAD").Output() // want `exec`
}

func constantScriptBad() error {
	return exec.Command("sh", "-c", "uname -a").Run() // want `exec`
}

// A person sits before it.
func editorBad(editor, file string) error {
	cmd := exec.Command(editor, file)
	cmd.Stdin, cmd.Stdout = os.Stdin, os.Stdout
	return cmd.Run() // want `exec`
}

// So does one who is asked by a program that a closure waits for.
func capturedBad(editor, file string, background bool) error {
	cmd := exec.Command(editor, file)
	cmd.Stdin, cmd.Stdout = os.Stdin, os.Stdout
	if background {
		defer func() { go func() { _ = cmd.Wait() }() }()
		return cmd.Start()
	}
	return cmd.Run() // want `exec`
}

// The operator has written the whole line, and knows how long it takes.
type hook struct{ line string }

func (h *hook) runBad() ([]byte, error) {
	words := strings.Split(h.line, " ")
	return exec.Command(words[0], words[1:]...).Output() // want `exec`
}

// The desktop shows it to who sits there.
func openBrowserBad(url string) error {
	args := []string{"xdg-open"}
	if os.Getenv("OS") != "" {
		args = []string{"cmd", "/c", "start"}
	}
	return exec.Command(args[0], append(args[1:], url)...).Run() // want `exec`
}

// It is started and left running.
func waitBad(name string) error {
	cmd := exec.Command(name)
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Wait() // want `exec`
}

func localServerBad() error {
	return http.ListenAndServe("localhost:6060", nil) // want `http-server`
}

// Nobody else can connect to the listener.
func loopbackBad(h http.Handler) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	srv := &http.Server{Handler: h}
	return srv.Serve(l) // want `http-server`
}

func localPeerBad() (*http.Response, error) {
	return http.Get("http://localhost:9090/metrics") // want `http-client`
}

// The peer says what it has to say when it has something to say.
func followBad(addr string, line func(byte)) error {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	b := make([]byte, 1)
	for {
		if _, err := c.Read(b); err != nil { // want `conn-io`
			return err
		}
		line(b[0])
	}
}

// It takes as long as the table is large.
func vacuumBad(ctx context.Context, db *sql.DB) error {
	_, err := db.Exec("VACUUM ANALYZE") // want `sql`
	return err
}

func init() {
	if resp, err := http.Get("http://peer/config"); err == nil { // want `http-client`
		resp.Body.Close()
	}
}

// Local work of a command that can do other work, too.
func gitLog(args ...string) ([]byte, error) {
	return exec.Command("git", append([]string{"log"}, args...)...).Output() // want `exec`
}

func logBad(file string) ([]byte, error) { return gitLog("--", file) }

func revisionBad(dir, ref string) ([]byte, error) {
	return exec.Command("git", "-C", dir, "rev-parse", ref).Output() // want `exec`
}

// A process that is kept, and stopped by others.
type child struct{ cmd *exec.Cmd }

func (c *child) keepBad(name string) error {
	cmd := exec.Command(name)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	c.cmd = cmd
	io.Copy(io.Discard, out)
	return cmd.Wait() // want `exec`
}

// It is started again when it ends.
func superviseBad(name string) {
	for {
		cmd := exec.Command(name)
		out, err := cmd.StdoutPipe()
		if err != nil || cmd.Start() != nil {
			return
		}
		io.Copy(io.Discard, out)
		cmd.Wait() // want `exec`
	}
}

// The peer is on this machine.
func socketBad(l string) error {
	ln, err := net.Listen("unix", l)
	if err != nil {
		return err
	}
	c, err := ln.Accept()
	if err != nil {
		return err
	}
	_, err = c.Read(make([]byte, 1)) // want `conn-io`
	return err
}

// The handshake ends when somebody cancels it.
func cancelledHandshakeBad(ln net.Listener, conf *tls.Config) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c, err := ln.Accept()
	if err != nil {
		return err
	}
	return tls.Server(c, conf).HandshakeContext(ctx) // want `conn-io`
}

// A command without a constructor, that does the same every time.
func literalBad() error {
	cmd := &exec.Cmd{Path: "/usr/bin/uptime", Args: []string{"uptime"}}
	return cmd.Run() // want `exec`
}

func literalLogBad(dir string) ([]byte, error) {
	cmd := exec.Cmd{Path: "/usr/bin/git", Args: []string{"git", "log"}, Dir: dir}
	return cmd.Output() // want `exec`
}
