package holdacross

import (
	"strings"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/summary"
)

// A request over HTTP is waited for twice: until the head of the answer is there,
// and while its body is read. They have one cure, and are one finding.

// asksHTTP reports whether an effect is a request over HTTP.
func asksHTTP(e summary.SiteEffect) bool {
	return e.Kind == effect.Net && (e.As == "http" || strings.HasPrefix(e.API, "(*net/http.Client).") || strings.HasPrefix(e.API, "net/http."))
}

// readsAnswer reports whether an effect reads what somebody else opened, as the
// body of an answer.
func readsAnswer(e effect.Effect) bool {
	if e.Kind != effect.Net {
		return false
	}
	for _, reader := range []string{"io.", "(*encoding/json.Decoder).", "(*encoding/xml.Decoder).", "(*bufio."} {
		if strings.HasPrefix(e.API, reader) {
			return true
		}
	}
	return false
}
