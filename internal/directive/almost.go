package directive

import (
	"fmt"
	"strings"
)

// almost returns an error for a comment that would be a directive without its
// spaces and capitals. Prose may speak of concvet, so it must go on as a
// directive does: with a verb, and ignore with a name.
func almost(text string, first bool) error {
	rest := strings.TrimLeft(strings.TrimPrefix(text, "//"), " \t")
	const name = "concvet"
	if len(rest) < len(name) || !strings.EqualFold(rest[:len(name)], name) {
		return nil
	}
	rest, ok := strings.CutPrefix(strings.TrimLeft(rest[len(name):], " \t"), ":")
	if !ok {
		return nil
	}
	rest = strings.TrimLeft(rest, " \t")
	verb, args := rest, ""
	if i := strings.IndexAny(rest, " \t"); i >= 0 {
		verb, args = rest[:i], strings.TrimSpace(rest[i:])
	}
	for _, v := range verbs {
		right := prefix + v
		switch {
		case !strings.EqualFold(v, verb) || strings.HasPrefix(text, right):
			continue
		case v == string(Ignore) && !first && !namesOne(args):
			return nil
		}
		written := strings.TrimSuffix(strings.TrimSuffix(text, args), " ")
		return fmt.Errorf("%q is a mere comment; write %s, in lower case and without a space", strings.TrimSpace(written), right)
	}
	return nil
}

// namesOne reports whether the first word of args, a list, begins with a name.
func namesOne(args string) bool {
	word, _, _ := strings.Cut(args, " ")
	word, _, _ = strings.Cut(word, ",")
	ok, _ := known(word)
	return word != "" && ok
}
