// Package facts has a function for every clause of a summary. The want comments
// are the summaries that importers read.
package facts

import (
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Effects.

func Nothing() int { return 1 }

func Sleep() { time.Sleep(time.Second) } // want Sleep:`^blocks\(sleep <=1s\)$`

func SleepFor(d time.Duration) { time.Sleep(d) } // want SleepFor:`^blocks\(sleep\)$`

func SleepLoop(n int) { // want SleepLoop:`^blocks\(sleep <=1s repeats\)$`
	for range n {
		time.Sleep(time.Second)
	}
}

func SleepCounted() { // want SleepCounted:`^blocks\(sleep <=3s\)$`
	for range 3 {
		time.Sleep(time.Second)
	}
}

func Net() { http.Get("http://peer.example") } // want Net:`^blocks\(net\)$`

func Exec() { exec.Command("true").Run() } // want Exec:`^blocks\(exec\)$`

func DNS() { net.LookupHost("peer.example") } // want DNS:`^blocks\(dns\)$`

func Statement(ctx context.Context, db *sql.DB) { db.ExecContext(ctx, "delete from t") } // want Statement:`^blocks\(db ctx=p0 pool p1\)$`

func StatementWithTimeout(db *sql.DB) { // want StatementWithTimeout:`^blocks\(db <=1s pool p0\)$`
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	db.ExecContext(ctx, "delete from t")
}

func Flush(f *os.File) { f.Sync() } // want Flush:`^blocks\(fsync on p0\)$`

func Send(ch chan<- int) { ch <- 1 } // want Send:`^blocks\(chan-send on p0\)$`

func Receive(ch <-chan int) int { return <-ch } // want Receive:`^blocks\(chan-recv on p0\)$`

func Range(ch <-chan int) (n int) { // want Range:`^blocks\(chan-recv on p0\)$`
	for v := range ch {
		n += v
	}
	return n
}

func Select(a, b chan int) { // want Select:`^blocks\(select on p0\)$`
	select {
	case <-a:
	case b <- 1:
	}
}

func SelectDefault(a chan int) {
	select {
	case <-a:
	default:
	}
}

func SelectTimeout(a chan int) { // want SelectTimeout:`^blocks\(select escape on p0\)$`
	select {
	case <-a:
	case <-time.After(time.Second):
	}
}

func Wait(wg *sync.WaitGroup) { wg.Wait() } // want Wait:`^blocks\(group-wait on p0\)$`

func Cond(c *sync.Cond) { c.Wait() } // want Cond:`^blocks\(cond on p0\)$`

// Bytes that pass through wait as long as where they come from.

func Read(r io.Reader, v any) error { return json.NewDecoder(r).Decode(v) } // want Read:`^blocks\(io on p0\)$`

func ReadBody(resp *http.Response, v any) error { return Read(resp.Body, v) } // want ReadBody:`^blocks\(net on p0\.Body\)$`

func ReadFile(name string) ([]byte, error) { return os.ReadFile(name) } // want ReadFile:`^blocks\(file\)$`

// Moved elsewhere.

func Background() { go Net() } // want Background:`^starts\(spawn net\)$`

func Later() { time.AfterFunc(time.Second, Net) } // want Later:`^starts\(spawn net\)$`

// Through callees, the shortest way.

func ThroughOne() { Net() } // want ThroughOne:`^blocks\(net\)$`

func ThroughTwo() { ThroughOne() } // want ThroughTwo:`^blocks\(net\)$`

// Recursion.

func Even(n int) { // want Even:`^blocks\(sleep <=1s\)$`
	if n > 0 {
		Odd(n - 1)
	}
}

func Odd(n int) { // want Odd:`^blocks\(sleep <=1s\)$`
	time.Sleep(time.Second)
	Even(n - 1)
}

// Four of a kind are kept and the rest is counted.

func Many(a, b, c, d, e, f chan int) { // want Many:`^blocks\(chan-recv on p0\) blocks\(chan-recv on p1\) blocks\(chan-recv on p2\) blocks\(chan-recv on p3\)$`
	<-a
	<-b
	<-c
	<-d
	<-e
	<-f
}

// What is declared counts, whatever the body does.

//concvet:blocking exec it runs a shell by system call
func Declared() {} // want Declared:`^blocks\(exec\)$`

//concvet:nonblocking the transport answers from memory
func DeclaredNot() { Net() }

// An effect that is ignored where it stands is none for callers.

func Ignored() {
	Net() //concvet:ignore holdacross the peer is this process
}
