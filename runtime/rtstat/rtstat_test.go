package rtstat

import (
	"encoding/json"
	"expvar"
	"fmt"
	"math"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/concvet/concvet/runtime/bqueue"
	"github.com/concvet/concvet/runtime/bulkhead"
	"github.com/concvet/concvet/runtime/internal/hist"
)

type stats struct {
	Name   string
	N      int
	Wait   hist.Dist
	For    time.Duration
	hidden int
}

type fake func() stats

func (f fake) Stats() stats { return f() }

func TestSnapshotAsksEverySourceByName(t *testing.T) {
	var r Registry
	n := 0
	removeB := Add(&r, "b", fake(func() stats { n++; return stats{N: n} }))
	Add(&r, "a", bulkhead.New(3))
	Add(&r, "c", bqueue.New[int](7, bqueue.Block))
	Add(&r, "d", bqueue.NewLanes[int](7, 8))
	Add(&r, "e", bulkhead.NewKeyed(2, func(string) *bulkhead.Bulkhead { return bulkhead.New(1) }))
	for want := 1; want < 3; want++ {
		s := r.Snapshot()
		if len(s) != 5 || s[0].Name != "a" || s[0].Stats.(bulkhead.Stats).Limit != 3 || s[1].Stats.(stats).N != want || s[2].Stats.(bqueue.Stats).Cap != 7 {
			t.Fatalf("%+v", s)
		}
	}
	removeB()
	removeB()
	if s := r.Snapshot(); len(s) != 4 || n != 2 {
		t.Errorf("%+v after %d calls", s, n)
	}
}

func TestRemoveRemovesItsOwnSourceOnly(t *testing.T) {
	var r Registry
	remove := Add(&r, "a", fake(func() stats { return stats{} }))
	remove()
	Add(&r, "a", fake(func() stats { return stats{N: 2} }))
	remove()
	if s := r.Snapshot(); len(s) != 1 || s[0].Stats.(stats).N != 2 {
		t.Errorf("%+v", s)
	}
}

func TestNamesAreNotTakenTwice(t *testing.T) {
	var r Registry
	f := fake(func() stats { return stats{} })
	Add(&r, "a", f)
	for want, add := range map[string]func(){
		`there is a source "a" already`: func() { Add(&r, "a", f) },
		"a source needs a name":         func() { Add(&r, "", f) },
		"the source x is nil":           func() { Add[stats](&r, "x", nil) },
	} {
		func() {
			defer func() {
				if msg := fmt.Sprint(recover()); msg != "rtstat: "+want {
					t.Errorf("panic %q, want %q", msg, want)
				}
			}()
			add()
		}()
	}
}

func TestASourceMayUseTheRegistry(t *testing.T) {
	var r Registry
	Add(&r, "a", fake(func() stats {
		Add(&r, "b", fake(func() stats { return stats{} }))()
		return stats{N: 1}
	}))
	if s := r.Snapshot(); len(s) != 1 {
		t.Errorf("%+v", s)
	}
}

func TestPublishIsJSONAlsoWhereASourceIsNot(t *testing.T) {
	var r Registry
	b := bulkhead.New(3, bulkhead.WithName("billing"))
	b.TryAcquire()
	Add(&r, "billing", b)
	Add(&r, "not \"json\"", inf{})
	name := fmt.Sprintf("rtstat test %d", published.Add(1)) // cannot be unpublished
	r.Publish(name)
	var got map[string]any
	if err := json.Unmarshal([]byte(expvar.Get(name).String()), &got); err != nil {
		t.Fatal(err)
	}
	if m := got["billing"].(map[string]any); m["InUse"] != 1.0 || m["Limit"] != 3.0 {
		t.Errorf("%v", m)
	}
	if s, _ := got["not \"json\""].(string); !strings.Contains(s, "unsupported value") {
		t.Errorf("%v", got)
	}
}

var published atomic.Int64

type inf struct{}

func (inf) Stats() float64 { return math.Inf(1) }

func TestTextHasALineAFigure(t *testing.T) {
	var r Registry
	s := stats{Name: "x", N: 3, For: time.Second, hidden: 7}
	s.Wait.Record(time.Millisecond)
	Add(&r, "mine", fake(func() stats { return s }))
	k := bulkhead.NewKeyed(2, func(string) *bulkhead.Bulkhead { return bulkhead.New(1) })
	k.Get("host").TryAcquire()
	Add(&r, "hosts", k)
	Add(&r, "queue", bqueue.New[int](7, bqueue.DropOldest))
	rec := httptest.NewRecorder()
	r.Handler().ServeHTTP(rec, httptest.NewRequest("GET", "/", nil))
	got := rec.Body.String()
	for _, want := range []string{
		"mine Name \"x\"\n", "mine N 3\n", "mine For 1s\n",
		"mine Wait count=1 mean=1ms p50=1ms p99=1ms max=1ms\n",
		"hosts MaxKeys 2\n", "hosts Keys[0] Key \"host\"\n", "hosts Keys[0] InUse 1\n",
		"queue Policy DropOldest\n", "queue Cap 7\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no line %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "hidden") || strings.Contains(got, "Other") {
		t.Errorf("in\n%s", got)
	}
	if ct := rec.Header().Get("Content-Type"); !strings.HasPrefix(ct, "text/plain") {
		t.Error(ct)
	}
}

func TestStressRegistry(t *testing.T) {
	var r Registry
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for range 500 {
				remove := Add(&r, fmt.Sprint(g), bulkhead.New(1))
				r.Snapshot()
				remove()
			}
		})
	}
	wg.Wait()
	if s := r.Snapshot(); len(s) != 0 {
		t.Errorf("%+v", s)
	}
}
