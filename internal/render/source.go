package render

import (
	"bytes"
	"os"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/concvet/concvet/internal/vetrun"
)

// maxSource bounds the files that are read for a snippet.
const maxSource = 64 << 20

// sources reads files once. Only files that are Go sources of an analysed
// package are ever read: the position of a finding can be moved by a //line
// directive to any file of the machine.
type sources map[string]*source

// A source is the text of a file and where its lines begin.
type source struct {
	text   []byte
	starts []int
}

func (s sources) of(f vetrun.Finding) *source {
	if !f.Physical {
		return nil
	}
	return s.file(f.File)
}

func (s sources) file(name string) *source {
	if src, ok := s[name]; ok {
		return src
	}
	s[name] = nil
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSource {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	src := &source{text: text, starts: []int{0}}
	for i, c := range text {
		if c == '\n' {
			src.starts = append(src.starts, i+1)
		}
	}
	s[name] = src
	return src
}

// line is the text of a line, counted from 1, without its end.
func (s *source) line(n int) (string, bool) {
	if s == nil || n < 1 || n > len(s.starts) {
		return "", false
	}
	text := s.text[s.starts[n-1]:]
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return strings.TrimSuffix(string(text), "\r"), true
}

// offset is the place of a position in the file.
func (s *source) offset(line, column int) (int, bool) {
	text, ok := s.line(line)
	if !ok || column < 1 || column-1 > len(text) {
		return 0, false
	}
	return s.starts[line-1] + column - 1, true
}

// position is the line and the column in UTF-16 units of an offset.
func (s *source) position(offset int) (line, column int, ok bool) {
	if s == nil || offset < 0 || offset > len(s.text) {
		return 0, 0, false
	}
	lo, hi := 0, len(s.starts)
	for lo+1 < hi {
		if mid := (lo + hi) / 2; s.starts[mid] <= offset {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo + 1, utf16Length(s.text[s.starts[lo]:offset]) + 1, true
}

// utf16Column turns a column in bytes into one in UTF-16 units.
func (s *source) utf16Column(line, column int) (int, bool) {
	text, ok := s.line(line)
	if !ok || column < 1 || column-1 > len(text) {
		return 0, false
	}
	return utf16Length([]byte(text[:column-1])) + 1, true
}

func utf16Length(text []byte) int {
	n := 0
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		n += max(utf16.RuneLen(r), 1)
		text = text[size:]
	}
	return n
}
