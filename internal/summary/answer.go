package summary

import (
	"golang.org/x/tools/go/ssa"
)

// An Answer says where the knowledge of a call comes from.
type Answer uint8

const (
	Unresolved Answer = iota // which function is called is not known
	Undecided                // an interface method, and which type implements it is not known
	Nothing                  // the function is known; neither a row nor a fact says that it waits
	ByRow                    // a row of the tables
	ByFact                   // the summary of another package
	ByBody                   // the body, which is in this package
)

// AnswerOf says where the knowledge of a call comes from, and the name of the
// callee, "" if that is not known.
func (r *Result) AnswerOf(call *ssa.CallCommon) (Answer, string) {
	c, t := r.in.targetOf(call)
	name := ""
	switch {
	case t != nil:
		name = t.name
	case c.Func != nil:
		name = r.in.shortName(c.Func)
	case call.IsInvoke():
		name = r.in.shortName(call.Method)
	}
	switch {
	case t == nil && (c.Func == nil || c.Invoke):
		if call.IsInvoke() {
			return Undecided, name
		}
		return Unresolved, name
	case t == nil:
		return Nothing, name
	case t.symbolic != "":
		return Undecided, name
	case t.row != nil:
		return ByRow, name
	case t.body != nil:
		return ByBody, name
	}
	return ByFact, name
}
