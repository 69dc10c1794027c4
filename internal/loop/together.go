package loop

import "github.com/concvet/concvet/internal/summary"

// Together reports whether the loop waits for two sources at the same time: in
// one select, or in two that have a source in common. Of two waits that follow
// each other the second is a later step of what the first has begun.
func (l *Event) Together(res *summary.Result, a, b *Source) bool {
	if a.wait == b.wait {
		return true
	}
	for _, x := range l.Live {
		if x.wait != a.wait || x.Chan == nil {
			continue
		}
		for _, y := range l.Live {
			if y.wait != b.wait || y.Chan == nil {
				continue
			}
			if path := res.Path(x.Chan); x.Chan == y.Chan || path != "" && path == res.Path(y.Chan) {
				return true
			}
		}
	}
	return false
}
