package lsp

import (
	"net/url"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"unicode/utf8"
)

// A encoding says what a character of a position is.
type encoding string

const (
	utf8Units  encoding = "utf-8"
	utf16Units encoding = "utf-16"
)

// chooseEncoding answers UTF-16 wherever the client takes it: an editor with a
// second server, gopls, that speaks UTF-16 cannot mix the two.
func chooseEncoding(offered []string) encoding {
	sawUTF8 := false
	for _, e := range offered {
		switch encoding(e) {
		case utf16Units:
			return utf16Units
		case utf8Units:
			sawUTF8 = true
		}
	}
	if sawUTF8 {
		return utf8Units
	}
	return utf16Units
}

// A text is the contents of a file with the starts of its lines.
type text struct {
	data  string
	lines []int // offset of each line
	enc   encoding
}

func newText(data string, enc encoding) *text {
	t := &text{data: data, lines: []int{0}, enc: enc}
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '\n':
			t.lines = append(t.lines, i+1)
		case '\r':
			if i+1 == len(data) || data[i+1] != '\n' {
				t.lines = append(t.lines, i+1)
			}
		}
	}
	return t
}

// offset is the place of a position in the text, cut off at the ends of the line
// and the text, as the protocol wants it.
func (t *text) offset(p position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(t.lines) {
		return len(t.data)
	}
	start, end := t.lines[p.Line], t.lineEnd(p.Line)
	units := 0
	for i := start; i < end; {
		if units >= p.Character {
			return i
		}
		r, size := utf8.DecodeRuneInString(t.data[i:end])
		units += t.units(r, size)
		i += size
	}
	return end
}

// lineEnd is the end of a line, without what ends it.
func (t *text) lineEnd(line int) int {
	if line+1 >= len(t.lines) {
		return len(t.data)
	}
	end := t.lines[line+1]
	for end > t.lines[line] && (t.data[end-1] == '\n' || t.data[end-1] == '\r') {
		end--
	}
	return end
}

func (t *text) units(r rune, size int) int {
	switch {
	case t.enc == utf8Units:
		return size
	case r >= 0x10000:
		return 2
	}
	return 1
}

// position is the inverse of offset.
func (t *text) position(offset int) position {
	offset = max(0, min(offset, len(t.data)))
	line := sort.SearchInts(t.lines, offset+1) - 1
	offset = min(offset, t.lineEnd(line)) // not between CR and LF
	p := position{Line: line}
	for i := t.lines[line]; i < offset; {
		r, size := utf8.DecodeRuneInString(t.data[i:])
		p.Character += t.units(r, size)
		i += size
	}
	return p
}

func (t *text) span(start, end int) textRange {
	return textRange{t.position(start), t.position(end)}
}

// bytes is the offset of a line and a column in bytes, both from 1 as the go
// command counts them. It lies within the line.
func (t *text) bytes(line, column int) int {
	if line < 1 {
		return 0
	}
	if line > len(t.lines) {
		return len(t.data)
	}
	end := t.lineEnd(line - 1)
	return min(t.lines[line-1]+max(column-1, 0), end)
}

// pathOf is the file of a URI, "" if it is no file.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return ""
	}
	p := u.Path
	if u.Host != "" && u.Host != "localhost" {
		p = "//" + u.Host + p
	}
	if runtime.GOOS == "windows" && len(p) > 2 && p[0] == '/' && p[2] == ':' {
		p = strings.ToUpper(p[1:2]) + p[2:]
	}
	return filepath.Clean(filepath.FromSlash(p))
}

// uriOf is the URI of an absolute path.
func uriOf(path string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // C:/x
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}
