// Package nearest finds the word that a person most likely meant.
package nearest

import (
	"fmt"
	"slices"
	"strings"
)

// Hint returns `; did you mean "x"?` for the word of list that is closest to
// s, or nothing where none is close.
func Hint(s string, list []string) string {
	for _, w := range list {
		if s != "" && strings.HasSuffix(w, "/"+s) {
			return fmt.Sprintf("; did you mean %q?", w) // a category without its analyzer
		}
	}
	best, dist := "", len(s)/2+2
	for _, w := range slices.Sorted(slices.Values(list)) {
		if d := distance(s, w); d < dist {
			best, dist = w, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// distance is the Levenshtein distance in bytes, cut off for long words.
func distance(a, b string) int {
	if len(a) > 200 || len(b) > 200 {
		return max(len(a), len(b))
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diag, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diag+cost)
		}
	}
	return row[len(b)]
}
