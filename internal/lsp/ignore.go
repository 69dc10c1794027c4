package lsp

import (
	"strings"

	"github.com/concvet/concvet/internal/apply"
)

// ignore inserts a directive above the statement or declaration of a finding.
// The reason is left to the author: a directive must have one, and only a person
// knows it.
func ignore(d *document, f shown) ([]textEdit, error) {
	line, err := apply.StatementLine([]byte(d.text.data), d.text.position(f.start).Line+1)
	if err != nil {
		return nil, err
	}
	line-- // the protocol counts from 0
	start := d.text.lines[line]
	rest := d.text.data[start:d.text.lineEnd(line)]
	indent := rest[:len(rest)-len(strings.TrimLeft(rest, " \t"))]
	newline := "\n"
	if strings.HasPrefix(d.text.data[start+len(rest):], "\r\n") {
		newline = "\r\n"
	}
	text := indent + "//concvet:ignore " + f.finding.Category + " TODO: reason" + newline
	return []textEdit{{d.text.span(start, start), text}}, nil
}

// ignorable reports whether a directive can suppress f: not if it is about one.
func (f shown) ignorable() bool { return !strings.HasPrefix(f.finding.Category, "directive/") }
