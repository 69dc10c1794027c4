package nodeadline

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/deadline"
	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// The categories.
const (
	HTTPClient = "http-client"
	HTTPServer = "http-server"
	Dial       = "dial"
	ConnIO     = "conn-io"
	Exec       = "exec"
	SQL        = "sql"
	RPC        = "rpc"
	CtxNone    = "ctx-none"
	Shutdown   = "shutdown"
)

// Slugs lists the categories, without the analyzer's name.
var Slugs = []string{ConnIO, CtxNone, Dial, Exec, HTTPClient, HTTPServer, RPC, Shutdown, SQL}

// byRole is the category of an operation, by what the tables call it.
var byRole = map[string]string{
	"http": HTTPClient, "serve": HTTPServer, "dial": Dial, "io": ConnIO,
	"exec": Exec, "sql": SQL, "rpc": RPC, "shutdown": Shutdown,
}

// Analyzer reports waits that nothing ends.
var Analyzer = &analysis.Analyzer{
	Name:     "nodeadline",
	Doc:      doc,
	URL:      "https://github.com/concvet/concvet/blob/main/docs/nodeadline.md",
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
	c := &checker{pass: pass, res: res, report: r}
	for _, fn := range res.Funcs() {
		r.Contain(func() { c.function(fn) }, "func ", fn)
	}
	c.addAll()
	r.Flush()
	return nil, r.Err() // the failures of the summary are told by holdacross
}

type checker struct {
	pass    *analysis.Pass
	res     *summary.Result
	report  *report.Reporter
	found   []*verdict
	startup map[*ssa.Function]bool
	socket  *bool // memo of overSocket
	perFunc map[*ssa.Function]int
	taken   map[token.Pos]bool // places that fixes change

	callers   map[*ssa.Function][]ssa.CallInstruction
	mentioned map[*ssa.Function]bool           // otherwise than in a call
	kept      map[string]*kept                 // memo of keeps
	watching  map[*ssa.Function]bool           // memo of watches
	keptBy    map[ssa.Value][]string           // beside it: fields by what is stored to them
	enders    map[types.Object][]*ssa.Function // beside it: functions that may end what values of a type do
}

// function keeps the worst of what is found at each call of a function.
func (c *checker) function(fn *ssa.Function) {
	for _, site := range c.res.Sites(fn) {
		var best *verdict
		effects := site.Effects
		if x, ok := site.Instr.(*ssa.Go); ok {
			effects = c.started(x)
		}
		for _, e := range effects {
			if v := c.judge(fn, site, e); v != nil && v.better(best) {
				best = v
			}
		}
		if best != nil {
			c.found = append(c.found, best)
		}
	}
}

// started lists what the operation that a go statement starts waits for. What a
// function of one's own does as a goroutine is reported where it does it, or is
// meant to last; a shutdown is not.
func (c *checker) started(x *ssa.Go) []summary.SiteEffect {
	return slices.DeleteFunc(c.res.StartedBy(x), func(e summary.SiteEffect) bool {
		return !e.Direct && byRole[e.As] != Shutdown
	})
}

// A verdict is a finding that has not been written down.
type verdict struct {
	fn     *ssa.Function
	site   *summary.Site
	effect summary.SiteEffect
	ends   deadline.Value
	slug   string
	tier   report.Tier
	more   int // places of the same kind that are not reported

	accepted bool // ConnIO: by a listener
	kept     bool // ConnIO: in a field
}

func (v *verdict) better(o *verdict) bool {
	if o == nil {
		return true
	}
	if (v.tier == report.Default) != (o.tier == report.Default) {
		return v.tier == report.Default
	}
	if v.effect.Direct != o.effect.Direct {
		return v.effect.Direct
	}
	return len(v.effect.Frames) < len(o.effect.Frames)
}

// judge says whether an effect is a wait that nothing ends, and that is to be
// reported here.
func (c *checker) judge(fn *ssa.Function, site *summary.Site, e summary.SiteEffect) *verdict {
	if e.Lit != nil || e.Joined {
		return nil // reported in the literal
	}
	v := &verdict{fn: fn, site: site, effect: e, ends: e.Ends, tier: report.Default}
	if c.connection(v) || c.keptConnection(v) {
		v.slug = ConnIO
		return c.weigh(v)
	}
	switch e.Ends.End {
	case effect.EndNever:
	case effect.EndCancel:
		v.tier = report.Audit
	default:
		return nil
	}
	v.slug = byRole[e.As]
	switch {
	case v.slug == ConnIO:
		return nil // by the connection only
	case v.slug == "" || !e.Direct && v.slug != Shutdown && v.slug != SQL:
		v.slug = CtxNone
	}
	if v.slug == CtxNone && !waits(e.Kind) {
		return nil
	}
	if v.slug == HTTPServer && e.Ends.End == effect.EndCancel {
		return nil
	}
	return c.weigh(v)
}

// waits reports whether an operation that takes a context may keep its caller
// for as long as the context lives.
func waits(k effect.Kind) bool {
	switch k {
	case effect.Net, effect.DB, effect.Exec, effect.DNS, effect.Submit, effect.Acquire:
		return true
	}
	return false
}

// maxPerRoot is how many places of one kind are reported in a package that have
// the same origin, such as calls that lead to one operation. They have one cause
// and one cure.
const maxPerRoot = 3

// addAll reports what was found. Of many places of one kind the first are
// reported, and the last of them says how many are left out.
func (c *checker) addAll() {
	type root struct {
		slug string
		what string
		tier report.Tier
		// layer reports that they are all of a layer without contexts, which is
		// one decision, and one finding.
		layer   bool
		adapter *types.TypeName
	}
	groups := make(map[root][]*verdict)
	var order []root
	inner := make(map[string]bool) // reported in the function that is given the struct
	layer := 0                     // statements in functions without a context
	chained := 0                   // statements in functions that have one, and would give it to the database
	adapters := make(map[*types.TypeName]int)
	for _, v := range c.found {
		if v.kept {
			inner[v.innermost()] = true
		}
		if v.slug == SQL && !c.handed(v.fn) && v.tier == report.Default {
			layer++
		}
		if chains(v) && v.tier == report.Default {
			chained++
		}
		if t := c.adapter(v); t != nil {
			adapters[t]++
		}
	}
	for _, v := range c.found {
		if v.slug == ConnIO && !v.kept && inner[v.innermost()] {
			continue
		}
		if layer > maxLayer && v.slug == SQL && !c.handed(v.fn) {
			v.tier = report.Audit
		}
		adapter := c.adapter(v)
		k := root{slug: v.slug, tier: v.tier, what: fmt.Sprint(v.site.Pos)}
		switch {
		case adapters[adapter] > maxLayer:
			k.what, k.layer, k.adapter = "", true, adapter
		case v.slug == SQL && !c.handed(v.fn), chains(v) && chained > maxLayer:
			k.what, k.layer = "", true
		case v.slug == SQL || v.slug == CtxNone:
			k.what = c.kindOf(v)
		case v.slug == ConnIO:
			k.what = string(v.effect.On) // one deadline is for all
		case v.slug == HTTPServer && v.ends.Pos.IsValid():
			k.what = fmt.Sprint(v.ends.Pos) // one literal is for all
		}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], v)
	}
	for _, k := range order {
		list := groups[k]
		slices.SortStableFunc(list, func(a, b *verdict) int {
			return cmp.Or(cmp.Compare(len(a.effect.Frames), len(b.effect.Frames)), cmp.Compare(a.site.Pos, b.site.Pos))
		})
		most := maxPerRoot
		if k.slug == ConnIO || k.slug == HTTPServer || k.layer {
			most = 1
		}
		if len(list) > most {
			list[most-1].more = len(list) - most
			list = list[:most]
		}
		for _, v := range list {
			c.add(v)
		}
	}
}

// innermost is the place of the operation itself.
func (v *verdict) innermost() string {
	if n := len(v.effect.Frames); n > 0 {
		return v.effect.Frames[n-1].Pos
	}
	return ""
}

// maxLayer is how many statements, or calls of a client, in functions that have no
// context to give a layer may have before to give them contexts is no repair any
// more, but a rewriting that is planned.
const maxLayer = 8

// chains reports whether a statement is one of a library that is given the context
// with the database, not with each statement: to do so once is one repair.
func chains(v *verdict) bool {
	return v.slug == SQL && strings.HasPrefix(v.effect.API, "(*gorm.io/gorm.DB).")
}

// adapter is the type with the method in which a context that never ends is
// given to somebody, and that has no context to give.
func (c *checker) adapter(v *verdict) *types.TypeName {
	if v.slug != CtxNone || c.handed(v.fn) {
		return nil
	}
	return ir.Receiver(ir.Outermost(v.fn).Signature)
}

// handed reports whether a function, or one around it, is given a context, or a
// request that has one.
func (c *checker) handed(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if c.res.Delivers(fn) == effect.Conns {
			return true // the request of a framework
		}
		for _, p := range fn.Params {
			if isNamed(p.Type(), "context", "Context") || isNamed(p.Type(), "net/http", "Request") {
				return true
			}
		}
	}
	return false
}

// kindOf is what places have in common that are grouped: what the operation
// works on, or how it ends.
func (c *checker) kindOf(v *verdict) string {
	e := v.effect
	on := e.Pool
	if on == "" {
		on = e.On
	}
	if f := c.res.Field(on); f != "" {
		return f
	}
	if n := len(e.Frames); n > 1 {
		return e.Frames[n-1].Pos + e.Frames[n-1].Call
	}
	if v.slug == SQL {
		return v.slug
	}
	return e.API
}
