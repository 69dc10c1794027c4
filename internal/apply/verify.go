package apply

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/concvet/concvet/internal/vetrun"
)

// A Checker analyses packages with other contents of some of their files, which
// should repair the findings that are fixed. It returns a complaint for each
// package that does not compile with them, in which a fixed finding is still
// there, or a new one. A complaint that is of no one package has the key "".
type Checker func(ctx context.Context, packages []string, contents map[string][]byte, fixed []vetrun.Finding) (complaints map[string]string, err error)

// maxTries bounds how often the fixes of one package are tried after all of them
// together did not hold.
const maxTries = 40

// Verify withholds the fixes that do not hold, so that what is left holds
// together. Nothing is written for it.
func (p *Plan) Verify(ctx context.Context, check Checker) error {
	if len(p.fixes) == 0 {
		return nil
	}
	bad, err := p.try(ctx, check, p.fixes)
	if err != nil || len(bad) == 0 {
		return err
	}
	// Those of packages without a complaint come first, then one package after
	// the other: a fix may be good by itself and yet spoil that of a caller.
	var good []*chosen
	suspects := map[string][]*chosen{}
	for _, c := range p.fixes {
		if _, ok := bad[c.finding.Package]; ok || bad[""] != "" {
			suspects[c.finding.Package] = append(suspects[c.finding.Package], c)
		} else {
			good = append(good, c)
		}
	}
	held, err := p.sift(ctx, check, nil, good)
	for _, pkg := range slices.Sorted(maps.Keys(suspects)) {
		if err == nil {
			held, err = p.sift(ctx, check, held, suspects[pkg])
		}
	}
	p.fixes = held
	return err
}

// sift adds to held those of the fixes that hold together with it. It tries
// halves, so that few bad fixes among many cost few runs.
func (p *Plan) sift(ctx context.Context, check Checker, held, fixes []*chosen) ([]*chosen, error) {
	tries := 0
	var add func(group []*chosen) error
	add = func(group []*chosen) error {
		if len(group) == 0 {
			return nil
		}
		if tries++; tries > maxTries {
			for _, c := range group {
				p.withhold(c, "too many fixes of this package failed to try it", true)
			}
			return nil
		}
		whole := len(group) == len(p.fixes) && len(group) > 1 // was tried already
		bad := map[string]string{"": ""}
		if !whole {
			var err error
			if bad, err = p.try(ctx, check, append(slices.Clone(held), group...)); err != nil {
				return err
			}
		}
		switch {
		case len(bad) == 0:
			held = append(held, group...)
		case len(group) == 1:
			p.withhold(group[0], "after it: "+anyOf(bad), true)
		default:
			half := len(group) / 2
			if err := add(group[:half]); err != nil {
				return err
			}
			return add(group[half:])
		}
		return nil
	}
	err := add(fixes)
	return held, err
}

func (p *Plan) try(ctx context.Context, check Checker, fixes []*chosen) (map[string]string, error) {
	if len(fixes) == 0 {
		return nil, nil
	}
	part := &Plan{guard: p.guard, fixes: fixes, original: p.original}
	contents, err := part.contents(fixes)
	if err != nil {
		return map[string]string{"": err.Error()}, nil
	}
	if len(contents) == 0 {
		return nil, errors.New("internal error: fixes without a change")
	}
	var fixed []vetrun.Finding
	for _, c := range fixes {
		fixed = append(fixed, c.finding)
	}
	return check(ctx, part.Packages(), contents, fixed)
}

func anyOf(complaints map[string]string) string {
	for _, pkg := range slices.Sorted(maps.Keys(complaints)) {
		return complaints[pkg]
	}
	return ""
}
