package effect_test

import (
	"testing"

	"github.com/concvet/concvet/internal/effect"
)

func TestThrough(t *testing.T) {
	for want, calls := range map[string][]string{
		"here":                                   {},
		"http.Get":                               {"http.Get"},
		"http.Get via a, b":                      {"a", "b", "http.Get"},
		"http.Get via a, b, …, e":                {"a", "b", "c", "d", "e", "http.Get"},
		"fetch (declared blocking)":              {"fetch", "fetch (declared blocking)"},
		"fetch (declared blocking) via a":        {"a", "fetch", "fetch (declared blocking)"},
		"fetchAll (declared blocking) via fetch": {"fetch", "fetchAll (declared blocking)"},
	} {
		var frames []effect.Frame
		for _, c := range calls {
			frames = append(frames, effect.Frame{Call: c})
		}
		if got := effect.Through(frames); got != want {
			t.Errorf("Through(%q) = %q, want %q", calls, got, want)
		}
	}
}
