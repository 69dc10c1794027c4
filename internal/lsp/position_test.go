package lsp

import (
	"slices"
	"testing"
)

func TestEncoding(t *testing.T) {
	for _, test := range []struct {
		offered []string
		want    encoding
	}{
		{nil, utf16Units},
		{[]string{"utf-8"}, utf8Units},
		{[]string{"utf-8", "utf-16"}, utf16Units},
		{[]string{"utf-16", "utf-8"}, utf16Units},
		{[]string{"utf-32"}, utf16Units},
		{[]string{"utf-32", "utf-8"}, utf8Units},
	} {
		if got := chooseEncoding(test.offered); got != test.want {
			t.Errorf("%q: %s, want %s", test.offered, got, test.want)
		}
	}
}

func TestPositions(t *testing.T) {
	const data = "a é €𝄞x\r\nb\rc\n\nlast"
	for _, test := range []struct {
		enc    encoding
		offset int
		want   position
	}{
		{utf16Units, 0, position{0, 0}},
		{utf16Units, 2, position{0, 2}},            // é
		{utf16Units, 4, position{0, 3}},            // after é, of two bytes
		{utf16Units, 5, position{0, 4}},            // €
		{utf16Units, 8, position{0, 5}},            // 𝄞
		{utf16Units, 12, position{0, 7}},           // x: a pair of surrogates before
		{utf8Units, 12, position{0, 12}},           // the same in bytes
		{utf16Units, 15, position{1, 0}},           // b
		{utf16Units, 17, position{2, 0}},           // c after a lone CR
		{utf16Units, 19, position{3, 0}},           // empty line
		{utf16Units, len(data), position{4, 4}},    // the end
		{utf8Units, len(data) - 1, position{4, 3}}, // before it
	} {
		x := newText(data, test.enc)
		if got := x.position(test.offset); got != test.want {
			t.Errorf("%s: byte %d is at %v, want %v", test.enc, test.offset, got, test.want)
		}
		if got := x.offset(test.want); got != test.offset {
			t.Errorf("%s: %v is byte %d, want %d", test.enc, test.want, got, test.offset)
		}
	}
	x := newText(data, utf16Units)
	for p, want := range map[position]int{{0, 99}: 13, {9, 0}: len(data), {-1, 3}: 0, {3, 5}: 19} {
		if got := x.offset(p); got != want {
			t.Errorf("%v is byte %d, want %d", p, got, want)
		}
	}
}

func FuzzPositions(f *testing.F) {
	f.Add("a é €𝄞x\r\nb\rc\n\nlast", 12)
	f.Add("\xff\xfe\n", 1)
	f.Fuzz(func(t *testing.T, data string, offset int) {
		for _, enc := range []encoding{utf8Units, utf16Units} {
			x := newText(data, enc)
			p := x.position(offset)
			if back := x.position(x.offset(p)); back != p {
				t.Errorf("%s: %q: byte %d is at %v, and that at %v", enc, data, offset, p, back)
			}
		}
	})
}

func TestURIs(t *testing.T) {
	for uri, want := range map[string]string{
		"file:///a/b.go":           "/a/b.go",
		"file:///a%20b/%C3%A9.go":  "/a b/é.go",
		"file://localhost/a/b.go":  "/a/b.go",
		"untitled:Untitled-1":      "",
		"git:/a/b.go?%7B%7D":       "",
		"file:///a/../c/./d%23.go": "/c/d#.go",
	} {
		if got := pathOf(uri); got != want {
			t.Errorf("%s is %q, want %q", uri, got, want)
		}
	}
	for _, path := range []string{"/a/b.go", "/a b/é#?.go", "/100%/x.go"} {
		if got := pathOf(uriOf(path)); got != path {
			t.Errorf("%s came back as %s", path, got)
		}
	}
}

// What is shown moves with the text, and goes where the text itself is changed.
func TestShownMoves(t *testing.T) {
	at := func(line, char int) position { return position{line, char} }
	fresh := func() *document {
		d := &document{text: newText("one\ntwo three\nfour\n", utf16Units)}
		d.shown = []shown{{start: 4, end: 7, id: "two"}, {start: 14, end: 18, id: "four"}}
		return d
	}
	ids := func(d *document) (list []string) {
		for _, s := range d.shown {
			list = append(list, s.id+"="+d.text.data[s.start:s.end])
		}
		return list
	}
	for _, test := range []struct {
		name    string
		change  contentChange
		want    []string
		dropped bool
	}{
		{"before", contentChange{&textRange{at(0, 0), at(0, 3)}, "ten\neleven"}, []string{"two=two", "four=four"}, false},
		{"between", contentChange{&textRange{at(1, 4), at(1, 9)}, ""}, []string{"two=two", "four=four"}, false},
		{"just after", contentChange{&textRange{at(1, 3), at(1, 3)}, "x"}, []string{"two=two", "four=four"}, false},
		{"inside", contentChange{&textRange{at(1, 1), at(1, 2)}, "x"}, []string{"four=four"}, true},
		{"over both", contentChange{&textRange{at(0, 0), at(3, 0)}, ""}, nil, true},
		{"all", contentChange{nil, "new"}, nil, true},
		{"reversed", contentChange{&textRange{at(1, 9), at(1, 4)}, "é"}, []string{"two=two", "four=four"}, false},
	} {
		d := fresh()
		dropped := d.change(test.change)
		if got := ids(d); !slices.Equal(got, test.want) || dropped != test.dropped {
			t.Errorf("%s: %q, dropped %t; want %q, %t", test.name, got, dropped, test.want, test.dropped)
		}
	}
}
