package apply

import (
	"bytes"
	"cmp"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"slices"

	"github.com/concvet/concvet/internal/vetrun"
)

// contents is what the files of fixes hold after them.
func (p *Plan) contents(fixes []*chosen) (map[string][]byte, error) {
	edits := map[string][]vetrun.Edit{}
	for _, c := range fixes {
		for _, e := range c.fix.Edits {
			edits[e.File] = append(edits[e.File], e)
		}
	}
	out := map[string][]byte{}
	for _, file := range slices.Sorted(maps.Keys(edits)) {
		old := p.original[file]
		data := finish(old, edit(old, edits[file]))
		if _, err := parser.ParseFile(token.NewFileSet(), file, data, parser.SkipObjectResolution); err != nil {
			return nil, err
		}
		if !bytes.Equal(data, old) {
			out[file] = data
		}
	}
	return out, nil
}

// edit applies edits that do not overlap. Two fixes may bring the same edit,
// such as an import; it is made once.
func edit(old []byte, edits []vetrun.Edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b vetrun.Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.New, b.New))
	})
	edits = slices.Compact(edits)
	crlf := usesCRLF(old)
	var out bytes.Buffer
	last := 0
	for _, e := range edits {
		out.Write(old[last:e.Start])
		text := []byte(e.New)
		if crlf {
			text = toCRLF(toLF(text))
		}
		out.Write(text)
		last = e.End
	}
	out.Write(old[last:])
	return out.Bytes()
}

// finish formats the file if it was formatted before. A file that was not is
// left as its author has it, except for the edits.
func finish(old, data []byte) []byte {
	if !formatted(old) || formatted(data) {
		return data
	}
	bom, body := cutBOM(data)
	out, err := format.Source(toLF(body))
	if err != nil {
		return data // the parser will say what is wrong
	}
	if usesCRLF(data) {
		out = toCRLF(out)
	}
	return slices.Concat(bom, out)
}

func formatted(data []byte) bool {
	_, body := cutBOM(data)
	body = toLF(body)
	out, err := format.Source(body)
	return err == nil && bytes.Equal(out, body)
}

var byteOrderMark = []byte("\ufeff")

func cutBOM(data []byte) (bom, body []byte) {
	if bytes.HasPrefix(data, byteOrderMark) {
		return data[:len(byteOrderMark)], data[len(byteOrderMark):]
	}
	return nil, data
}

// usesCRLF looks at the first line: files do not mix line ends on purpose.
func usesCRLF(data []byte) bool {
	i := bytes.IndexByte(data, '\n')
	return i > 0 && data[i-1] == '\r'
}

func toLF(data []byte) []byte   { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }
func toCRLF(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")) }
