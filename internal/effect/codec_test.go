package effect_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/concvet/concvet/internal/effect"
)

// full has every field of a summary set.
func full() *effect.Summary {
	return &effect.Summary{
		Effects: []effect.Effect{
			{Kind: effect.Sleep, Bound: effect.Bound{Kind: effect.ConstBound, Dur: time.Second}, API: "time.Sleep", Repeats: true, Frames: []effect.Frame{{Pos: "a.go:1", Call: "time.Sleep"}}},
			{Kind: effect.Net, Bound: effect.Bound{Kind: effect.CtxBound, Param: -1, Dur: time.Minute}, API: "do", On: "recv.conn", Field: "(p.T).conn", Frames: []effect.Frame{{Pos: "x/y/b.go:2", Call: "fetch"}, {Pos: "b.go:3", Call: "do"}}},
			{Kind: effect.DB, API: "exec", OnFile: true, Pool: "p0.db", Without: "p1", Free: []effect.Path{"recv.mu", "recv.rw"}, Rounds: true, Joined: true},
			{Kind: effect.Spawn, API: "go", Does: effect.WorkOf(effect.Net, effect.DB) | effect.Opaque, Frames: []effect.Frame{{Pos: "a.go:9", Call: "go f"}}},
		},
		Omitted: 3,
		Calls: []effect.ParamCall{
			{Param: -1, Mode: effect.Async, List: 3, Group: true},
			{Param: 2, Held: []effect.Held{{Class: effect.Tx, Path: "recv.db", Arg: 0}, {Class: effect.Mutex, Path: "recv.mu", Arg: -1}}, Free: []effect.Path{"recv.other"}, Frames: []effect.Frame{{Pos: "c.go:4", Call: "parameter f"}}},
		},
		Acquires: []effect.Acquired{{Class: effect.Rows, Result: 1, Pool: "p0", Err: 2, OK: true}, {Class: effect.Conn, Err: -1}},
		Releases: []effect.Path{"p0", "p1.tx"},
		Keeps:    []effect.Path{"p2"},
		Locks:    []effect.LockOp{{Class: effect.RLock, Path: "recv.rw"}},
		Unlocks:  []effect.LockOp{{Class: effect.Mutex, Path: "g:a/b.Mu"}},
		Links:    []effect.Link{{To: "r0.db", From: "p0"}},
		Ends:     []effect.Ending{{Result: 1, End: effect.EndCaller, Param: 2}, {End: effect.EndDeadline, Dur: time.Second}},
		Symbolic: []effect.Symbolic{{Method: "(p.I).M", Frames: []effect.Frame{{Pos: "d.go:5", Call: "I.M"}}}},
		Tasks:    []effect.Task{{Param: 1, Pool: "recv.jobs", How: effect.OnLoop, Blocks: effect.Always}},
		Limits:   []effect.Path{"r0"},
		Made:     &effect.Summary{Calls: []effect.ParamCall{{Param: 1, Held: []effect.Held{{Class: effect.Rows, Path: "recv.db", Arg: -1}}}}},
	}
}

// A clause that full does not set would be one that no test sends through the
// codec.
func TestFullSetsEveryField(t *testing.T) {
	var check func(v reflect.Value, name string)
	check = func(v reflect.Value, name string) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				check(v.Field(i), name+"."+v.Type().Field(i).Name)
			}
		case reflect.Slice:
			set := false
			for i := range v.Len() {
				set = set || !v.Index(i).IsZero()
			}
			if !set {
				t.Errorf("%s is empty", name)
			}
			if v.Len() > 0 && v.Index(0).Kind() == reflect.Struct {
				for f := range v.Index(0).NumField() {
					some := false
					for i := range v.Len() {
						some = some || !v.Index(i).Field(f).IsZero()
					}
					if !some {
						t.Errorf("%s[].%s is never set", name, v.Index(0).Type().Field(f).Name)
					}
				}
			}
		default:
			if v.IsZero() {
				t.Errorf("%s is zero", name)
			}
		}
	}
	check(reflect.ValueOf(*full()), "Summary")
}

func TestDecodeIsTheInverseOfEncode(t *testing.T) {
	for _, s := range []*effect.Summary{{}, full()} {
		text := s.Encode()
		back, err := effect.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, s) {
			t.Errorf("decoded\n%+v\nwant\n%+v", back, s)
		}
		if again := back.Encode(); again != text {
			t.Errorf("encoded again: %q, want %q", again, text)
		}
	}
}

func TestEncodeIsDeterministic(t *testing.T) {
	text := full().Encode()
	for range 10 {
		if again := full().Encode(); again != text {
			t.Fatalf("%q and %q", text, again)
		}
	}
}

// What is not sorted must not show: two runs may see the calls of a function in
// any order.
func TestNormalizeDependsOnNoOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		s := random(r)
		other := shuffled(r, s)
		s.Normalize()
		other.Normalize()
		if a, b := s.Encode(), other.Encode(); a != b {
			t.Fatalf("round %d:\n%v\n%v", round, s, other)
		}
		text := s.Encode()
		s.Normalize()
		if s.Encode() != text {
			t.Fatalf("round %d: normalizing twice changes %v", round, s)
		}
	}
}

func shuffled(r *rand.Rand, s *effect.Summary) *effect.Summary {
	out := *s
	out.Effects = mixed(r, s.Effects)
	out.Calls = mixed(r, s.Calls)
	out.Acquires = mixed(r, s.Acquires)
	out.Releases = mixed(r, s.Releases)
	out.Keeps = mixed(r, s.Keeps)
	out.Locks = mixed(r, s.Locks)
	out.Unlocks = mixed(r, s.Unlocks)
	out.Links = mixed(r, s.Links)
	out.Symbolic = mixed(r, s.Symbolic)
	return &out
}

func mixed[T any](r *rand.Rand, list []T) []T {
	out := append([]T(nil), list...)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// random makes a summary with more entries than the limits allow, and many that
// differ in one field only.
func random(r *rand.Rand) *effect.Summary {
	path := func() effect.Path {
		return effect.Path([]string{"", "recv", "p0", "p1.a", "g:x/y.Z", "recv.mu[0]"}[r.IntN(6)])
	}
	frames := func() []effect.Frame {
		var out []effect.Frame
		for range r.IntN(9) {
			out = append(out, effect.Frame{Pos: "f.go:" + string(rune('1'+r.IntN(3))), Call: string(rune('a' + r.IntN(3)))})
		}
		return out
	}
	class := func() effect.Class { return effect.Class(1 + r.IntN(6)) }
	s := &effect.Summary{Omitted: r.IntN(3)}
	for range r.IntN(20) {
		api := string(rune('a' + r.IntN(2)))
		s.Effects = append(s.Effects, effect.Effect{
			Kind: effect.Kind(1 + r.IntN(5)), API: api, On: path(), Pool: path(), Without: path(), Field: api,
			Bound:   effect.Bound{Kind: effect.BoundKind(r.IntN(8)), Dur: time.Duration(r.IntN(3)), Param: r.IntN(3) - 1},
			Repeats: r.IntN(2) == 0, Joined: r.IntN(2) == 0, Frames: frames(),
		})
	}
	for range r.IntN(12) {
		c := effect.ParamCall{Param: r.IntN(4) - 1, Mode: effect.Mode(r.IntN(2)), Frames: frames()}
		for range r.IntN(3) {
			c.Held = append(c.Held, effect.Held{Class: class(), Path: path(), Arg: r.IntN(3) - 1})
		}
		s.Calls = append(s.Calls, c)
		result := r.IntN(3) // which error goes with a result is a matter of the signature
		s.Acquires = append(s.Acquires, effect.Acquired{Class: class(), Result: result, Pool: path(), Err: result, OK: result == 1})
		s.Releases, s.Keeps = append(s.Releases, path()), append(s.Keeps, path())
		s.Locks = append(s.Locks, effect.LockOp{Class: class(), Path: path()})
		s.Unlocks = append(s.Unlocks, effect.LockOp{Class: class(), Path: path()})
		s.Links = append(s.Links, effect.Link{To: path(), From: path()})
		s.Symbolic = append(s.Symbolic, effect.Symbolic{Method: string(rune('A' + r.IntN(12))), Frames: frames()})
	}
	return s
}

func TestNormalizeKeepsTheLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		s := random(r)
		before := len(s.Effects) + s.Omitted
		s.Normalize()
		n := map[effect.Kind]int{}
		for _, e := range s.Effects {
			if n[e.Kind]++; n[e.Kind] > effect.MaxPerKind {
				t.Fatalf("%d effects of kind %v", n[e.Kind], e.Kind)
			}
			if len(e.Frames) > effect.MaxFrames {
				t.Fatalf("a witness of %d frames", len(e.Frames))
			}
		}
		if after := len(s.Effects) + s.Omitted; after > before {
			t.Fatalf("%d effects kept or counted, of %d", after, before)
		}
		if len(s.Calls) > effect.MaxCalls || len(s.Links) > effect.MaxLinks || len(s.Symbolic) > effect.MaxSymbolic ||
			max(len(s.Acquires), len(s.Releases), len(s.Keeps), len(s.Locks), len(s.Unlocks)) > effect.MaxOps {
			t.Fatalf("a list over its limit in %v", s)
		}
	}
}

// The effect that lasts longest is the one that a cut must keep.
func TestNormalizeKeepsTheWorst(t *testing.T) {
	s := &effect.Summary{}
	for i := range 8 {
		s.Effects = append(s.Effects, effect.Effect{Kind: effect.Sleep, API: "a", Bound: effect.Bound{Kind: effect.ConstBound, Dur: time.Duration(i)}})
	}
	s.Effects = append(s.Effects, effect.Effect{Kind: effect.Sleep, API: "z"})
	s.Normalize()
	if s.Effects[0].Bound.Kind != effect.Unbounded {
		t.Errorf("the sleep without a bound is gone: %v", s)
	}
	if s.Omitted != 5 {
		t.Errorf("%d omitted, want 5", s.Omitted)
	}
}

// Of two ways to one wait the shorter is kept.
func TestNormalizeKeepsTheShortestWitness(t *testing.T) {
	long := []effect.Frame{{Pos: "a.go:1", Call: "f"}, {Pos: "b.go:1", Call: "g"}}
	short := []effect.Frame{{Pos: "z.go:9", Call: "g"}}
	for _, order := range [][][]effect.Frame{{long, short}, {short, long}} {
		s := &effect.Summary{}
		for _, fr := range order {
			s.Effects = append(s.Effects, effect.Effect{Kind: effect.Net, API: "g", Frames: fr})
		}
		s.Normalize()
		if len(s.Effects) != 1 || !reflect.DeepEqual(s.Effects[0].Frames, short) {
			t.Errorf("kept %+v", s.Effects)
		}
	}
}

func TestEncodedSummariesAreBounded(t *testing.T) {
	name := strings.Repeat("n", 10_000)
	huge := full()
	for i := range huge.Effects {
		huge.Effects[i].Frames = []effect.Frame{{Pos: name, Call: name}, {Pos: "a.go:1", Call: "a"}}
	}
	many := full()
	for i := range 1000 {
		many.Symbolic = append(many.Symbolic, effect.Symbolic{Method: strings.Repeat("m", i%50)})
		many.Releases = append(many.Releases, effect.Path(strings.Repeat("p", i%100)))
	}
	for name, s := range map[string]*effect.Summary{"names": huge, "entries": many} {
		text := s.Encode()
		if len(text) > effect.MaxEncoded {
			t.Errorf("%s: %d bytes, over %d", name, len(text), effect.MaxEncoded)
		}
		if _, err := effect.Decode(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Witnesses go first: what the function may do is worth more than where.
	s := full()
	s.Effects[1].Frames = []effect.Frame{{Pos: "a.go:1", Call: strings.Repeat("c", 3000)}, {Pos: "b.go:2", Call: "do"}}
	back, err := effect.Decode(s.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if len(back.Effects) != len(s.Effects) || back.Effects[1].Kind != effect.Net {
		t.Errorf("a long witness costs the effects: %v", back)
	}
}

// A fact that cannot be read must not be taken for one that says nothing.
func TestDecodeRefusesWhatItDoesNotKnow(t *testing.T) {
	text := full().Encode()
	for n := range len(text) {
		if s, err := effect.Decode(text[:n]); err == nil {
			t.Errorf("the first %d of %d bytes were read as %v", n, len(text), s)
		}
	}
	for _, bad := range []string{"", "\x00", "\x02", "\xff", text + "\x00", "\x01\x00\x01\x63"} {
		if s, err := effect.Decode(bad); err == nil {
			t.Errorf("%q was read as %v", bad, s)
		}
	}
	unknown := full()
	unknown.Effects[0].Kind = 200
	if _, err := effect.Decode(unknown.Encode()); err == nil {
		t.Error("a kind of a later version was accepted")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("")
	f.Add("\x01")
	f.Add((&effect.Summary{}).Encode())
	f.Add(full().Encode())
	r := rand.New(rand.NewPCG(5, 6))
	for range 8 {
		s := random(r)
		s.Normalize()
		f.Add(s.Encode())
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := effect.Decode(text)
		if err != nil {
			if s != nil {
				t.Fatal("a summary with an error")
			}
			return
		}
		_ = s.String()
		s.Normalize()
		out := s.Encode()
		if len(out) > effect.MaxEncoded {
			t.Fatalf("%d bytes", len(out))
		}
		back, err := effect.Decode(out)
		if err != nil {
			t.Fatalf("what was read is not written so that it can be read: %v", err)
		}
		if back.Encode() != out {
			t.Fatal("a second round changes it")
		}
	})
}

// TestDecodeKnowsEveryKind holds that no kind or bound that can be written is
// refused when it is read.
func TestDecodeKnowsEveryKind(t *testing.T) {
	for _, name := range effect.Kinds() {
		kind, ok := effect.ParseKind(name)
		if !ok {
			t.Fatalf("ParseKind(%q) failed", name)
		}
		for bound := effect.BoundKind(0); (effect.Bound{Kind: bound}).String() != "?"; bound++ {
			sum := &effect.Summary{Effects: []effect.Effect{{Kind: kind, Bound: effect.Bound{Kind: bound}, API: "f"}}}
			got, err := effect.Decode(sum.Encode())
			if err != nil {
				t.Fatalf("%s, bound %d: %v", name, bound, err)
			}
			if got.Effects[0].Kind != kind || got.Effects[0].Bound.Kind != bound {
				t.Errorf("%s, bound %d became %s, bound %d", name, bound, got.Effects[0].Kind, got.Effects[0].Bound.Kind)
			}
		}
	}
	if text := (effect.Bound{Kind: effect.ToldBound}).String(); text != "told" {
		t.Errorf("the last bound is %q", text)
	}
}
