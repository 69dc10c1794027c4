package lsp

import (
	"github.com/concvet/concvet/internal/vetrun"
)

// A document is a file that is open in the editor. Its URI is the editor's own
// spelling, which is what the editor wants back.
type document struct {
	uri     string
	path    string
	version int
	text    *text
	shown   []shown // what was published last, at the places where it is now
	checked int     // version that shown is of; -1 before the first check
}

// A shown diagnostic is one that the editor has.
type shown struct {
	start, end int // offsets in the text of the document
	diag       diagnostic
	finding    vetrun.Finding
	id         string
}

// change applies one change and moves what is shown along. It reports whether
// something is gone because its very text was changed.
func (d *document) change(c contentChange) (dropped bool) {
	if c.Range == nil {
		dropped = len(d.shown) > 0
		d.shown = nil
		d.text = newText(c.Text, d.text.enc)
		return dropped
	}
	start, end := d.text.offset(c.Range.Start), d.text.offset(c.Range.End)
	if end < start {
		start, end = end, start
	}
	kept := d.shown[:0:0]
	for _, s := range d.shown {
		switch delta := len(c.Text) - (end - start); {
		case s.end <= start:
		case s.start >= end:
			s.start += delta
			s.end += delta
		default:
			dropped = true
			continue
		}
		kept = append(kept, s)
	}
	d.shown = kept
	d.text = newText(d.text.data[:start]+c.Text+d.text.data[end:], d.text.enc)
	return dropped
}

// diagnostics is what is shown, at the places where it is now.
func (d *document) diagnostics() []diagnostic {
	list := make([]diagnostic, 0, len(d.shown))
	for i := range d.shown {
		s := &d.shown[i]
		s.diag.Range = d.text.span(s.start, s.end)
		list = append(list, s.diag)
	}
	return list
}

// current reports whether what is shown is of the text as it is now.
func (d *document) current() bool { return d.checked == d.version }
