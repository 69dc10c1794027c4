package effect

import (
	"fmt"
	"time"
)

// An End says by what a value that others wait on comes to its end: a context,
// or what carries one, a client, a dialer, a connection.
type End uint8

const (
	EndUnknown  End = iota
	EndNever        // nothing ends it
	EndCancel       // only somebody who cancels it
	EndDeadline     // it has a deadline
	EndCaller       // as the parameter says
	numEnds
)

var endNames = [numEnds]string{"unknown", "never", "cancel", "deadline", "as"}

// An Ending says when a result of a function ends, or a field of it.
type Ending struct {
	Result int
	End    End
	Param  int           // EndCaller
	Dur    time.Duration // EndDeadline: if it is known
}

func (e Ending) String() string {
	t := fmt.Sprintf("r%d %s", e.Result, endNames[e.End])
	if e.End == EndCaller {
		t += " " + ParamPath(e.Param).String()
	}
	if e.Dur > 0 {
		t += " " + e.Dur.String()
	}
	return t
}
