package apply

import (
	"fmt"
	"maps"
	"slices"

	"github.com/concvet/concvet/internal/vetrun"
)

// A Plan holds the fixes that are to be applied together.
type Plan struct {
	guard *Guard
	fixes []*chosen

	original map[string][]byte
	written  []string // by Write
	Withheld []Withheld
}

// A chosen fix is the alternative of one finding that is applied.
type chosen struct {
	finding vetrun.Finding
	fix     vetrun.Fix
}

// Withheld is a fix that is not applied, and why.
type Withheld struct {
	Finding vetrun.Finding
	Fix     vetrun.Fix
	Why     string
	Fatal   bool // the user asked for something that could not be done
}

const overlapsOther = "it overlaps another fix that was applied; run concvet again for it"

// Overlapped reports whether a fix was withheld only because of another one, so
// that it may be possible once that is applied.
func (p *Plan) Overlapped() bool {
	return slices.ContainsFunc(p.Withheld, func(w Withheld) bool { return w.Why == overlapsOther })
}

// Choose picks one fix a finding: the first safe one, or if unsafe is set and
// there is none, the first. Where two overlap, the later is withheld.
func Choose(findings []vetrun.Finding, guard *Guard, unsafe bool) *Plan {
	p := &Plan{guard: guard, original: map[string][]byte{}}
	taken := map[string][]vetrun.Edit{}
	for _, f := range findings {
		if f.Suppressed != nil || f.Generated {
			continue
		}
		i := slices.IndexFunc(f.Fixes, func(fix vetrun.Fix) bool { return fix.Unsafe == "" })
		if i < 0 && unsafe && len(f.Fixes) > 0 {
			i = 0
		}
		if i < 0 || len(f.Fixes[i].Edits) == 0 {
			continue
		}
		c := &chosen{f, f.Fixes[i]}
		if why, fatal := p.admit(c, taken); why != "" {
			p.withhold(c, why, fatal)
			continue
		}
		for _, e := range c.fix.Edits {
			taken[e.File] = append(taken[e.File], e)
		}
		p.fixes = append(p.fixes, c)
	}
	return p
}

func (p *Plan) withhold(c *chosen, why string, fatal bool) {
	p.Withheld = append(p.Withheld, Withheld{Finding: c.finding, Fix: c.fix, Why: why, Fatal: fatal})
}

// admit says why a fix cannot be applied together with those that are taken.
func (p *Plan) admit(c *chosen, taken map[string][]vetrun.Edit) (why string, fatal bool) {
	for i, e := range c.fix.Edits {
		data, ok := p.original[e.File]
		if !ok {
			if data, why, fatal = p.guard.read(e.File); why != "" {
				return why, fatal
			}
			p.original[e.File] = data
		}
		if e.Start < 0 || e.End < e.Start || e.End > len(data) {
			return fmt.Sprintf("the edit from byte %d to %d is outside the file", e.Start, e.End), true
		}
		for _, other := range c.fix.Edits[:i] {
			if other.File == e.File && overlap(other, e) {
				return "its own edits overlap", true
			}
		}
		for _, other := range taken[e.File] {
			if other != e && overlap(other, e) {
				return overlapsOther, false
			}
		}
	}
	return "", false
}

// overlap reports whether the result depends on the order of two edits.
func overlap(a, b vetrun.Edit) bool {
	if a.Start == a.End && b.Start == b.End {
		return a.Start == b.Start
	}
	return a.Start < b.End && b.Start < a.End
}

// Count is the number of fixes in the plan.
func (p *Plan) Count() int { return len(p.fixes) }

// Packages lists the import paths of the packages that the plan changes.
func (p *Plan) Packages() []string {
	set := map[string]bool{}
	for _, c := range p.fixes {
		set[c.finding.Package] = true
		for _, e := range c.fix.Edits {
			set[p.guard.files[e.File].pkg.ImportPath] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}
