package ok

import "bytes"

type lender struct {
	free  chan *bytes.Buffer
	spare chan *bytes.Buffer
	work  chan *bytes.Buffer
}

func newLender(todo []*bytes.Buffer) *lender {
	l := &lender{free: make(chan *bytes.Buffer, 4), spare: make(chan *bytes.Buffer, 4), work: make(chan *bytes.Buffer, 100)}
	for range 4 {
		l.free <- new(bytes.Buffer)
		l.spare <- new(bytes.Buffer)
	}
	for _, t := range todo {
		l.work <- t
	}
	return l
}

// One after the other.
func (l *lender) oneByOneOk(list []string) {
	for _, s := range list {
		b := <-l.free
		b.WriteString(s)
		l.free <- b
	}
}

// It is given back before the next one is taken.
func (l *lender) backFirstOk(s string) {
	b := <-l.free
	b.WriteString(s)
	l.free <- b
	l.oneByOneOk([]string{s})
}

// There is a new one where none is free.
func (l *lender) getSpare() *bytes.Buffer {
	select {
	case b := <-l.spare:
		return b
	default:
		return new(bytes.Buffer)
	}
}

func (l *lender) spareOk(s string) {
	b := l.getSpare()
	defer func() { l.spare <- b }()
	c := l.getSpare()
	defer func() { l.spare <- c }()
	b.WriteString(s)
}

// A queue of work that was filled in the beginning.
func (l *lender) workOk() {
	for {
		b := <-l.work
		if b.Len() == 0 {
			continue
		}
		if next := <-l.work; next.Len() > 0 {
			b.Write(next.Bytes())
		}
	}
}
