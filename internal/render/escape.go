package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes s fit to print on a terminal as a part of one line: control
// characters, those that reorder or hide text, and broken UTF-8 are written as
// escapes. File names and identifiers come from the code that is analysed.
func Escape(s string) string {
	return escape(s, false)
}

// escapeSource is Escape for a line of source code, which keeps its tabs.
func escapeSource(s string) string { return escape(s, true) }

func escape(s string, tabs bool) string {
	clean := true
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\t' && tabs:
			b.WriteByte('\t')
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			fmt.Fprintf(&b, `\x%02x`, r)
		case unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}
