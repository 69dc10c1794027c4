package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/analysis/facts/generated"

	"github.com/concvet/concvet/internal/directive"
)

// Wire says that messages are [Message] documents and that everything is
// reported: both tiers, test files, suppressed findings. Set once by main.
var Wire bool

// FactsOnly says that the package is only a dependency, so that no finding of
// it is wanted. Set once by main.
var FactsOnly bool

// PlainTier is what is reported outside wire mode besides the default tier;
// tests set it to Audit.
var PlainTier = Default

// PlainTests says that findings in test files are reported outside wire mode.
var PlainTests bool

// A Finding is one mistake, as an analyzer sees it.
type Finding struct {
	Pos, End token.Pos
	Slug     string // the category without the analyzer's name
	Tier     Tier
	Message  string // one line, lower case, no period, without the category
	Frames   []Frame
	Related  []analysis.RelatedInformation // positions of this package only
	Resource string                        // what is held or unbounded, for the fingerprint
	Fixes    []analysis.SuggestedFix       // safe ones first
	Unsafe   map[string]string             // by the fix's message: what else it changes
}

// PlainSelected says of a category whether it is reported outside wire mode; nil
// selects all. PlainRelated says that related positions go along: golangci-lint
// makes an issue of its own of each. Both are set once, by the plugin.
var (
	PlainSelected func(category string) bool
	PlainRelated  = true
)

// Requires is what an analyzer that reports must require.
var Requires = []*analysis.Analyzer{directive.Analyzer, generated.Analyzer}

// A Reporter collects the findings of one pass.
type Reporter struct {
	pass      *analysis.Pass
	dirs      *directive.Set
	generated map[string]generated.Generator
	findings  []Finding
	failures  []string // what Contain has caught
	example   bool     // the package is an example of its module
}

// New returns the reporter of a pass.
func New(pass *analysis.Pass) (*Reporter, error) {
	dirs, ok := pass.ResultOf[directive.Analyzer].(*directive.Set)
	if !ok {
		return nil, fmt.Errorf("%s: no result of %s", pass.Analyzer.Name, directive.Analyzer.Name)
	}
	gen, ok := pass.ResultOf[generated.Analyzer].(map[string]generated.Generator)
	if !ok {
		return nil, fmt.Errorf("%s: no result of %s", pass.Analyzer.Name, generated.Analyzer.Name)
	}
	return &Reporter{pass: pass, dirs: dirs, generated: gen, example: isExample(pass)}, nil
}

// Example reports whether the package only shows how its module is used.
func (r *Reporter) Example() bool { return r.example }

// Add takes a finding. Nothing is reported before [Reporter.Flush]. In an example
// nothing depends on what waits, or grows: that is for an audit.
func (r *Reporter) Add(f Finding) {
	if r.example {
		f.Tier = Audit
	}
	r.findings = append(r.findings, f)
}

// Flush reports the findings in source order, one a position and category.
func (r *Reporter) Flush() {
	// Of several findings of one category on a line the worst one is kept, and
	// of equals the one with the shortest way.
	line := func(f Finding) token.Position { return r.pass.Fset.PositionFor(f.Pos, false) }
	slices.SortStableFunc(r.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(line(a).Filename, line(b).Filename), cmp.Compare(line(a).Line, line(b).Line), cmp.Compare(a.Slug, b.Slug),
			cmp.Compare(rank(a.Tier), rank(b.Tier)), cmp.Compare(len(a.Frames), len(b.Frames)), cmp.Compare(a.Pos, b.Pos))
	})
	type place struct {
		file string
		line int
		slug string
	}
	seen := make(map[place]bool)
	kept := r.findings[:0]
	for _, f := range r.findings {
		p := place{line(f).Filename, line(f).Line, f.Slug}
		if !seen[p] {
			seen[p] = true
			kept = append(kept, f)
		}
	}
	slices.SortStableFunc(kept, func(a, b Finding) int { return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Slug, b.Slug)) })
	ordinal := make(map[string]int)
	for _, f := range kept {
		r.report(f, line(f), ordinal)
	}
	r.findings = nil
}

func rank(t Tier) int {
	if t == Default {
		return 0
	}
	return 1
}

func (r *Reporter) report(f Finding, pos token.Position, ordinal map[string]int) {
	category := r.pass.Analyzer.Name + "/" + f.Slug
	_, isGenerated := r.generated[pos.Filename]
	isTest := r.InTest(f.Pos)
	suppressed := r.dirs.Ignored(category, f.Pos)
	if suppressed != nil {
		suppressed.UsedBy++
	} else if Wire {
		suppressed = r.dirs.Nolint(f.Pos) // golangci-lint looks for it by itself
	}
	if len(f.Fixes) > 0 && (isGenerated || r.adjusted(f.Pos)) {
		f.Fixes = nil // what generates the file would write it again
	}
	d := analysis.Diagnostic{Pos: f.Pos, End: f.End, Category: category, URL: PageURL(category), Related: f.Related}
	if !Wire {
		if suppressed != nil || isGenerated || isTest && !PlainTests || f.Tier == Audit && PlainTier != Audit {
			return
		}
		if PlainSelected != nil && !PlainSelected(category) {
			return
		}
		if !PlainRelated {
			d.Related = nil
		}
		d.Message = clean(f.Message + " [" + category + "]")
		for _, fix := range f.Fixes {
			if f.Unsafe[fix.Message] == "" {
				d.SuggestedFixes = []analysis.SuggestedFix{fix}
				break
			}
		}
		r.pass.Report(d)
		return
	}
	symbol := r.symbol(f.Pos)
	m := Message{
		Tier: f.Tier, Text: clean(f.Message), Symbol: symbol, Frames: f.Frames,
		Test: isTest, Generated: isGenerated,
	}
	for _, fix := range f.Fixes {
		if what := f.Unsafe[fix.Message]; what != "" {
			if m.Unsafe == nil {
				m.Unsafe = make(map[string]string)
			}
			m.Unsafe[fix.Message] = what
		}
	}
	chain := make([]string, 0, len(f.Frames))
	for _, fr := range f.Frames {
		chain = append(chain, fr.Text)
	}
	id := strings.Join([]string{category, r.pass.Pkg.Path(), symbol, f.Resource, strings.Join(chain, ">")}, "\x00")
	ordinal[id]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", id, ordinal[id]))
	m.Fingerprint = hex.EncodeToString(sum[:16])
	if suppressed != nil {
		kind := "directive"
		switch {
		case suppressed.Lint:
			kind = "lint-directive"
		case suppressed.Nolint:
			kind = "nolint-directive"
		}
		p := r.pass.Fset.PositionFor(suppressed.Pos, false)
		m.Suppressed = &Suppression{Kind: kind, Reason: suppressed.Reason, Pos: fmt.Sprintf("%s:%d", base(p.Filename), p.Line)}
	}
	d.Message = m.encode()
	d.SuggestedFixes = slices.Clone(f.Fixes)
	r.pass.Report(d)
}

// InTest reports whether pos is in a test file, or in one that serves tests.
func (r *Reporter) InTest(pos token.Pos) bool {
	name := r.pass.Fset.PositionFor(pos, false).Filename
	return strings.HasSuffix(name, "_test.go") || r.testSupport(pos)
}

// testSupport reports whether the file at pos serves tests only, though its name
// does not say so: it imports testing or a library for tests, or its package is
// one of stand-ins.
func (r *Reporter) testSupport(pos token.Pos) bool {
	if name := filepath.Base(r.pass.Fset.PositionFor(pos, false).Filename); servesTests[strings.ReplaceAll(strings.TrimSuffix(name, ".go"), "_", "")] {
		return true
	}
	for elem := range strings.SplitSeq(r.pass.Pkg.Path(), "/") {
		switch elem {
		case "mock", "mocks", "fake", "fakes", "testutil", "testutils", "testx", "xtest", "testing", "testhelpers", "tests", "test", "e2e", "itest":
			return true
		}
		if what, ok := strings.CutPrefix(elem, "test"); ok && testEnvironments[what] && r.pass.Pkg.Name() != "main" {
			return true
		}
	}
	for _, f := range r.pass.Files {
		if pos < f.FileStart || pos > f.FileEnd {
			continue
		}
		if importsForTests(f) {
			return true
		}
	}
	// A package such as lntest/node, of which some file imports testing.
	return slices.ContainsFunc(strings.Split(r.pass.Pkg.Path(), "/"), func(elem string) bool { return strings.HasSuffix(elem, "test") }) &&
		slices.ContainsFunc(r.pass.Files, importsForTests)
}

// testEnvironments are what packages provide to tests: testcluster, testserver.
var testEnvironments = map[string]bool{
	"cluster": true, "server": true, "servers": true, "env": true, "db": true, "database": true, "kit": true, "lib": true,
	"support": true, "suite": true, "harness": true, "fixtures": true, "node": true, "network": true, "backend": true, "store": true, "app": true,
}

// servesTests are names of files that only tests have a use for.
var servesTests = map[string]bool{
	"testhelper": true, "testhelpers": true, "testutil": true, "testutils": true, "testing": true, "testsupport": true,
	"helpertest": true, "helperstest": true, "testcommon": true, "testsuite": true, "mock": true, "mocks": true,
}

func importsForTests(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(imp *ast.ImportSpec) bool { return forTests(strings.Trim(imp.Path.Value, "\"`")) })
}

// forTests reports whether a package is of use in tests only.
func forTests(path string) bool {
	if path == "testing" {
		return true
	}
	for _, lib := range []string{
		"github.com/stretchr/testify", "github.com/ory/dockertest", "github.com/testcontainers/testcontainers-go",
		"github.com/onsi/ginkgo", "github.com/onsi/gomega", "gotest.tools",
	} {
		if path == lib || strings.HasPrefix(path, lib+"/") {
			return true
		}
	}
	return false
}

// adjusted reports whether a //line directive makes the position show another
// file, so that an edit would go to a place the reader does not see.
func (r *Reporter) adjusted(pos token.Pos) bool {
	return r.pass.Fset.PositionFor(pos, false) != r.pass.Fset.PositionFor(pos, true)
}

// symbol names the function around pos.
func (r *Reporter) symbol(pos token.Pos) string {
	for _, f := range r.pass.Files {
		if pos < f.FileStart || pos > f.FileEnd {
			continue
		}
		for _, d := range f.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || pos < decl.Pos() || pos > decl.End() {
				continue
			}
			if decl.Recv == nil || len(decl.Recv.List) == 0 {
				return decl.Name.Name
			}
			recv := decl.Recv.List[0].Type
			star := ""
			if s, ok := recv.(*ast.StarExpr); ok {
				recv, star = s.X, "*"
			}
			switch x := recv.(type) {
			case *ast.IndexExpr:
				recv = x.X
			case *ast.IndexListExpr:
				recv = x.X
			}
			return "(" + star + types.ExprString(recv) + ")." + decl.Name.Name
		}
	}
	return ""
}

// PageURL is the page of a category.
func PageURL(category string) string {
	return "https://github.com/concvet/concvet/blob/main/docs/" + category + ".md"
}

// clean makes a message safe to print: one line, no control characters, not
// longer than a terminal can bear. Identifiers come from the analysed code.
func clean(s string) string {
	s = strings.Map(func(c rune) rune {
		switch {
		case c == '\n' || c == '\t':
			return ' '
		case c < 0x20, c == 0x7f, c >= 0x80 && c < 0xa0:
			return -1
		case c >= 0x202a && c <= 0x202e, c >= 0x2066 && c <= 0x2069:
			return -1 // bidirectional overrides
		}
		return c
	}, s)
	if len(s) > maxMessage {
		cut := maxMessage
		for cut > 0 && s[cut]&0xc0 == 0x80 {
			cut--
		}
		s = s[:cut] + "…"
	}
	return s
}

// maxMessage is the longest message, in bytes.
const maxMessage = 600

func base(name string) string {
	return name[strings.LastIndexAny(name, `/\`)+1:]
}
