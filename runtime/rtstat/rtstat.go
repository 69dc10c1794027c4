package rtstat

import (
	"encoding/json"
	"expvar"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A Source has statistics of some kind S: a *workpool.Pool, a
// *bulkhead.Bulkhead, a *bqueue.Queue, or a type of your own.
type Source[S any] interface{ Stats() S }

// An Entry is what one source said.
type Entry struct {
	Name  string
	Stats any // of type S of the Source
}

// A Registry is a set of named sources. The zero Registry is empty. It must not
// be copied.
type Registry struct {
	mu      sync.Mutex
	sources map[string]*source
}

type source struct{ stats func() any }

// Default is the registry of the functions of this package.
var Default Registry

// Register adds a source to the Default registry, like [Add].
func Register[S any](name string, s Source[S]) (remove func()) { return Add(&Default, name, s) }

// Add adds a source to r under a name, and returns a function that removes it
// again. It panics if the name is empty or taken: two pools of one name could
// not be told apart.
func Add[S any](r *Registry, name string, s Source[S]) (remove func()) {
	if name == "" {
		panic("rtstat: a source needs a name")
	}
	if s == nil {
		panic("rtstat: the source " + name + " is nil")
	}
	src := &source{stats: func() any { return s.Stats() }}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sources[name] != nil {
		panic(fmt.Sprintf("rtstat: there is a source %q already", name))
	}
	if r.sources == nil {
		r.sources = make(map[string]*source)
	}
	r.sources[name] = src
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.sources[name] == src {
			delete(r.sources, name)
		}
	}
}

// Snapshot asks every source and returns what they say, by name. It holds no
// lock while it asks, so that a source may use the registry.
func (r *Registry) Snapshot() []Entry {
	r.mu.Lock()
	ask := make(map[string]*source, len(r.sources))
	names := make([]string, 0, len(r.sources))
	for name, s := range r.sources {
		ask[name] = s
		names = append(names, name)
	}
	r.mu.Unlock()
	slices.Sort(names)
	entries := make([]Entry, len(names))
	for i, name := range names {
		entries[i] = Entry{Name: name, Stats: ask[name].stats()}
	}
	return entries
}

// Snapshot asks every source of the Default registry.
func Snapshot() []Entry { return Default.Snapshot() }

// Publish makes the Default registry the expvar variable of that name, like
// [Registry.Publish].
func Publish(name string) { Default.Publish(name) }

// Publish makes r an expvar variable: an object with a member a source. It
// panics if the name is taken, as expvar does, and it cannot be undone.
func (r *Registry) Publish(name string) { expvar.Publish(name, (*variable)(r)) }

type variable Registry

// String returns the sources as JSON. A source that JSON cannot express is the
// error as a string, and does not hide the others.
func (v *variable) String() string {
	var b strings.Builder
	b.WriteByte('{')
	for i, e := range (*Registry)(v).Snapshot() {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(e.Name)
		value, err := json.Marshal(e.Stats)
		if err != nil {
			value, _ = json.Marshal(err.Error())
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.String()
}
