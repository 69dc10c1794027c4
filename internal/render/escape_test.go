package render

import (
	"strings"
	"testing"
	"unicode"
)

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                 "plain",
		"größe 大きさ 😀":           "größe 大きさ 😀",
		"a\x1b[31mred":          `a\x1b[31mred`,
		"a\rb\nc\td":            `a\x0db\x0ac\x09d`,
		"del\x7f c1\u009b":      `del\x7f c1\x9b`,
		"bidi\u202egnp":         `bidi\u202egnp`,
		"zero\u200bwidth\ufeff": `zero\u200bwidth\ufeff`,
		"broken\xff\xfe":        `broken\xff\xfe`,
		"line\u2028separator":   `line\u2028separator`,
	} {
		if got := Escape(in); got != want {
			t.Errorf("Escape(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("a\x1b]0;title\x07")
	f.Add("\u202e\xff")
	f.Fuzz(func(t *testing.T, s string) {
		out := Escape(s)
		if i := strings.IndexFunc(out, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }); i >= 0 {
			t.Errorf("Escape(%q) = %q has a control character at %d", s, out, i)
		}
		for _, encoded := range []string{githubData(s), githubProperty(s)} {
			if strings.ContainsAny(encoded, "\r\n") {
				t.Errorf("%q ends a workflow command", encoded)
			}
		}
	})
}
