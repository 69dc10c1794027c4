package audit

import (
	"context"
	"database/sql"
	"net"
	"net/http"
	"os/exec"
	"strings"

	"golang.org/x/sync/semaphore"
)

// It is only asked whether it is there, at the start.
func openBad(dsn string) (*sql.DB, error) {
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		return nil, err
	}
	return db, db.PingContext(context.Background()) // want `ctx-none`
}

// Slots come when the other tasks of the function are done, and nobody has a
// context.
func backPressureBad(jobs <-chan func()) {
	sem := semaphore.NewWeighted(8)
	for job := range jobs {
		if err := sem.Acquire(context.Background(), 1); err != nil { // want `ctx-none`
			return
		}
		go func() {
			defer sem.Release(1)
			job()
		}()
	}
}

// In which network is configured: a socket, maybe.
type endpoint struct{ network, address string }

func (e *endpoint) dialBad() (net.Conn, error) {
	return net.Dial(e.network, e.address) // want `dial`
}

// A helper that all its callers ask for the same short things.
func output(name string, args ...string) string {
	out, _ := exec.Command(name, args...).Output() // want `exec`
	return string(out)
}

func kernelBad() string  { return output("uname", "-r") }
func productBad() string { return output("sw_vers", "-productName") }

// A tool is asked for its version.
func versionBad(tool string) ([]byte, error) {
	return exec.Command(tool, "-version").CombinedOutput() // want `exec`
}

// The line begins with a constant name, and is split up.
func userBad(alpine bool, name string) error {
	line := "useradd --system " + name
	if alpine {
		line = "adduser -S " + name
	}
	split := strings.Split(line, " ")
	return exec.Command(split[0], split[1:]...).Run() // want `exec`
}

// The form without a context, of one with.
func (e *endpoint) SyncContext(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, "delete from endpoints")
	return err
}

func (e *endpoint) Sync(db *sql.DB) error {
	return e.SyncContext(context.Background(), db) // want `ctx-none`
}

// An operator turns the server for profiles on for a while.
type profileOptions struct{ ProfilerAddr string }

func serveProfilesBad(o profileOptions) error {
	return http.ListenAndServe(o.ProfilerAddr, nil) // want `http-server`
}

func serveProfilerBad(addr string) error {
	profiler := &http.Server{Addr: addr}
	return profiler.ListenAndServe() // want `http-server`
}
