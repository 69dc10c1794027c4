package effect_test

import (
	"strings"
	"testing"
	"time"

	"github.com/concvet/concvet/internal/effect"
)

func TestPathSplit(t *testing.T) {
	for path, want := range map[effect.Path][2]string{
		"":                         {"", ""},
		"recv":                     {"recv", ""},
		"p0.a.b":                   {"p0", ".a.b"},
		"p12[3].x":                 {"p12", "[3].x"},
		"g:example.com/a.b/c.Var":  {"g:example.com/a.b/c.Var", ""},
		"g:example.com/c.Var.x[0]": {"g:example.com/c.Var", ".x[0]"},
		"g:c.Var.x":                {"g:c.Var", ".x"},
		"g:c.Var[1].x":             {"g:c.Var", "[1].x"},
		"g:malformed":              {"g:malformed", ""},
		"l:7.mu":                   {"l:7", ".mu"},
	} {
		root, fields := path.Split()
		if root != want[0] || fields != want[1] {
			t.Errorf("Split(%q) = %q, %q, want %q", path, root, fields, want)
		}
	}
}

func TestPathRoots(t *testing.T) {
	for _, c := range []struct {
		path          effect.Path
		param, result int // -9: none
	}{
		{"recv", -1, -9}, {"recv.x", -1, -9}, {"p0", 0, -9}, {"p10.x", 10, -9}, {"r1.x", -9, 1},
		{"p", -9, -9}, {"px", -9, -9}, {"p1x", -9, -9}, {"received", -9, -9}, {"", -9, -9},
		{"p99999999999999999999", -9, -9}, {"g:p0.X", -9, -9},
	} {
		if i, ok := c.path.Param(); ok != (c.param != -9) || ok && i != c.param {
			t.Errorf("Param(%q) = %d, %v", c.path, i, ok)
		}
		if i, ok := c.path.Result(); ok != (c.result != -9) || ok && i != c.result {
			t.Errorf("Result(%q) = %d, %v", c.path, i, ok)
		}
	}
	for i := -1; i < 3; i++ {
		if j, ok := effect.ParamPath(i).Param(); !ok || i != j {
			t.Errorf("ParamPath(%d) = %q", i, effect.ParamPath(i))
		}
	}
	if i, ok := effect.ResultPath(2).Result(); !ok || i != 2 {
		t.Errorf("ResultPath(2) = %q", effect.ResultPath(2))
	}
}

func TestPathLast(t *testing.T) {
	for path, want := range map[effect.Path]string{
		"recv": "recv", "p0.a.mu": "mu", "p0.a[1]": "a", "g:x/y.Z": "Z", "g:x/y.Z.mu": "mu", "": "",
	} {
		if got := path.Last(); got != want {
			t.Errorf("Last(%q) = %q, want %q", path, got, want)
		}
	}
}

// Names are what users write in models and directives.
func TestNamesAreReadBack(t *testing.T) {
	for _, name := range effect.Kinds() {
		k, ok := effect.ParseKind(name)
		if !ok || k.String() != name {
			t.Errorf("ParseKind(%q) = %v, %v", name, k, ok)
		}
	}
	if len(effect.Kinds()) < 18 {
		t.Errorf("only %d kinds", len(effect.Kinds()))
	}
	for _, bad := range []string{"", "none", "Net", "kind(3)"} {
		if k, ok := effect.ParseKind(bad); ok {
			t.Errorf("ParseKind(%q) = %v", bad, k)
		}
		if c, ok := effect.ParseClass(bad); ok {
			t.Errorf("ParseClass(%q) = %v", bad, c)
		}
	}
	for c := effect.Mutex; c <= effect.Slot; c++ {
		if back, ok := effect.ParseClass(c.String()); !ok || back != c {
			t.Errorf("ParseClass(%q) = %v, %v", c, back, ok)
		}
		if c.IsLock() && c.Pinned() {
			t.Errorf("%v is a lock and a connection", c)
		}
	}
}

// The language of the fact tests, one of each clause.
func TestString(t *testing.T) {
	want := []string{
		"blocks(sleep <=1s repeats)",
		"blocks(net ctx=recv on recv.conn)",
		"blocks(db joined pool p0.db free recv.mu free recv.rw)",
		"starts(spawn net+db+opaque)",
		"calls(recv async each p2 group)",
		"calls(p2 under tx recv.db under lock recv.mu free recv.other)",
		"acquires(rows r1 from p0)", "acquires(conn r0)",
		"releases(p0)", "releases(p1.tx)", "keeps(p2)", "locks(rlock recv.rw)", "unlocks(lock g:a/b.Mu)",
		"links(r0.db=p0)", "ends(r1 as p2)", "ends(r0 deadline 1s)", "iface((p.I).M)",
		"task(p1 run by the loop of recv.jobs waits)", "limits(r0) makes(calls(p1 under rows recv.db))",
	}
	if got := full().String(); got != strings.Join(want, " ") {
		t.Errorf("got  %s\nwant %s", got, strings.Join(want, " "))
	}
	if got := (&effect.Summary{}).String(); got != "nothing" {
		t.Errorf("an empty summary is %q", got)
	}
	if !(*effect.Summary)(nil).Empty() {
		t.Error("no summary is not empty")
	}
	b := effect.Bound{Kind: effect.ConstBound, Dur: 90 * time.Second}
	if b.String() != "<=1m30s" {
		t.Errorf("%q", b)
	}
}

func TestCutFramesKeepsBothEnds(t *testing.T) {
	var frames []effect.Frame
	for _, c := range "abcdefgh" {
		frames = append(frames, effect.Frame{Call: string(c)})
	}
	cut := effect.CutFrames(frames, 3)
	var calls string
	for _, f := range cut {
		calls += f.Call
	}
	if calls != "abh" {
		t.Errorf("%q, want the first two and the last", calls)
	}
	if len(effect.CutFrames(frames, 8)) != 8 || len(effect.CutFrames(frames, 1)) != 1 {
		t.Error("wrong length")
	}
}
