// Package nodeadline reports waits for a peer, a process or a database that
// nothing ends.
//
// # Analyzer nodeadline
//
// nodeadline: report waits that nothing ends
//
// A peer that accepts a connection and then says nothing keeps whoever waits for
// it: for ever, unless somebody set a limit. With 30 requests a second and a
// dependency that takes 3 s instead of 20 ms, 0.6 connections in use become 90;
// with one that never answers they become as many as there are requests.
//
//	// WRONG: the context is there, the deadline is not
//	req, err := http.NewRequestWithContext(context.Background(), "GET", url, nil)
//	resp, err := (&http.Client{}).Do(req)
//
//	// RIGHT
//	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
//	defer cancel()
//	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
//	resp, err := client.Do(req)
//
// The analyzer follows the deadline, not the argument: through With functions,
// variables, closures, fields, constructors, method values, helpers and packages.
// A round tripper that hands its request on ends as the one that it wraps. A
// connection is followed into the field or channel that it is put in, if all that
// the package puts there is fresh. What comes from the caller is reported at the
// caller that has no deadline to give. What is not known is silent.
//
// Categories:
//
//   - http-client: a request that neither its context nor its client limits
//   - http-server: a server that waits for ever for the header of a request
//   - dial: a connection attempt, or a handshake, without a limit
//   - conn-io: the first read of a connection that was just dialled or accepted,
//     its handshake, or the wait for an answer, without a deadline
//   - exec: a wait for another process that nothing kills
//   - sql: a statement of database/sql or gorm without a context
//   - rpc: a call of net/rpc, which takes neither context nor timeout
//   - ctx-none: a context that never ends reaches a call that waits
//   - shutdown: a shutdown that waits for the last connection or task, however long
//
// Not reported: a client without Timeout whose requests have a deadline, and the
// other way round; a client for streams whose phases are limited; a server that
// gets its timeouts later; a connection that is given a deadline; a process that
// a timer kills; Serve, Watch, Subscribe and Run, which are meant to last. In the
// audit tier: a context that somebody cancels, but that has no deadline; what
// main, init, constructors, one-shot commands, tools, migrations and examples wait
// for; commands that do local work with a constant name; statements and slots of
// functions that have no context to give; servers and peers on the same machine,
// and servers for profiles; local databases; shutdowns that nobody waits for; lines
// on which another linter that says the same is silenced.
package nodeadline

import (
	_ "embed"

	"github.com/concvet/concvet/internal/report"
)

//go:embed doc.go
var source string

var doc = report.ExtractDoc(source, "nodeadline")
