package holdacross

import (
	"fmt"
	"go/constant"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/region"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// maxFixes is for how many findings of one function fixes are looked for: each
// looks at the whole function, and who has more has to think first.
const maxFixes = 20

// add writes a verdict down.
func (c *checker) add(site *summary.Site, v *verdict) {
	start, end := report.Range(c.pass.Files, site.Pos)
	f := report.Finding{
		Pos: start, End: end, Slug: v.slug, Tier: v.tier,
		Message:  c.message(v),
		Resource: v.thing.Class.String() + " " + v.thing.Name,
	}
	if v.thing.Pos != token.NoPos && c.line(v.thing.Pos) > 0 {
		f.Frames = append(f.Frames, report.Frame{Pos: report.Place(c.pass.Fset, v.thing.Pos), Text: taken(v.thing)})
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: v.thing.Pos, Message: taken(v.thing)})
	}
	for _, fr := range v.effect.Frames {
		f.Frames = append(f.Frames, report.Frame{Pos: fr.Pos, Text: fr.Call})
	}
	for _, fr := range v.effect.Frames[min(1, len(v.effect.Frames)):] {
		if pos := report.PosOf(c.pass, fr.Pos); pos != token.NoPos {
			f.Related = append(f.Related, analysis.RelatedInformation{Pos: pos, Message: fr.Call})
		}
	}
	if c.perFunc == nil {
		c.perFunc = make(map[*ssa.Function]int)
	}
	fn := site.Instr.Parent()
	if c.perFunc[fn]++; c.perFunc[fn] <= maxFixes {
		f.Fixes, f.Unsafe = c.fixes(site, v)
	}
	if v.second.IsValid() {
		f.Frames = append(f.Frames, report.Frame{Pos: report.Place(c.pass.Fset, v.second), Text: "the other side takes the lock"})
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: v.second, Message: "the other side takes the lock"})
	}
	c.report.Add(f)
}

// taken says where a thing comes from.
func taken(t *region.Thing) string {
	name := t.Name
	if name == "" {
		name = noun(t.Class)
	}
	switch {
	case t.By == "parameter":
		return name + " is held by the caller"
	case t.Class == effect.Tx:
		return name + " begins"
	case t.Class == effect.Rows:
		return name + " opened"
	case t.Class.IsLock():
		return name + " locked"
	}
	return name + " taken"
}

func noun(c effect.Class) string {
	switch c {
	case effect.Tx:
		return "transaction"
	case effect.Conn:
		return "connection"
	case effect.Rows:
		return "open rows"
	case effect.Slot:
		return "slot"
	case effect.RLock:
		return "read lock"
	}
	return "lock"
}

// held describes what is held and since where.
func (c *checker) held(t *region.Thing) string {
	var what string
	switch {
	case t.Class.IsLock() && t.Name != "":
		what = t.Name
	case t.Class == effect.Rows && (t.Name == "" || t.Name == "rows"):
		what = "open rows"
	case t.Name != "":
		what = noun(t.Class) + " " + t.Name
	default:
		what = "a " + noun(t.Class)
	}
	line := c.line(t.Pos)
	switch {
	case line == 0:
		return what
	case t.By == "parameter":
		return what + " (held by the caller)"
	case t.Class == effect.RLock:
		return fmt.Sprintf("%s (read-locked at line %d)", what, line)
	case t.Class == effect.Mutex:
		return fmt.Sprintf("%s (locked at line %d)", what, line)
	case t.Class == effect.Tx:
		return fmt.Sprintf("%s (begun at line %d)", what, line)
	case t.Class == effect.Rows:
		return fmt.Sprintf("%s (opened at line %d)", what, line)
	}
	return fmt.Sprintf("%s (taken at line %d)", what, line)
}

// message is the sentence a maintainer reads: what is held and since where,
// what blocks and through whom, and what that costs.
func (c *checker) message(v *verdict) string {
	t, e := v.thing, v.effect
	if v.slug == SamePool {
		pool := c.poolName(t)
		n := "N"
		if size := c.poolSize(); size > 0 {
			n = fmt.Sprint(size)
		}
		return fmt.Sprintf("%s holds a connection of %s while %s takes a second one of the same pool: with %s connections, %s such calls at once wait for each other for ever",
			c.held(t), pool, effect.Through(e.Frames), n, n)
	}
	text := fmt.Sprintf("%s is held across %s", c.held(t), c.what(e))
	switch {
	case v.dead != "":
		text += "; " + v.dead + ": deadlock"
	case v.slug == LockBlocking && t.Class == effect.RLock:
		text += "; whoever wants to write waits as long, and readers behind that"
	case v.slug == LockBlocking:
		text += "; everyone who needs the lock waits as long"
	case v.slug == SlotSleep:
		text += "; the slot does nothing meanwhile"
	default:
		if size := c.poolSize(); size > 0 {
			text += fmt.Sprintf("; a wait of 1 s lets the pool of %d serve no more than %d requests/s", size, size)
		} else {
			text += "; meanwhile its pool is one connection short: N connections whose holders wait 1 s serve no more than N requests/s"
		}
	}
	if v.more > 0 {
		text += fmt.Sprintf(" (and %d more places that lead there)", v.more)
	}
	return text
}

// what names the operation that waits, and the calls that lead there.
func (c *checker) what(e summary.SiteEffect) string {
	var kind string
	switch e.Kind {
	case effect.Net:
		kind = "an outbound call"
	case effect.DNS:
		kind = "a name look-up"
	case effect.DB:
		kind = "a database call"
	case effect.Exec:
		kind = "a wait for another process"
	case effect.Sleep:
		kind = "a sleep"
		if e.Bound.Kind == effect.ConstBound {
			kind = "a sleep of " + e.Bound.Dur.String()
			if e.Repeats {
				kind += " in a loop"
			}
		}
	case effect.ChanSend:
		kind = "a channel send"
	case effect.ChanRecv:
		kind = "a channel receive"
	case effect.Select:
		kind = "a select"
	case effect.GroupWait:
		kind = "a wait for other goroutines"
	case effect.Cond:
		kind = "a wait on a condition variable of another lock"
	case effect.Acquire, effect.Submit:
		kind = "a wait for a free slot"
	case effect.Fsync:
		kind = "a flush to disk"
	case effect.Lock:
		kind = "a wait for a goroutine"
	}
	return kind + " (" + effect.Through(e.Frames) + ")"
}

func (c *checker) poolName(t *region.Thing) string {
	root, sel := t.Pool.Split()
	name := ""
	switch v := c.res.Root(t.Pool).(type) {
	case *ssa.Parameter:
		name = v.Name()
	case nil:
		name = root[strings.LastIndexByte(root, '.')+1:]
	}
	if name == "" {
		return strings.TrimPrefix(sel, ".")
	}
	return name + sel
}

// poolSize is the constant that the package gives SetMaxOpenConns, 0 if it
// gives none or several.
func (c *checker) poolSize() int64 {
	if c.limit != nil {
		return *c.limit
	}
	var size int64
	c.limit = &size
	for _, n := range report.Calls(c.pass, "(*database/sql.DB).SetMaxOpenConns") {
		tv := c.pass.TypesInfo.Types[n.Args[0]]
		if tv.Value == nil {
			size = 0
			return 0
		}
		k, _ := constant.Int64Val(tv.Value)
		if size != 0 && size != k {
			size = 0
			return 0
		}
		size = k
	}
	return size
}
