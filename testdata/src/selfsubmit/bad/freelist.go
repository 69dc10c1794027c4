package bad

import (
	"bytes"
	"encoding/json"
	"io"
)

// A free list: as many buffers as there are.
type buffers struct{ free chan *bytes.Buffer }

func newBuffers() *buffers {
	b := &buffers{free: make(chan *bytes.Buffer, 4)}
	for range 4 {
		b.free <- new(bytes.Buffer)
	}
	return b
}

func (b *buffers) get() *bytes.Buffer  { return <-b.free }
func (b *buffers) put(v *bytes.Buffer) { b.free <- v }

func (b *buffers) encode(w io.Writer, v any) error {
	buf := b.get()
	defer b.put(buf)
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		return err
	}
	_, err := buf.WriteTo(w)
	return err
}

func (b *buffers) listBad(w io.Writer, list []any) error {
	buf := b.get()
	defer b.put(buf)
	for _, v := range list {
		if err := b.encode(buf, v); err != nil { // want `a slot of b.free is held \(taken at line \d+\) while .* waits for a second one: with 4 slots, 4 callers .*token-nested`
			return err
		}
	}
	_, err := buf.WriteTo(w)
	return err
}

func (b *buffers) twiceBad(w io.Writer, v any) error {
	outer := <-b.free
	inner := <-b.free // want `a slot of b.free is held .*token-nested`
	defer func() {
		b.free <- inner
		b.free <- outer
	}()
	return json.NewEncoder(io.MultiWriter(outer, inner, w)).Encode(v)
}

// Filled before it is put into the field.
type codec interface{ Encode(any) error }

type codecs struct{ pool chan codec }

func newCodecs(n int, w io.Writer) *codecs {
	pool := make(chan codec, n)
	for range n {
		pool <- json.NewEncoder(w)
	}
	return &codecs{pool: pool}
}

func (c *codecs) writeBad(v any, parts []any) error {
	e := <-c.pool
	defer func() { c.pool <- e }()
	for _, p := range parts {
		if err := c.write(p); err != nil { // want `a slot of c.pool is held .* with N slots, N callers .*token-nested`
			return err
		}
	}
	return e.Encode(v)
}

func (c *codecs) write(v any) error {
	e := <-c.pool
	defer func() { c.pool <- e }()
	return e.Encode(v)
}
