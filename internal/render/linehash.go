package render

import (
	"fmt"
	"strconv"
	"unicode/utf16"

	"github.com/concvet/concvet/internal/vetrun"
)

// lineHashes computes primaryLocationLineHash as GitHub's uploader does, which
// warns about a result whose hash differs from its own: a rolling hash over the
// hundred characters from the line on that are not blank, and which of the
// lines with that hash it is.
type lineHashes map[string][]string

func (h lineHashes) of(f vetrun.Finding, src sources) string {
	text := src.of(f)
	if text == nil {
		return ""
	}
	lines, ok := h[f.File]
	if !ok {
		lines = hashLines(string(text.text))
		h[f.File] = lines
	}
	if f.Line < 1 || f.Line > len(lines) {
		return ""
	}
	return lines[f.Line-1]
}

func hashLines(text string) []string {
	const block, mod, eof = 100, 37, 0xffff
	first := uint64(1)
	for range block {
		first *= mod
	}
	var (
		window [block]uint64
		lines  [block]int
		hash   uint64
		index  int
		line   int
		out    []string
		seen   = map[string]int{}
	)
	emit := func() {
		value := strconv.FormatUint(hash, 16)
		seen[value]++
		out = append(out, fmt.Sprintf("%s:%d", value, seen[value]))
		lines[index] = 0
	}
	roll := func(c uint64) {
		begin := window[index]
		window[index] = c
		hash = mod*hash + c - first*begin
		index = (index + 1) % block
	}
	lineStart, afterCR := true, false
	char := func(c uint64) {
		if c == ' ' || c == '\t' || afterCR && c == '\n' {
			afterCR = false
			return
		}
		afterCR = c == '\r'
		if afterCR {
			c = '\n'
		}
		if lines[index] != 0 {
			emit()
		}
		if lineStart {
			lineStart = false
			line++
			lines[index] = line
		}
		lineStart = c == '\n'
		roll(c)
	}
	for _, c := range utf16.Encode([]rune(text)) {
		char(uint64(c))
	}
	char(eof)
	for range block {
		if lines[index] != 0 {
			emit()
		}
		roll(0)
	}
	return out
}
