package lsp

import (
	"bytes"
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
)

// codec is encoding/json: text from source code may hold bytes that are not
// UTF-8, and must not cost the message it is in.
type codec struct{}

func (codec) Marshal(v any) ([]byte, error) {
	switch raw := v.(type) {
	case nil:
		return []byte("null"), nil
	case jsonrpc2.RawMessage:
		return raw, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func (codec) Unmarshal(data []byte, v any) error {
	if raw, ok := v.(*jsonrpc2.RawMessage); ok {
		*raw = append((*raw)[:0], data...)
		return nil
	}
	return json.Unmarshal(data, v)
}
