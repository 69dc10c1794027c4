package ok

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

type sink struct {
	mu     sync.Mutex
	values map[string]any
	buf    bytes.Buffer
}

// Memory is fast.
func (s *sink) bufferOk() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b bytes.Buffer
	io.Copy(&b, strings.NewReader("x"))
	json.NewEncoder(&b).Encode(s.values)
	json.NewDecoder(&b).Decode(&s.values)
	fmt.Fprintf(&s.buf, "%d", len(s.values))
	io.ReadAll(&s.buf)
}

func (s *sink) readerOfBytesOk(data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	load(bytes.NewReader(data), &s.values)
}

func load(r io.Reader, v any) error { return json.NewDecoder(r).Decode(v) }

// Who the reader is nobody in sight knows.
func (s *sink) unknownReaderOk(r io.Reader) {
	s.mu.Lock()
	defer s.mu.Unlock()
	io.ReadAll(r)
}

// The body is read before the lock.
func (s *sink) bodyReadFirstOk(resp *http.Response) {
	data, _ := io.ReadAll(resp.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	json.Unmarshal(data, &s.values)
}

// Setting a deadline and closing do not wait for the peer.
func (s *sink) connSettingsOk(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.SetDeadline(time.Now().Add(time.Second))
	c.Close()
}

// Printing to standard output is taken to be fast.
func (s *sink) printOk() {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Println(s.values)
}

func (s *sink) onceOk(once *sync.Once) {
	s.mu.Lock()
	defer s.mu.Unlock()
	once.Do(func() { s.values = map[string]any{} })
}

// A file is fast enough, as far as a lock is concerned.
func (s *sink) fileOk(f *os.File, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.Write(data)
	io.Copy(f, bytes.NewReader(data))
	os.ReadFile("name")
}
