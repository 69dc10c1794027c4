package holdacross

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/region"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// The categories.
const (
	TxOutbound   = "tx-outbound"
	ConnOutbound = "conn-outbound"
	RowsOutbound = "rows-outbound"
	SamePool     = "same-pool"
	LockBlocking = "lock-blocking"
	SlotSleep    = "slot-sleep"
)

// Slugs lists the categories, without the analyzer's name.
var Slugs = []string{ConnOutbound, LockBlocking, RowsOutbound, SamePool, SlotSleep, TxOutbound}

// Analyzer reports scarce things held across calls that may block.
var Analyzer = &analysis.Analyzer{
	Name:     "holdacross",
	Doc:      doc,
	URL:      "https://github.com/concvet/concvet/blob/main/docs/holdacross.md",
	Requires: append([]*analysis.Analyzer{summary.Analyzer}, report.Requires...),
	Run:      run,
}

// maxWait is the flag -holdacross.max: a bounded wait up to this long is for an
// audit only.
var maxWait = time.Second

// maxWaitFrames is the longest way to a wait for another goroutine that is
// believed: over many calls the combination can hardly be the real one.
const maxWaitFrames = 3

// minSleep is the shortest sleep that is worth a word.
const minSleep = 10 * time.Millisecond

func init() {
	Analyzer.Flags.DurationVar(&maxWait, "max", maxWait, "a bounded wait up to this long is reported in an audit only")
}

func run(pass *analysis.Pass) (any, error) {
	if report.FactsOnly {
		return nil, nil
	}
	res, done, err := summary.Use(pass)
	if err != nil {
		return nil, err
	}
	defer done()
	r, err := report.New(pass)
	if err != nil {
		return nil, err
	}
	c := &checker{pass: pass, res: res, report: r}
	for _, fn := range res.Funcs() {
		r.Contain(func() { c.function(fn) }, "func ", fn)
	}
	c.addAll()
	r.Flush()
	return nil, r.Err(res.Failures()...)
}

type checker struct {
	pass     *analysis.Pass
	res      *summary.Result
	report   *report.Reporter
	locks    map[string]*lockUse // by the way to the lock
	ways     []string            // the keys of locks, in the order of the source
	lockUses map[string]*lockUse // memo of usesOf
	ends     *peers
	found    []found
	perFunc  map[*ssa.Function]int // findings so far
	limit    *int64                // memo of poolSize
	shared   *sharing              // what fixes have to know of the package; nil until one does
}

func (c *checker) function(fn *ssa.Function) {
	reg := c.res.Region(fn)
	if reg == nil {
		return
	}
	type root struct {
		thing effect.Path
		last  effect.Frame
	}
	seen := make(map[root]bool) // one finding for all calls that lead to the same wait
	asked := make(map[effect.Path]bool)
	for _, site := range c.res.Sites(fn) {
		held := reg.Held(site.Instr)
		var best *verdict
		for _, e := range site.Effects {
			for _, t := range append(held[:len(held):len(held)], e.Held...) {
				if !c.applies(t, e) {
					continue
				}
				v := c.judge(fn, site.Instr, t, e)
				if v != nil && v.better(best) && !c.switchedOff(site.Instr, t, e.Effect) {
					best = v
				}
			}
		}
		if best == nil {
			continue
		}
		if asksHTTP(best.effect) {
			asked[best.thing.Path] = true
		} else if asked[best.thing.Path] && readsAnswer(best.effect.Effect) {
			continue // of the request that is reported
		}
		k := root{thing: best.thing.Path}
		if n := len(best.effect.Frames); n > 1 {
			k.last = best.effect.Frames[n-1]
			if seen[k] {
				continue
			}
			seen[k] = true
		}
		c.found = append(c.found, found{fn, site, best})
	}
}

// found is a verdict with its place.
type found struct {
	fn   *ssa.Function
	site *summary.Site
	*verdict
}

// maxPerRoot is how many places are reported of one lock, or of one pool, and
// one operation that waits in the end. They have one cause and one cure.
const maxPerRoot = 3

// maxStore is how many statements under one lock are a decision: a store that
// does everything under its lock would have to be written anew.
const maxStore = 8

// addAll reports what was found. Of many places with the same root the ones
// nearest to it are reported, and the last of them says how many are left out.
func (c *checker) addAll() {
	type root struct {
		what string
		tier report.Tier
		last effect.Frame
	}
	groups := make(map[root][]found)
	var order []root
	for _, f := range c.found {
		what := c.res.Field(f.thing.Path)
		if what == "" {
			what = string(f.thing.Path) // no field: this very variable
		}
		k := root{what: f.slug + " " + what + " " + f.thing.By, tier: f.tier}
		switch n := len(f.effect.Frames); {
		case f.slug == LockBlocking && f.effect.Kind == effect.DB:
			k.what += " database" // one lock over a store
		case n > 1:
			k.last = f.effect.Frames[n-1]
		default:
			k.what += fmt.Sprint(f.site.Pos)
		}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], f)
	}
	for _, k := range order {
		list := groups[k]
		if len(list) > maxStore && strings.HasSuffix(k.what, " database") {
			for _, f := range list {
				f.tier = report.Audit
			}
		}
		if len(list) > maxPerRoot {
			slices.SortStableFunc(list, func(a, b found) int {
				return cmp.Or(cmp.Compare(len(a.effect.Frames), len(b.effect.Frames)), cmp.Compare(a.site.Pos, b.site.Pos))
			})
			list[maxPerRoot-1].more = len(list) - maxPerRoot
			list = list[:maxPerRoot]
		}
		for _, f := range list {
			c.add(f.site, f.verdict)
		}
	}
}

// applies reports whether t is really held while e happens, and whether it is
// here that the effect is to be reported.
func (c *checker) applies(t *region.Thing, e summary.SiteEffect) bool {
	for _, p := range e.Free {
		if p == t.Path {
			return false
		}
	}
	for _, p := range e.Owned {
		// The callee knows by the type that something is held, but not from
		// which pool it is.
		if p == t.Path && e.Pool == "" {
			return false
		}
	}
	if e.Lit != nil {
		for _, o := range c.res.Entry(e.Lit) {
			if o.Path == t.Path && o.Class == t.Class {
				return false // reported inside the literal
			}
		}
	}
	return true
}

// A verdict is a finding that has not been written down.
type verdict struct {
	at     ssa.Instruction
	thing  *region.Thing
	effect summary.SiteEffect
	slug   string
	tier   report.Tier
	dead   string    // why it is a deadlock, if it certainly is one
	second token.Pos // where the other side takes the lock
	more   int       // places with the same root that are not reported
}

// better orders the verdicts of one site: one finding a site is enough.
func (v *verdict) better(o *verdict) bool {
	if o == nil {
		return true
	}
	if (v.tier == report.Default) != (o.tier == report.Default) {
		return v.tier == report.Default
	}
	if (v.dead != "") != (o.dead != "") {
		return v.dead != ""
	}
	if v.thing.Class != o.thing.Class {
		return rank(v.thing.Class) > rank(o.thing.Class)
	}
	if len(v.effect.Frames) != len(o.effect.Frames) {
		return len(v.effect.Frames) < len(o.effect.Frames)
	}
	return v.thing.Pos > o.thing.Pos // the inner region
}

func rank(c effect.Class) int {
	switch c {
	case effect.Tx:
		return 5
	case effect.Conn:
		return 4
	case effect.Rows:
		return 3
	case effect.Mutex:
		return 2
	case effect.RLock:
		return 1
	}
	return 0
}

// judge says whether holding t across e is a mistake.
func (c *checker) judge(fn *ssa.Function, at ssa.Instruction, t *region.Thing, e summary.SiteEffect) *verdict {
	v := &verdict{at: at, thing: t, effect: e, tier: report.Default}
	switch {
	case t.Class.Pinned():
		return c.judgePinned(v)
	case t.Class.IsLock():
		return c.judgeLock(fn, v)
	case t.Class == effect.Slot:
		if e.Kind == effect.Sleep && longSleep(e.Effect) && !dispatches(at, t) {
			v.slug = SlotSleep
			return v
		}
	}
	return nil
}

// longSleep reports whether a sleep is worth a word: one in a loop is as long
// as the loop.
func longSleep(e effect.Effect) bool {
	return e.Bound.Kind != effect.ConstBound || e.Repeats || e.Bound.Dur >= minSleep
}

// short reports whether a wait is bounded by so little that it is for an audit.
func short(e effect.Effect) bool {
	switch e.Bound.Kind {
	case effect.ConstBound:
		return !e.Repeats && e.Bound.Dur <= maxWait
	case effect.EscapeBound:
		return e.Bound.Dur > 0 && e.Bound.Dur <= maxWait && !e.Repeats
	}
	return false
}

func (c *checker) judgePinned(v *verdict) *verdict {
	t, e := v.thing, v.effect
	if e.Pool != "" {
		if e.Without != "" && e.Without == t.Path {
			return nil // it works in the transaction that it is given
		}
		if t.Pool != "" && (e.Pool == t.Pool || c.onePool(t.Pool, e.Pool)) {
			v.slug = SamePool
			if c.saysTx(t.Pool) {
				v.tier = report.Audit
			}
			return v
		}
		return nil // another pool, or one that may be another
	}
	switch t.Class {
	case effect.Tx:
		v.slug = TxOutbound
	case effect.Conn:
		v.slug = ConnOutbound
	case effect.Rows:
		v.slug = RowsOutbound
	}
	switch e.Kind {
	case effect.Net, effect.DNS, effect.Exec:
		if e.On != "" && (e.On == t.Path || strings.HasPrefix(string(e.On), string(t.Path)+".")) {
			return nil // the connection's own work
		}
	case effect.Sleep:
		if !longSleep(e.Effect) {
			return nil
		}
		if c.res.LocalDatabase() {
			v.tier = report.Audit // nobody else may work on the file meanwhile
		}
		return v
	case effect.ChanSend, effect.ChanRecv, effect.Select, effect.GroupWait, effect.Acquire, effect.Submit:
		if e.Bound.Kind == effect.EscapeBound {
			v.tier = report.Audit
		}
		if c.ownWorkers(e) {
			v.tier = report.Audit // which are told apart where they call out
		}
		if e.Kind == effect.Acquire && e.API == "semaphore" && len(e.Frames) > maxWaitFrames {
			v.tier = report.Audit // a limit of other work, so far away that it knows nothing of this one
		}
		if t.Class == effect.Rows && (e.Kind == effect.ChanSend || e.Kind == effect.Select) {
			v.tier = report.Audit // rows are streamed to somebody
		}
	default:
		return nil
	}
	if short(e.Effect) {
		v.tier = report.Audit
	}
	return v
}

// saysTx reports whether a pool is a parameter that its author calls tx. The
// types of some libraries stand for a pool and for a transaction, and a
// transaction that is begun on one takes no second connection.
func (c *checker) saysTx(pool effect.Path) bool {
	p, ok := c.res.Root(pool).(*ssa.Parameter)
	return ok && strings.HasPrefix(strings.ToLower(p.Name()), "tx")
}

func (c *checker) judgeLock(fn *ssa.Function, v *verdict) *verdict {
	t, e := v.thing, v.effect
	v.slug = LockBlocking
	switch e.Kind {
	case effect.Net, effect.DB, effect.Exec, effect.DNS:
		if e.Joined {
			break
		}
		if c.guards(t, e) || c.keeps(t, e) || e.Kind == effect.DB && (c.res.OnFile(e.Effect) || c.res.AnyDatabase(e.Effect)) {
			v.tier = report.Audit
		}
		if e.Kind == effect.Net && (e.Bound.Kind == effect.Deadline || timed(v.at) || c.fitsBuffer(v.at, e) || c.complains(v.at, e.Effect)) || e.Kind == effect.DNS && resolves(e.API) {
			v.tier = report.Audit
		}
	case effect.Sleep:
		if !longSleep(e.Effect) {
			return nil
		}
		if e.Bound.Kind == effect.ConstBound && !e.Repeats && e.Bound.Dur <= 10*minSleep {
			v.tier = report.Audit // once, for so short a time
		}
		if n := len(e.Frames); n > maxWaitFrames || n > 0 && c.res.Foreign(e.Frames[n-1]) {
			v.tier = report.Audit // before another try, which others ask for or have configured
		}
		return c.lifecycle(fn, t, v)
	case effect.Fsync:
		v.tier = report.Audit
	case effect.GroupWait, effect.ChanSend, effect.ChanRecv, effect.Select:
		if e.Bound.Kind == effect.EscapeBound && e.Bound.Dur == 0 || e.Bound.Kind == effect.ToldBound || stopping(fn) {
			v.tier = report.Audit
		}
		if c.judgeWait(fn, v); v.dead != "" {
			v.tier = report.Default
			if e.Bound.Kind == effect.EscapeBound && stopping(fn) {
				v.tier, v.dead = report.Audit, "" // it ends by itself, and nobody needs what is about to be gone
			}
		}
	case effect.Cond:
		if !c.otherCond(t, e) {
			return nil
		}
	case effect.Submit:
	case effect.Acquire:
		if e.API == "semaphore" {
			v.tier = report.Audit // a channel of tokens that limits work of this package
		}
	case effect.Lock:
		if !e.Joined || e.On != t.Path {
			return nil
		}
		v.dead = "the goroutine that is waited for takes the same lock"
	default:
		return nil
	}
	if short(e.Effect) {
		v.tier = report.Audit
	}
	return c.lifecycle(fn, t, v)
}

// otherCond reports whether a wait on a condition variable leaves t locked:
// Wait gives up the lock that the variable was made with, which belongs to the
// same object.
func (c *checker) otherCond(t *region.Thing, e summary.SiteEffect) bool {
	if e.On == "" {
		return false
	}
	return !sameRoot(e.On, t.Path)
}

// sameRoot reports whether two paths lead through the same variable.
func sameRoot(a, b effect.Path) bool {
	x, _ := a.Split()
	y, _ := b.Split()
	return x == y
}

// owner is the path of the struct that has the field at the end of path.
func owner(path effect.Path) string {
	s := string(path)
	if i := strings.LastIndexByte(s, '.'); i >= 0 {
		return s[:i]
	}
	return s
}

// judgeWait weighs a wait for another goroutine under a lock: it is a deadlock
// when that goroutine takes the lock, and harmless enough for an audit when
// every goroutine that can end the wait is in sight and none does.
func (c *checker) judgeWait(fn *ssa.Function, v *verdict) {
	frames := v.effect.Frames
	if len(frames) > maxWaitFrames || len(frames) > 0 && strings.Contains(frames[len(frames)-1].Pos, "/") {
		// Who ends a wait so far away, or in another package, most likely
		// knows nothing of this lock.
		v.tier = report.Audit
		return
	}
	if stopping(fn) && sends(v.effect.Effect) && c.res.Roomy(v.effect.Field) && !v.effect.Repeats {
		v.tier = report.Audit // the one value that the channel has room for
		return
	}
	if v.effect.Kind == effect.ChanRecv && c.fromCall(v.effect.On) {
		v.tier = report.Audit // who fills the channel is not known
		return
	}
	if sends(v.effect.Effect) && (c.hasRoom(v.thing, v.effect) || c.optedIn(v) || c.signal(v)) {
		v.tier = report.Audit
		return
	}
	lock := c.res.Way(v.thing.Path)
	if _, local := c.res.Root(v.thing.Path).(*ssa.Alloc); local && lock == "" && v.effect.Kind == effect.Select {
		v.tier = report.Audit // shared by the goroutines of one function only, with a way out
		return
	}
	if lock == "" || v.effect.Field == "" {
		return
	}
	ending := c.collectPeers().ending(v.effect.Effect)
	if len(ending) == 0 {
		return
	}
	for _, p := range ending {
		if p == fn {
			continue
		}
		if by, taken := c.res.Taking(p, lock); by != nil {
			same := fmt.Sprintf("the same lock (line %d)", c.line(taken.Pos))
			if taken.Read && v.thing.Class == effect.RLock {
				same += " for reading, which it cannot once a writer waits"
			}
			v.dead = fmt.Sprintf("%s has to end the wait and takes %s", funcName(p), same)
			if who := funcName(by); who != funcName(p) {
				v.dead = fmt.Sprintf("%s has to end the wait and comes to %s, which takes %s", funcName(p), who, same)
			}
			v.second = taken.Pos
			return
		}
	}
	v.tier = report.Audit
}

func funcName(fn *ssa.Function) string {
	fn = ir.Outermost(fn)
	if recv := fn.Signature.Recv(); recv != nil {
		t, star := types.Unalias(recv.Type()), ""
		if p, ok := t.(*types.Pointer); ok {
			t, star = types.Unalias(p.Elem()), "*"
		}
		if n, ok := t.(*types.Named); ok {
			return "(" + star + n.Obj().Name() + ")." + fn.Name()
		}
	}
	return fn.Name()
}

func (c *checker) line(pos token.Pos) int { return c.pass.Fset.Position(pos).Line }
