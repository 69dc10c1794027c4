package directive

import (
	"go/token"
	"slices"
	"strings"
)

// parseNolint reads "//nolint:concvet // reason", with which golangci-lint hides
// what a linter found. It returns nil for any other comment, among them
// //nolint without a name, which asks for silence of all linters there.
func parseNolint(text string) *Directive {
	list, ok := strings.CutPrefix(text, "//nolint:")
	if !ok {
		return nil
	}
	list, reason, _ := strings.Cut(list, "//")
	if !slices.ContainsFunc(strings.Split(list, ","), func(name string) bool { return strings.TrimSpace(name) == "concvet" }) {
		return nil
	}
	return &Directive{Verb: Ignore, Nolint: true, Reason: strings.TrimSpace(reason)}
}

// Nolint returns the //nolint:concvet comment that speaks of pos, if any. It is
// not among All and hides findings only: golangci-lint itself goes by the
// findings, and tells those who ask of comments that hide nothing.
func (s *Set) Nolint(pos token.Pos) *Directive {
	if len(s.nolint) == 0 {
		return nil
	}
	p := s.fset.PositionFor(pos, false)
	for _, d := range s.nolint {
		if d.file == p.Filename && d.first <= p.Line && p.Line <= d.last {
			return d
		}
	}
	return nil
}
