package unboundedqueue

import (
	"cmp"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/region"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// The categories.
const (
	GoPerItem   = "go-per-item"
	LateAcquire = "late-acquire"
	NoLimit     = "errgroup-nolimit"
	PoolDefault = "pool-default"
	SliceQueue  = "slice-queue"
	ListQueue   = "list-queue"
	Infinite    = "infinite-chan"
	Huge        = "huge-chan"
	AcceptSpawn = "accept-spawn"
)

// Slugs lists the categories, without the analyzer's name.
var Slugs = []string{AcceptSpawn, NoLimit, GoPerItem, Huge, Infinite, LateAcquire, ListQueue, PoolDefault, SliceQueue}

// Analyzer reports what grows with the load.
var Analyzer = &analysis.Analyzer{
	Name:     "unboundedqueue",
	Doc:      doc,
	URL:      "https://github.com/concvet/concvet/blob/main/docs/unboundedqueue.md",
	Requires: append([]*analysis.Analyzer{summary.Analyzer}, report.Requires...),
	Run:      run,
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
	c := &checker{pass: pass, res: res, report: r, loops: make(map[*ssa.Function]loop.Loops)}
	for _, fn := range res.Funcs() {
		r.Contain(func() { c.function(fn) }, fn)
	}
	c.addAll()
	r.Contain(c.pools, "the pools")
	r.Contain(c.queues, "the queues")
	r.Contain(c.pipes, "the pipes")
	r.Flush()
	return nil, r.Err()
}

type checker struct {
	pass   *analysis.Pass
	res    *summary.Result
	report *report.Reporter
	loops  map[*ssa.Function]loop.Loops
	found  []found
	fed    []submission
	sized  map[string]bool // constants that fixes add

	callers map[*ssa.Function][]ssa.CallInstruction // memo of callersOf

	loaded map[string]bool // memo of sentByLoad

	kept *queueScan // what the package does with its queues
}

func (c *checker) loopsOf(fn *ssa.Function) loop.Loops {
	l, ok := c.loops[fn]
	if !ok {
		l = loop.Of(fn, c.res)
		c.loops[fn] = l
	}
	return l
}

// found is a finding about a site, not yet written down.
type found struct {
	site   *summary.Site
	effect summary.SiteEffect
	load   load
	slug   string
	tier   report.Tier
}

// slotAt reports whether a slot is held at a site that was taken in the same
// round of the loop.
func (c *checker) slotAt(site *summary.Site) bool {
	fn := site.Instr.Parent()
	reg := c.res.Region(fn)
	if reg == nil {
		return false
	}
	around := c.loopsOf(fn).Around(site.Instr.Block())
	return slices.ContainsFunc(reg.Held(site.Instr), func(t *region.Thing) bool {
		return t.Class == effect.Slot && (t.Site == nil || around == nil || around.Contains(t.Site.Block()))
	})
}

func (c *checker) function(fn *ssa.Function) {
	if c.res.Region(fn) == nil {
		return
	}
	for _, site := range c.res.Sites(fn) {
		slot := c.slotAt(site)
		for _, e := range site.Effects {
			switch e.Kind {
			case effect.Spawn:
				if !slot {
					c.spawn(site, e)
				}
			case effect.Enqueue, effect.Submit:
				if l, ok := c.loadOf(site); ok && l.endless() && e.Bound.Kind != effect.RoomBound && !c.awaited(site, l) {
					c.fed = append(c.fed, submission{site, e, l})
				}
			}
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.MakeChan:
				c.channel(x)
			case *ssa.Call:
				c.parallel(x)
			}
		}
	}
}

// maxPerRoot is at how many places one go statement is reported.
const maxPerRoot = 3

// addAll reports what was found at sites, the calls that are nearest to a go
// statement first.
func (c *checker) addAll() {
	slices.SortStableFunc(c.found, func(a, b found) int {
		return cmp.Or(cmp.Compare(rank(a.tier), rank(b.tier)), cmp.Compare(len(a.effect.Frames), len(b.effect.Frames)), cmp.Compare(a.site.Pos, b.site.Pos))
	})
	seen := make(map[effect.Frame]int)
	sites := make(map[token.Pos]bool)
	for _, f := range c.found {
		last := f.effect.Frames[len(f.effect.Frames)-1]
		if seen[last] >= maxPerRoot || sites[f.site.Pos] {
			continue
		}
		seen[last]++
		sites[f.site.Pos] = true
		c.add(f)
	}
}

func rank(t report.Tier) int {
	if t == report.Default {
		return 0
	}
	return 1
}
