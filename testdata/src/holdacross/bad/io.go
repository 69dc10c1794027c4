package bad

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
)

// Functions that only pass bytes on wait as long as what they read or write.

type sink struct {
	mu     sync.Mutex
	values map[string]any
}

func (s *sink) responseBodyBad(resp *http.Response) {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, _ := io.ReadAll(resp.Body) // want `s\.mu .* is held across an outbound call \(io\.ReadAll\)`
	s.values["a"] = data
}

func (s *sink) decoderBad(resp *http.Response) {
	s.mu.Lock()
	defer s.mu.Unlock()
	json.NewDecoder(resp.Body).Decode(&s.values) // want `s\.mu .* is held across an outbound call \(\(\*json\.Decoder\)\.Decode\)`
}

func (s *sink) connBad(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.Write([]byte("x")) // want `s\.mu .* is held across an outbound call \(\(net\.Conn\)\.Write\)`
}

func (s *sink) fprintBad(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(c, "x") // want `s\.mu .* is held across an outbound call \(fmt\.Fprintln\)`
}

func (s *sink) copyBad(dst io.Writer, c *net.TCPConn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	io.Copy(dst, c) // want `s\.mu .* is held across an outbound call \(io\.Copy\)`
}

func (s *sink) bufioBad(c net.Conn) {
	r := bufio.NewReader(c)
	s.mu.Lock()
	defer s.mu.Unlock()
	line, _ := r.ReadString('\n') // want `s\.mu .* is held across an outbound call \(\(\*bufio\.Reader\)\.ReadString\)`
	s.values["line"] = line
}

func (s *sink) wrappedBad(resp *http.Response) {
	s.mu.Lock()
	defer s.mu.Unlock()
	io.ReadAll(io.LimitReader(resp.Body, 1<<20)) // want `s\.mu .* is held across an outbound call \(io\.ReadAll\)`
}

func (s *sink) responseWriterBad(w http.ResponseWriter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	json.NewEncoder(w).Encode(s.values) // want `s\.mu .* is held across an outbound call \(\(\*json\.Encoder\)\.Encode\)`
}

// A helper that takes any reader: who it is shows at the call.
func load(r io.Reader, v any) error { return json.NewDecoder(r).Decode(v) }

func (s *sink) helperBad(resp *http.Response) {
	s.mu.Lock()
	defer s.mu.Unlock()
	load(resp.Body, &s.values) // want `s\.mu .* is held across an outbound call \(\(\*json\.Decoder\)\.Decode via load\)`
}

func (s *sink) helperConnBad(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	load(c, &s.values) // want `s\.mu .* is held across an outbound call`
}

func (s *sink) requestBodyBad(r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	io.Copy(io.Discard, r.Body) // want `s\.mu .* is held across an outbound call \(io\.Copy\)`
}

func (s *sink) dialBad() {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := net.Dial("tcp", "peer.example:80") // want `s\.mu .* is held across an outbound call \(net\.Dial\)`
	if err != nil {
		return
	}
	c.Close()
}

func (s *sink) lookupBad() {
	s.mu.Lock()
	defer s.mu.Unlock()
	net.LookupHost("peer.example") // want `s\.mu .* is held across a name look-up \(net\.LookupHost\)`
}
