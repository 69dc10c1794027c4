package selfsubmit

import (
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/pool"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// The categories.
const (
	PoolWait       = "pool-wait"
	PoolSubmit     = "pool-submit"
	ErrgroupNested = "errgroup-nested"
	ChanWorker     = "chan-worker"
	TokenNested    = "token-nested"
	SelfWait       = "self-wait"
)

// Slugs lists the categories, without the analyzer's name.
var Slugs = []string{ChanWorker, ErrgroupNested, PoolSubmit, PoolWait, SelfWait, TokenNested}

// Analyzer reports tasks that wait for the pool which runs them.
var Analyzer = &analysis.Analyzer{
	Name:     "selfsubmit",
	Doc:      doc,
	URL:      "https://github.com/concvet/concvet/blob/main/docs/selfsubmit.md",
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
	c := &checker{pass: pass, res: res, report: r, seen: make(map[ssa.Instruction]bool)}
	r.Contain(c.pools, "pools")
	r.Contain(c.servers, "servers")
	for _, fn := range res.Funcs() {
		r.Contain(func() { c.tokens(fn); c.turns(fn) }, "func ", fn)
	}
	r.Flush()
	return nil, r.Err(res.Failures()...)
}

type checker struct {
	pass   *analysis.Pass
	res    *summary.Result
	report *report.Reporter
	model  *pool.Model
	seen   map[ssa.Instruction]bool // operations that are reported
}

// pools reports the cycles of tasks and pools.
func (c *checker) pools() {
	c.model = pool.New(c.res)
	cycles := c.model.Cycles()
	submits := make(map[ssa.Instruction]bool)
	for _, y := range cycles {
		if y.Back == nil && (y.Op.Verb == pool.Submit || y.Op.Verb == pool.Send) {
			submits[y.Op.Instr] = true
		}
	}
	for _, y := range cycles {
		if y.Op.Join != nil && submits[y.Op.Join.At] {
			continue // the submit, which comes first, waits already
		}
		c.cycle(y)
	}
}

// cycle judges one cycle.
func (c *checker) cycle(y *pool.Cycle) {
	tier := report.Default
	if y.Back != nil && y.Op.Verb == pool.Send {
		tier = report.Audit // it takes as many items under way as there is room for
	} else if y.Op.Verb == pool.Send && !y.End {
		switch c.model.Judge(y) {
		case pool.Fine:
			return
		case pool.Unsure:
			tier = report.Audit
		}
	}
	place := c.model.Place(y.Task, y.Op)
	if c.seen[place] {
		return
	}
	c.seen[place] = true
	c.add(y, place, tier)
}

// slug is the category of a cycle.
func (c *checker) slug(y *pool.Cycle) string {
	switch {
	case y.End:
		return SelfWait
	case y.Op.Verb == pool.Wait:
		return PoolWait
	case y.Op.Verb == pool.Send:
		return ChanWorker
	case y.Back == nil && c.isErrgroup(y):
		return ErrgroupNested
	}
	return PoolSubmit
}

// isErrgroup reports whether the pool of a cycle is an errgroup.
func (c *checker) isErrgroup(y *pool.Cycle) bool {
	if t := c.res.TypeOf(y.Task.Pool); t != nil {
		return strings.HasSuffix(t.String(), "errgroup.Group")
	}
	for _, f := range y.Op.Frames {
		if strings.Contains(f.Call, "errgroup.Group") {
			return true
		}
	}
	return false
}
