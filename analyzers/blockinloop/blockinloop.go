package blockinloop

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/directive"
	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// The categories.
const (
	EventLoop   = "event-loop"
	AcceptLoop  = "accept-loop"
	IgnoresStop = "ignores-stop"
	Callback    = "callback"
	Latency     = "latency"
)

// Slugs lists the categories, without the analyzer's name.
var Slugs = []string{AcceptLoop, Callback, EventLoop, IgnoresStop, Latency}

// Analyzer reports waits in loops and callbacks that many depend on.
var Analyzer = &analysis.Analyzer{
	Name:     "blockinloop",
	Doc:      doc,
	URL:      "https://github.com/concvet/concvet/blob/main/docs/blockinloop.md",
	Requires: append([]*analysis.Analyzer{summary.Analyzer, directive.Analyzer}, report.Requires...),
	Run:      run,
}

// maxWait is the flag -blockinloop.max: a bounded wait up to this long is no
// delay.
var maxWait = 10 * time.Millisecond

// minStop is the shortest sleep that makes the end of a loop late enough to
// change it.
const minStop = time.Second

// maxWaitFrames is the longest way to a wait for another goroutine that is
// believed: over many calls the combination can hardly be the real one.
const maxWaitFrames = 3

// maxPerLoop is how many waits of one loop are reported: they have one cause.
const maxPerLoop = 3

func init() {
	Analyzer.Flags.DurationVar(&maxWait, "max", maxWait, "a bounded wait up to this long is not reported")
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
	dirs, ok := pass.ResultOf[directive.Analyzer].(*directive.Set)
	if !ok {
		return nil, fmt.Errorf("no result of %s", directive.Analyzer.Name)
	}
	r, err := report.New(pass)
	if err != nil {
		return nil, err
	}
	c := &checker{pass: pass, res: res, dirs: dirs, report: r}
	for _, fn := range res.Funcs() {
		r.Contain(func() { c.function(fn) }, "func ", fn)
	}
	c.addAll()
	r.Flush()
	return nil, r.Err()
}

type checker struct {
	pass   *analysis.Pass
	res    *summary.Result
	dirs   *directive.Set
	report *report.Reporter

	consumers *loop.Consumers // memo of consumed
	found     []*verdict

	gated  map[ast.Node]bool     // functions in which a fix has one call at a time
	pooled map[ast.Node]ast.Stmt // the loop of a function before which a fix makes a pool

	decls map[*types.Func]*ast.FuncDecl // memo of declared
}

// A verdict is a finding that has not been written down.
type verdict struct {
	site    *summary.Site
	effect  summary.SiteEffect
	slug    string
	tier    report.Tier
	on      *loop.Event     // the loop that waits, nil for a function
	delayed []string        // what it serves besides
	label   string          // the loop that a callback runs on
	holder  *summary.Holder // who holds the lock that is waited for, if it is seen
	heldBy  string          // the same for a person, with what he waits for
	more    int             // findings of the same loop that are not reported
}

// better orders the verdicts of one site: one finding a site is enough.
func (v *verdict) better(o *verdict) bool {
	if o == nil {
		return true
	}
	if (v.tier == report.Default) != (o.tier == report.Default) {
		return v.tier == report.Default
	}
	return v.slug == o.slug && len(v.effect.Frames) < len(o.effect.Frames)
}

func (c *checker) function(fn *ssa.Function) {
	events := loop.Events(c.res, fn)
	label := c.res.Callback(fn)
	marked := c.marked(fn)
	if len(events) == 0 && label == nil && marked == nil {
		return
	}
	c.mayCalls(fn, events, label, marked)
	c.abandoned(fn, events)
	for _, site := range c.sites(fn) {
		var best *verdict
		for _, e := range site.Effects {
			for _, v := range c.judge(site, e, events, label, marked) {
				if v != nil && v.better(best) && !exits(site.Instr) && !c.res.SwitchedOff(site, e.Effect) {
					best = v
				}
			}
		}
		if best != nil {
			c.found = append(c.found, best)
		}
	}
}

// sites lists the sites of a function, with those in the bodies of its loops over
// iterators, which are functions of their own: they stand where the iterator is
// called.
func (c *checker) sites(fn *ssa.Function) []*summary.Site {
	out := c.res.Sites(fn)
	for _, body := range fn.AnonFuncs {
		at := loop.YieldCall(body)
		if at == nil {
			continue
		}
		for _, s := range c.sites(body) {
			moved := *s
			moved.Instr = at
			out = append(slices.Clip(out), &moved)
		}
	}
	return out
}

// judge says in which ways an effect is a mistake where it stands.
func (c *checker) judge(site *summary.Site, e summary.SiteEffect, events []*loop.Event, label *summary.Callback, marked *mark) []*verdict {
	var out []*verdict
	add := func(v *verdict, e summary.SiteEffect) {
		if v == nil {
			return
		}
		v.site, v.effect = site, e
		if v.tier == "" {
			v.tier = report.Default
		}
		c.moderate(v)
		out = append(out, v)
	}
	if marked.covers(site.Pos) {
		for _, l := range events {
			if l.Own(site.Instr) {
				return nil // that it waits for the next event is not meant
			}
		}
		add(c.judgeLatency(e), e)
		return out
	}
	if label != nil {
		add(c.judgeCallback(label, e), e)
	}
	watched := false // by a loop nearer to the site
	for _, l := range events {
		if !l.Has(site.Instr) || l.Own(site.Instr) {
			continue
		}
		e := e
		if e.Looped && l.Direct(site.Instr) {
			e.Repeats = false // the loop itself is what repeats it
		}
		if l.Callback != nil {
			add(c.judgeCallback(l.Callback, e), e)
			continue
		}
		add(c.judgeAccept(l, site, e), e)
		add(c.judgeEvent(l, site, e), e)
		add(c.judgeKinds(l, site, e), e)
		add(c.judgeFanOut(l, site, e), e)
		if !watched {
			add(c.judgeStop(l, site, e), e)
		}
		watched = watched || len(l.Stop) > 0
	}
	return out
}

// moderate moves to the audit tier what is reached on a way that is long enough
// to be improbable.
func (c *checker) moderate(v *verdict) {
	n := len(v.effect.Frames)
	if n == 0 {
		return
	}
	if n >= effect.MaxFrames || n == effect.MaxFrames-1 && c.res.Foreign(v.effect.Frames[n-1]) {
		v.tier = report.Audit
	}
	switch v.effect.Kind {
	case effect.Exec:
		if n > 1 && c.res.Foreign(v.effect.Frames[n-1]) {
			v.tier = report.Audit // what a library runs is as a rule small and on the same machine
		}
	case effect.Fsync:
		if n > maxWaitFrames {
			v.tier = report.Audit
		}
	case effect.GroupWait:
		if n >= maxWaitFrames || n > 1 && c.elsewhere(v.effect.Frames[n-1]) {
			v.tier = report.Audit // what is waited for ends, as a rule
		}
	case effect.Lock:
		if n > maxWaitFrames {
			v.tier = report.Audit
		}
	case effect.ChanSend, effect.ChanRecv:
		if n > maxWaitFrames || n > 1 && c.elsewhere(v.effect.Frames[n-1]) {
			v.tier = report.Audit
		}
	}
}

// elsewhere reports whether a frame is in another package.
func (c *checker) elsewhere(f effect.Frame) bool { return strings.Contains(f.Pos, "/") }

// addAll reports what was found, of one loop the few that are nearest to it.
func (c *checker) addAll() {
	type key struct {
		slug string
		tier report.Tier
		fn   *ssa.Function
		on   *loop.Event
	}
	groups := make(map[key][]*verdict)
	var order []key
	for _, v := range c.found {
		k := key{v.slug, v.tier, v.site.Instr.Parent(), v.on}
		if v.effect.On.Last() == "Body" && slices.ContainsFunc(groups[k], func(o *verdict) bool { return o.effect.Kind == effect.Net }) {
			continue // the answer of a call that is reported
		}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], v)
	}
	for _, k := range order {
		list := groups[k]
		if len(list) > maxPerLoop {
			slices.SortStableFunc(list, func(a, b *verdict) int {
				return cmp.Or(cmp.Compare(len(a.effect.Frames), len(b.effect.Frames)), cmp.Compare(a.site.Pos, b.site.Pos))
			})
			list[maxPerLoop-1].more = len(list) - maxPerLoop
			list = list[:maxPerLoop]
		}
		for _, v := range list {
			c.add(v)
		}
	}
}
