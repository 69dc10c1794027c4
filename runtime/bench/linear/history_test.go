package linear

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// A client does one random operation and returns what it was and what came of
// it.
type client func(rng *rand.Rand, clock *clock) porcupine.Operation

// A clock numbers the calls and returns of one history.
type clock struct{ now atomic.Int64 }

// time runs one operation and notes when it was called and when it returned.
func (c *clock) time(in any, f func() any) porcupine.Operation {
	call := c.now.Add(1)
	out := f()
	return porcupine.Operation{Input: in, Call: call, Output: out, Return: c.now.Add(1)}
}

// record runs clients at the same time, each ops operations, and returns all of
// them.
func record(seed uint64, ops int, clients ...client) []porcupine.Operation {
	var clk clock
	histories := make([][]porcupine.Operation, len(clients))
	var ready, wg sync.WaitGroup
	ready.Add(len(clients))
	for i, c := range clients {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			ready.Done()
			ready.Wait()
			for range ops {
				op := c(rng, &clk)
				op.ClientId = i
				histories[i] = append(histories[i], op)
			}
		})
	}
	wg.Wait()
	var all []porcupine.Operation
	for _, h := range histories {
		all = append(all, h...)
	}
	return all
}

// overlapping counts the operations that began while another was under way.
func overlapping(history []porcupine.Operation) int {
	n := 0
	for _, a := range history {
		for _, b := range history {
			if b.Call < a.Call && a.Call < b.Return {
				n++
				break
			}
		}
	}
	return n
}

// check fails if a history has no order that the model allows.
func check(t *testing.T, model porcupine.Model, history []porcupine.Operation) {
	t.Helper()
	switch porcupine.CheckOperationsTimeout(model, history, time.Minute) {
	case porcupine.Ok:
	case porcupine.Unknown:
		t.Fatal("the checker needed more than a minute")
	case porcupine.Illegal:
		for _, op := range history {
			t.Log(op.ClientId, op.Call, op.Return, fmt.Sprintf("%+v", op.Input), fmt.Sprintf("%+v", op.Output))
		}
		t.Fatal("not linearizable")
	}
}

// rounds is the number of histories of a test.
func rounds() int {
	if testing.Short() {
		return 20
	}
	return 400
}
