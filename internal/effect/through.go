package effect

import "strings"

// Through writes a witness as a message names it: "last via first, second". Of
// a long way it leaves out the middle.
func Through(frames []Frame) string {
	if len(frames) == 0 {
		return "here"
	}
	last := frames[len(frames)-1].Call
	var via []string
	for _, f := range frames[:len(frames)-1] {
		via = append(via, f.Call)
	}
	if n := len(via); n > 0 && strings.HasPrefix(last, via[n-1]+" (") {
		via = via[:n-1] // the declaration of the function that is called
	}
	if len(via) == 0 {
		return last
	}
	if len(via) > 3 {
		via = append(via[:2:2], "…", via[len(via)-1])
	}
	return last + " via " + strings.Join(via, ", ")
}
