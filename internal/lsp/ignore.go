package lsp

import "github.com/concvet/concvet/internal/apply"

// ignore inserts a directive above the statement or declaration of a finding.
// The reason is left to the author: a directive must have one, and only a person
// knows it.
func ignore(d *document, f shown) ([]textEdit, error) {
	line, err := apply.StatementLine([]byte(d.text.data), d.text.span(f.start, f.start).Start.Line+1)
	if err != nil {
		return nil, err
	}
	line--
	start := d.text.lines[line]
	end := start
	for end < len(d.text.data) && (d.text.data[end] == ' ' || d.text.data[end] == '\t') {
		end++
	}
	newline := "\n"
	if after := d.text.lineEnd(line); after+1 < len(d.text.data) && d.text.data[after:after+2] == "\r\n" {
		newline = "\r\n"
	}
	text := d.text.data[start:end] + "//concvet:ignore " + f.finding.Category + " TODO: reason" + newline
	return []textEdit{{d.text.span(start, start), text}}, nil
}
