package render

import (
	"slices"
	"testing"
)

// The expected values are those of GitHub's uploader for the same text.
func TestHashLines(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{" a\nb\n  \t\tc\n d", []string{"271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"}},
		{"", []string{"c129715d7a2bc9a3:1"}},
	} {
		if got := hashLines(test.text); !slices.Equal(got, test.want) {
			t.Errorf("hashLines(%q) = %q, want %q", test.text, got, test.want)
		}
	}
	lf, crlf := hashLines("a\nb\nc\n"), hashLines("a\r\nb\r\nc\r\n")
	if !slices.Equal(lf, crlf) {
		t.Errorf("line ends change the hashes: %q, %q", lf, crlf)
	}
}
