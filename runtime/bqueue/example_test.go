package bqueue_test

import (
	"context"
	"fmt"

	"github.com/concvet/concvet/runtime/bqueue"
	"github.com/concvet/concvet/runtime/bulkhead"
)

// A full queue says no at once. What it has accepted is still done after Close.
func ExampleQueue() {
	q := bqueue.New[string](2, bqueue.Reject)
	for _, job := range []string{"a", "b", "c"} {
		fmt.Println(job, q.TryPush(job))
	}
	q.Close()
	for {
		job, err := q.Pop(context.Background())
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("do", job)
	}
	// Output:
	// a <nil>
	// b <nil>
	// c bqueue: full
	// do a
	// do b
	// bqueue: closed
}

// Of measurements the newest is worth most.
func ExampleNew_dropOldest() {
	q := bqueue.New[int](2, bqueue.DropOldest, bqueue.WithOnDrop(func(v int, why bqueue.Reason) {
		fmt.Println("dropped", v, why)
	}))
	for i := range 4 {
		q.TryPush(i)
	}
	v, _ := q.TryPop()
	fmt.Println("next", v)
	// Output:
	// dropped 0 evicted
	// dropped 1 evicted
	// next 2
}

// What somebody waits for overtakes what nobody waits for, and a full bulk lane
// leaves the other one open.
func ExampleLanes() {
	l := bqueue.NewLanes[string](8, 2)
	for _, report := range []string{"report 1", "report 2", "report 3"} {
		if err := l.TryPush(bulkhead.Bulk, report); err != nil {
			fmt.Println(report, err)
		}
	}
	l.TryPush(bulkhead.Interactive, "page")
	for range 3 {
		v, class, _ := l.Pop(context.Background())
		fmt.Println(v, class)
	}
	// Output:
	// report 3 bqueue: full
	// page interactive
	// report 1 bulk
	// report 2 bulk
}
