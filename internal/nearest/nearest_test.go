package nearest_test

import (
	"testing"

	"github.com/concvet/concvet/internal/nearest"
)

func TestHint(t *testing.T) {
	list := []string{"holdacross", "holdacross/tx-outbound", "sleep"}
	for word, want := range map[string]string{
		"slep":        `; did you mean "sleep"?`,
		"tx-outbound": `; did you mean "holdacross/tx-outbound"?`,
		"holdacros":   `; did you mean "holdacross"?`,
		"zzzzzzzzzz":  "",
	} {
		if got := nearest.Hint(word, list); got != want {
			t.Errorf("Hint(%q) = %q, want %q", word, got, want)
		}
	}
}
