package bad

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/csv"
	"encoding/gob"
	"encoding/json"
	"io"
	"io/fs"
	"iter"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

func handle(e event) { http.Get("https://peer.example") }

// A decoder of a stream hands out as many values as the peer sends.
func decodeBad(c net.Conn) error {
	dec := json.NewDecoder(c)
	for {
		var e event
		if err := dec.Decode(&e); err != nil {
			return err
		}
		go handle(e) // want `message that is read from c .*go-per-item`
	}
}

type session struct{ dec *gob.Decoder }

func (s *session) next() (event, error) {
	var e event
	err := s.dec.Decode(&e)
	return e, err
}

func (s *session) loopBad() {
	for {
		e, err := s.next()
		if err != nil {
			return
		}
		go handle(e) // want `go-per-item`
	}
}

func linesBad(c net.Conn) {
	r := bufio.NewReader(c)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		go http.Get(line) // want `go-per-item`
	}
}

// Nothing is known of the source but what its method is called.
type source interface {
	Receive(context.Context) (*event, error)
	Name() string
}

func receiveAllBad(ctx context.Context, src source, do func(*event)) error {
	for ctx.Err() == nil {
		e, err := src.Receive(ctx)
		if err != nil {
			return err
		}
		go do(e) // want `message that is read from src .*go-per-item`
	}
	return nil
}

type puller struct {
	pull func() (string, error)
	wg   sync.WaitGroup
}

func (p *puller) runBad() {
	for {
		url, err := p.pull()
		if err != nil {
			continue
		}
		p.wg.Go(func() { http.Get(url) }) // want `go-per-item`
	}
}

// A list to its end: only because each goroutine calls out.
func rowsBad(rows *sql.Rows) {
	for rows.Next() {
		var url string
		if rows.Scan(&url) != nil {
			return
		}
		go http.Get(url) // want `go-per-item`
	}
}

func drainBad(next func() (string, bool)) {
	for {
		url, ok := next()
		if !ok {
			return
		}
		go http.Get(url) // want `go-per-item`
	}
}

// Loops over iterators.
func iteratorBad(seq iter.Seq[string]) {
	for url := range seq {
		go http.Get(url) // want `go-per-item`
	}
}

func valuesBad(urls []string) {
	for url := range slices.Values(urls) {
		go http.Get(url) // want `every element of urls .*go-per-item`
	}
}

func sortedBad(set map[string]bool) {
	for _, url := range slices.Sorted(maps.Keys(set)) {
		go http.Get(url) // want `go-per-item`
	}
}

func fieldsBad(s string) {
	for url := range strings.FieldsSeq(s) {
		go http.Get(url) // want `every element of s .*go-per-item`
	}
}

func recordsBad(r io.Reader) error {
	in := csv.NewReader(r)
	for {
		record, err := in.Read()
		if err != nil {
			return err
		}
		go http.Get(record[0]) // want `go-per-item`
	}
}

// Called once a file.
func treeBad(dir string) {
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		go os.ReadFile(path) // want `go-per-item`
		return nil
	})
}

// In chunks, but none is waited for before the next.
func chunksBad(urls []string) {
	for chunk := range slices.Chunk(urls, 10) {
		for _, url := range chunk {
			go http.Get(url) // want `every element of urls .*go-per-item`
		}
	}
}

// The strings that a function is given are as likely the users'.
func endpointsBad(endpoints []string) {
	var wg sync.WaitGroup
	for _, e := range endpoints {
		wg.Go(func() { http.Get(e) }) // want `every element of endpoints .*go-per-item`
	}
	wg.Wait()
}
