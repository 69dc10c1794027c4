package effect

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

// codecVersion is the first byte of every encoded summary.
const codecVersion = 7

// limitMark stands in the place of a parameter before a pool that gets a limit,
// madeMark before what an iterator does that is made.
const (
	limitMark = -2
	madeMark  = -3
)

// MaxEncoded bounds an encoded summary, in bytes. One that is larger is
// exported without witnesses; see [Summary.Encode].
const MaxEncoded = 2048

// Encode returns a compact form of s, the same for equal summaries. Strings
// that occur twice are written once.
func (s *Summary) Encode() string {
	text := s.encode()
	if len(text) > MaxEncoded {
		t := *s
		t.Effects = append([]Effect(nil), s.Effects...)
		for i := range t.Effects {
			t.Effects[i].Frames = CutFrames(t.Effects[i].Frames, 1)
		}
		t.Symbolic, t.Made = nil, nil
		text = t.encode()
	}
	if len(text) > MaxEncoded {
		return (&Summary{}).encode()
	}
	return text
}

func (s *Summary) encode() string {
	e := &encoder{index: make(map[string]int)}
	e.uint(codecVersion)
	e.summary(s)
	return string(e.buf)
}

func (e *encoder) summary(s *Summary) {
	e.uint(s.Omitted)
	e.uint(len(s.Effects))
	for _, f := range s.Effects {
		e.uint(int(f.Kind))
		e.uint(int(f.Bound.Kind))
		e.uint(int(f.Bound.Dur))
		e.int(f.Bound.Param)
		e.string(f.API)
		e.string(string(f.On))
		e.string(f.Field)
		e.string(string(f.Pool))
		if f.Pool != "" {
			e.string(string(f.Without))
		}
		e.paths(f.Free)
		e.bool(f.Repeats)
		e.bool(f.Rounds)
		e.bool(f.Joined)
		switch f.Kind {
		case Spawn:
			e.uint(int(f.Does))
		case DB:
			e.bool(f.OnFile)
		}
		e.frames(f.Frames)
	}
	e.uint(len(s.Calls))
	for _, c := range s.Calls {
		e.int(c.Param)
		e.uint(c.way())
		e.uint(len(c.Held))
		for _, h := range c.Held {
			e.uint(int(h.Class))
			e.string(string(h.Path))
			e.int(h.Arg)
		}
		e.paths(c.Free)
		e.frames(c.Frames)
	}
	e.uint(len(s.Acquires))
	for _, a := range s.Acquires {
		e.uint(int(a.Class))
		e.int(a.Result)
		e.string(string(a.Pool))
		e.int(a.Err)
		e.bool(a.OK)
	}
	e.paths(s.Releases)
	e.paths(s.Keeps)
	e.ops(s.Locks)
	e.ops(s.Unlocks)
	e.uint(len(s.Links))
	for _, l := range s.Links {
		e.string(string(l.To))
		e.string(string(l.From))
	}
	e.uint(len(s.Ends))
	for _, x := range s.Ends {
		e.uint(x.Result)
		e.uint(int(x.End))
		e.int(x.Param)
		e.uint(int(x.Dur))
	}
	e.uint(len(s.Symbolic))
	for _, y := range s.Symbolic {
		e.string(y.Method)
		e.frames(y.Frames)
	}
	n := len(s.Tasks) + len(s.Limits) // few functions have any of them
	if !s.Made.Empty() {
		n++
	}
	e.uint(n)
	for _, t := range s.Tasks {
		e.int(t.Param)
		e.string(string(t.Pool))
		e.uint(int(t.How))
		e.uint(int(t.Blocks))
	}
	for _, p := range s.Limits {
		e.int(limitMark)
		e.string(string(p))
	}
	if !s.Made.Empty() {
		e.int(madeMark)
		e.summary(s.Made)
	}
}

type encoder struct {
	buf   []byte
	index map[string]int
}

func (e *encoder) uint(n int) { e.buf = binary.AppendUvarint(e.buf, uint64(n)) }
func (e *encoder) int(n int)  { e.buf = binary.AppendVarint(e.buf, int64(n)) }
func (e *encoder) bool(b bool) {
	if b {
		e.uint(1)
	} else {
		e.uint(0)
	}
}

// string writes 0 and the text the first time, its number plus one after that.
func (e *encoder) string(s string) {
	if i, ok := e.index[s]; ok {
		e.uint(i + 1)
		return
	}
	e.index[s] = len(e.index)
	e.uint(0)
	e.uint(len(s))
	e.buf = append(e.buf, s...)
}

func (e *encoder) paths(list []Path) {
	e.uint(len(list))
	for _, p := range list {
		e.string(string(p))
	}
}

func (e *encoder) ops(list []LockOp) {
	e.uint(len(list))
	for _, l := range list {
		e.uint(int(l.Class))
		e.string(string(l.Path))
	}
}

func (e *encoder) frames(list []Frame) {
	e.uint(len(list))
	for _, f := range list {
		e.string(f.Pos)
		e.string(f.Call)
	}
}

var errTruncated = errors.New("truncated")

// Decode is the inverse of [Summary.Encode]. It never panics, and its result
// is no larger than a small multiple of the text.
func Decode(text string) (*Summary, error) {
	d := &decoder{buf: []byte(text)}
	if v := d.uint(); v != codecVersion {
		return nil, fmt.Errorf("summary has format %d, want %d", v, codecVersion)
	}
	s := d.summary()
	if d.err == nil && !(s.valid() && (s.Made == nil || s.Made.valid())) {
		d.err = errors.New("a kind or class is not known to this version")
	}
	if d.err == nil && len(d.buf) > 0 {
		d.err = errors.New("trailing bytes")
	}
	if d.err != nil {
		return nil, fmt.Errorf("summary: %w", d.err)
	}
	return s, nil
}

func (d *decoder) summary() *Summary {
	s := &Summary{Omitted: d.uint()}
	for range d.count() {
		f := Effect{Kind: Kind(d.uint())}
		f.Bound = Bound{Kind: BoundKind(d.uint()), Dur: time.Duration(d.uint()), Param: d.int()}
		f.API, f.On, f.Field, f.Pool = d.string(), Path(d.string()), d.string(), Path(d.string())
		if f.Pool != "" {
			f.Without = Path(d.string())
		}
		f.Free = d.paths()
		f.Repeats, f.Rounds, f.Joined = d.bool(), d.bool(), d.bool()
		switch f.Kind {
		case Spawn:
			f.Does = Work(d.uint())
		case DB:
			f.OnFile = d.bool()
		}
		f.Frames = d.frames()
		s.Effects = append(s.Effects, f)
	}
	for range d.count() {
		c := ParamCall{Param: d.int()}
		c.setWay(d.uint())
		for range d.count() {
			c.Held = append(c.Held, Held{Class: Class(d.uint()), Path: Path(d.string()), Arg: d.int()})
		}
		c.Free = d.paths()
		c.Frames = d.frames()
		s.Calls = append(s.Calls, c)
	}
	for range d.count() {
		s.Acquires = append(s.Acquires, Acquired{Class: Class(d.uint()), Result: d.int(), Pool: Path(d.string()), Err: d.int(), OK: d.bool()})
	}
	s.Releases, s.Keeps = d.paths(), d.paths()
	s.Locks, s.Unlocks = d.ops(), d.ops()
	for range d.count() {
		s.Links = append(s.Links, Link{To: Path(d.string()), From: Path(d.string())})
	}
	for range d.count() {
		s.Ends = append(s.Ends, Ending{Result: d.uint(), End: End(d.uint()), Param: d.int(), Dur: time.Duration(d.uint())})
	}
	for range d.count() {
		s.Symbolic = append(s.Symbolic, Symbolic{Method: d.string(), Frames: d.frames()})
	}
	for range d.count() {
		param := d.int()
		switch param {
		case limitMark:
			s.Limits = append(s.Limits, Path(d.string()))
			continue
		case madeMark:
			if d.depth++; d.depth > 1 || s.Made != nil {
				d.fail(errors.New("an iterator makes an iterator"))
				return s
			}
			s.Made = d.summary()
			continue
		}
		s.Tasks = append(s.Tasks, Task{Param: param, Pool: Path(d.string()), How: How(d.uint()), Blocks: Blocks(d.uint())})
	}
	return s
}

type decoder struct {
	buf   []byte
	table []string
	depth int // of summaries in summaries
	err   error
}

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
	d.buf = nil
}

func (d *decoder) uint() int {
	n, k := binary.Uvarint(d.buf)
	if k <= 0 || n > 1<<62 {
		d.fail(errTruncated)
		return 0
	}
	d.buf = d.buf[k:]
	return int(n)
}

func (d *decoder) int() int {
	n, k := binary.Varint(d.buf)
	if k <= 0 || n > 1<<31 || n < -1<<31 {
		d.fail(errTruncated)
		return 0
	}
	d.buf = d.buf[k:]
	return int(n)
}

func (d *decoder) bool() bool { return d.uint() == 1 }

// count reads a length. Every element takes at least one byte, which bounds
// what a damaged text can make us allocate.
func (d *decoder) count() int {
	n := d.uint()
	if n > len(d.buf) {
		d.fail(errTruncated)
		return 0
	}
	return n
}

func (d *decoder) string() string {
	i := d.uint()
	if d.err != nil {
		return ""
	}
	if i > 0 {
		if i > len(d.table) {
			d.fail(errTruncated)
			return ""
		}
		return d.table[i-1]
	}
	n := d.count()
	s := string(d.buf[:n])
	d.buf = d.buf[n:]
	d.table = append(d.table, s)
	return s
}

func (d *decoder) paths() []Path {
	var out []Path
	for range d.count() {
		out = append(out, Path(d.string()))
	}
	return out
}

func (d *decoder) ops() []LockOp {
	var out []LockOp
	for range d.count() {
		out = append(out, LockOp{Class: Class(d.uint()), Path: Path(d.string())})
	}
	return out
}

func (d *decoder) frames() []Frame {
	var out []Frame
	for range d.count() {
		out = append(out, Frame{Pos: d.string(), Call: d.string()})
	}
	return out
}

// valid reports whether every enumerated value is one of this version.
func (s *Summary) valid() bool {
	for _, e := range s.Effects {
		if e.Kind >= numKinds || e.Bound.Kind >= numBounds {
			return false
		}
	}
	for _, x := range s.Ends {
		if x.End >= numEnds {
			return false
		}
	}
	for _, c := range s.Calls {
		for _, h := range c.Held {
			if h.Class >= numClasses {
				return false
			}
		}
	}
	for _, a := range s.Acquires {
		if a.Class >= numClasses {
			return false
		}
	}
	for _, t := range s.Tasks {
		if t.How >= numHows || t.Blocks >= numBlocks {
			return false
		}
	}
	for _, l := range append(s.Locks[:len(s.Locks):len(s.Locks)], s.Unlocks...) {
		if l.Class >= numClasses {
			return false
		}
	}
	return true
}

// way is the mode of a call, the list and the group in one number: it takes no
// more room than the mode where there are none.
func (c *ParamCall) way() int {
	n := int(c.Mode) | c.List<<2
	if c.Group {
		n |= 2
	}
	return n
}

func (c *ParamCall) setWay(n int) { c.Mode, c.Group, c.List = Mode(n&1), n&2 != 0, n>>2 }
