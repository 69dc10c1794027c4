//go:build peers

// This file is never built: it keeps the peers in go.mod, at the versions that
// were read and measured, whichever tests use them.
package bench

import (
	_ "github.com/Jeffail/tunny"
	_ "github.com/alitto/pond/v2"
	_ "github.com/anishathalye/porcupine"
	_ "github.com/concvet/concvet/runtime/workpool"
	_ "github.com/failsafe-go/failsafe-go/bulkhead"
	_ "github.com/gammazero/workerpool"
	_ "github.com/panjf2000/ants/v2"
	_ "github.com/puzpuzpuz/xsync/v4"
	_ "github.com/sony/gobreaker/v2"
	_ "github.com/sourcegraph/conc"
	_ "go.uber.org/goleak"
	_ "golang.org/x/sync/semaphore"
)
