// Package vetrun runs go vet with concvet as its tool and turns what it prints
// into findings and problems. It knows nothing of what is shown to whom:
// selection and printing come later.
package vetrun

import (
	"cmp"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/report"
)

// A Finding is one diagnostic of one package.
type Finding struct {
	Package  string // import path, without the suffix of a test variant
	Dir      string // folder of the package
	WithTest bool   // found in the package as it is compiled with its test files
	Analyzer string
	Category string // "holdacross/lock-blocking"

	// The position is the adjusted one where a //line directive stands, so it
	// is for display: never read or write File without asking Physical.
	File               string // absolute
	Line, Column       int    // Column is in bytes, 0 where unknown
	EndLine, EndColumn int
	Physical           bool // File is a source file of Package

	Tier        report.Tier
	Text        string
	Symbol      string
	Fingerprint string
	Frames      []Frame
	Suppressed  *report.Suppression
	Test        bool
	Generated   bool
	Platforms   []string // where it was found, empty if none was asked for
	Fixes       []Fix
}

// A Frame is one step of the way to what blocks.
type Frame struct {
	Pos  string // as the tool gave it: "import/path/file.go:12"
	File string // absolute path, empty where the package could not be found
	Line int
	Text string
}

// A Fix is an alternative way to repair a finding.
type Fix struct {
	Title  string
	Unsafe string // what it changes beyond the finding; empty for a safe fix
	Edits  []Edit
}

// An Edit replaces the bytes from Start to End of a file.
type Edit struct {
	File       string
	Start, End int
	New        string
}

// Compare orders findings by position, then category, then text: the order in
// which they are printed.
func Compare(a, b Finding) int {
	return cmp.Or(
		strings.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column),
		strings.Compare(a.Category, b.Category),
		strings.Compare(a.Text, b.Text),
		strings.Compare(a.Fingerprint, b.Fingerprint),
		strings.Compare(a.Package, b.Package),
	)
}

// Merge sorts findings and drops those that two variants of one package, two
// platforms or two overlapping runs have in common: an analyzer reports at most
// one of a category at a place.
func Merge(findings []Finding) []Finding {
	slices.SortStableFunc(findings, Compare)
	merged := findings[:0]
	for _, f := range findings {
		if n := len(merged); n > 0 && f.samePlace(merged[n-1]) {
			merged[n-1].Platforms = union(merged[n-1].Platforms, f.Platforms)
			continue
		}
		merged = append(merged, f)
	}
	return merged
}

func (f Finding) samePlace(g Finding) bool {
	// Without a column a //line directive may show several places as this one.
	return f.File == g.File && f.Line == g.Line && f.Column == g.Column && f.Category == g.Category &&
		(f.Column > 0 || f.Symbol == g.Symbol)
}

func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
