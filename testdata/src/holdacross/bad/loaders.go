package bad

import (
	"net/http"
	"sync"
)

// A cache that is filled key by key: who misses one key keeps everybody from all
// others, also from those that are there.
type pages struct {
	mu    sync.Mutex
	pages map[string]*http.Response
}

func (p *pages) getBad(url string) (*http.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r, ok := p.pages[url]; ok {
		return r, nil
	}
	r, err := http.Get(url) // want `p\.mu .* is held across an outbound call \(http\.Get\).*holdacross/lock-blocking`
	if err != nil {
		return nil, err
	}
	p.pages[url] = r
	return r, nil
}

// The same with a loader in a field, which is a method value.
type loaded struct {
	load func(string) (*http.Response, error)
	mu   sync.Mutex
	have map[string]*http.Response
}

type source struct{ client *http.Client }

func (s *source) fetch(url string) (*http.Response, error) { return s.client.Get(url) }

func newLoaded(c *http.Client) *loaded {
	s := &source{client: c}
	return &loaded{load: s.fetch, have: map[string]*http.Response{}}
}

func (l *loaded) getBad(url string) (*http.Response, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r := l.have[url]; r != nil {
		return r, nil
	}
	r, err := l.load(url) // want `l\.mu .* is held across an outbound call .*holdacross/lock-blocking`
	if err == nil {
		l.have[url] = r
	}
	return r, err
}
