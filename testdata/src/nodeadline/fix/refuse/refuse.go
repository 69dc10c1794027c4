// Package refuse has findings whose cure is not understood.
package refuse

import (
	"context"
	"crypto/tls"
	"database/sql"
	"net"
	"net/http"
	"net/rpc"
	"os/exec"
	"time"
)

// There is no context at hand: the caller has one.
func noContextRefuse(db *sql.DB) error {
	_, err := db.Exec("delete from t") // want `sql`
	return err
}

func callsRefuse(_ context.Context, db *sql.DB) error { return noContextRefuse(db) }

// The context may be another one by now.
func assignedRefuse(ctx context.Context, db *sql.DB) error {
	ctx = context.Background()
	_ = ctx
	return db.Ping() // want `sql`
}

// The rows are read when the limit has passed.
func rowsRefuse(db *sql.DB) (*sql.Rows, error) {
	return db.QueryContext(context.Background(), "select 1") // want `ctx-none`
}

// A defer in a loop would wait for the end of the function.
func loopRefuse(servers []*http.Server) error {
	for _, srv := range servers {
		if err := srv.Shutdown(context.Background()); err != nil { // want `shutdown`
			return err
		}
	}
	return nil
}

// A name is taken.
func shadowRefuse(srv *http.Server, cancel func()) error {
	cancel()
	return srv.Shutdown(context.Background()) // want `shutdown`
}

// What the server does stands in the call.
func packageServerRefuse() error {
	return http.ListenAndServe(":8080", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { // want `http-server`
		w.WriteHeader(http.StatusNoContent)
	}))
}

// A literal without names for its fields.
type pair struct {
	d net.Dialer
}

func newRefuse(addr string) (net.Conn, error) {
	d := new(net.Dialer)
	return d.Dial("tcp", addr) // want `dial`
}

// net/rpc has no form with a limit.
func rpcRefuse(c *rpc.Client) error {
	return c.Call("S.M", 1, nil) // want `rpc`
}

// The command is made elsewhere.
func made(script string) *exec.Cmd { return exec.Command("sh", "-c", script) }

func madeRefuse(ctx context.Context, script string) error {
	return made(script).Run() // want `exec`
}

// The connection goes on living.
func keptRefuse(addr string) (net.Conn, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	_, err = c.Read(make([]byte, 1)) // want `conn-io`
	return c, err
}

// The deadline would end the session that follows.
func sessionRefuse(ln net.Listener, serve func(net.Conn)) error {
	c, err := ln.Accept()
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Read(make([]byte, 1)) // want `conn-io`
	if err == nil {
		serve(c)
	}
	return err
}

// A cancel at the end of the function would come too early, and none too late.
func startedRefuse(srv *http.Server) {
	go srv.Shutdown(context.Background()) // for an audit: nobody waits
}

// The helper begins with the handshake, and then serves.
func handlerRefuse(ln net.Listener, conf *tls.Config, serve func(net.Conn)) error {
	c, err := ln.Accept()
	if err != nil {
		return err
	}
	defer c.Close()
	return admit(c, conf, serve) // want `conn-io`
}

func admit(c net.Conn, conf *tls.Config, serve func(net.Conn)) error {
	t := tls.Server(c, conf)
	if err := t.Handshake(); err != nil {
		return err
	}
	serve(t)
	return nil
}
