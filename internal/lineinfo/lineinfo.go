// Package lineinfo says what concvet sees at one line: which calls there may
// wait and for how long, what is held, and where nothing is known. It is what
// `concvet explain FILE:LINE` shows beside the findings.
//
// The line is named by a comment at the end of the file, "//concvet:explain N",
// which the front end adds in an overlay. So the contents of the package decide
// what is said, as go vet's cache wants it, and the packages below need not be
// analysed again, as they would for another flag.
package lineinfo

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/directive"
	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/region"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// Category is that of what is said of a line. It is no finding: only the front
// end asks for it. Besides, every package gets a [report.Presence].
const Category = "lineinfo/line"

// Analyzer reports what is seen at the lines that are asked for.
var Analyzer = &analysis.Analyzer{
	Name:     "lineinfo",
	Doc:      "say what is seen at the line that concvet explain FILE:LINE asks for",
	Requires: append([]*analysis.Analyzer{summary.Analyzer}, report.Requires...),
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	if report.FactsOnly || !report.Wire {
		return nil, nil
	}
	r, err := report.New(pass)
	if err != nil {
		return nil, err
	}
	defer r.Flush()
	if len(pass.Files) > 0 {
		_, slug, _ := strings.Cut(report.Presence, "/")
		r.Add(report.Finding{Pos: pass.Files[0].Package, Slug: slug, Tier: report.Audit, Message: "analysed"})
	}
	dirs, ok := pass.ResultOf[directive.Analyzer].(*directive.Set)
	if !ok {
		return nil, fmt.Errorf("no result of %s", directive.Analyzer.Name)
	}
	var asked []*directive.Directive
	for _, d := range dirs.All {
		if d.Verb == directive.Explain {
			asked = append(asked, d)
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	res, done, err := summary.Use(pass)
	if err != nil {
		return nil, err
	}
	defer done()
	for _, d := range asked {
		v := &view{pass: pass, res: res, file: pass.Fset.File(d.Pos), line: d.Line}
		pos := d.Pos
		if strings.HasSuffix(v.file.Name(), ".cgo1.go") {
			v.source = pass.Fset.Position(d.Pos).Filename
		} else if d.Line > v.file.LineCount() {
			continue
		} else {
			pos = v.file.LineStart(d.Line)
		}
		v.look()
		r.Add(report.Finding{Pos: pos, Slug: "line", Tier: report.Audit, Message: v.headline(), Frames: v.notes})
	}
	return nil, nil
}

// A view collects what is seen at one line.
type view struct {
	pass *analysis.Pass
	res  *summary.Result
	file *token.File
	line int // of the file, whatever its //line directives say

	// source is the file that cgo made this one of, and the line is one of it:
	// nobody sees what cgo has made.
	source string

	known bool // some function that was looked at closely has code there
	notes []report.Frame
}

func (v *view) at(pos token.Pos) bool {
	return pos.IsValid() && v.pass.Fset.File(pos) == v.file && v.lineOf(pos) == v.line
}

// lineOf is the line of a position in the file, or 0 if its source has none.
func (v *view) lineOf(pos token.Pos) int {
	p := v.pass.Fset.PositionFor(pos, v.source != "")
	if v.source != "" && p.Filename != v.source {
		return 0
	}
	return p.Line
}

// note adds a line of the output, once.
func (v *view) note(format string, args ...any) {
	n := report.Frame{Text: fmt.Sprintf(format, args...)}
	if !slices.Contains(v.notes, n) {
		v.notes = append(v.notes, n)
	}
}

func (v *view) look() {
	for _, fn := range v.res.Funcs() {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				v.instr(fn, instr)
			}
		}
	}
}

func (v *view) instr(fn *ssa.Function, instr ssa.Instruction) {
	var site *summary.Site
	for _, s := range v.res.Sites(fn) {
		if s.Instr == instr {
			site = s
		}
	}
	pos := instr.Pos()
	if site != nil {
		pos = site.Pos
	}
	if !v.at(pos) {
		return
	}
	v.known = true
	call, isCall := instr.(ssa.CallInstruction)
	if isCall {
		if _, builtin := call.Common().Value.(*ssa.Builtin); builtin {
			return
		}
		v.answer(call, site != nil)
	}
	if site == nil && !isCall {
		return
	}
	if site != nil {
		for _, e := range site.Effects {
			v.effect(e.Effect)
		}
	}
	for _, t := range v.res.Region(fn).Held(instr) {
		v.held(t)
	}
}

// answer says where the knowledge of a call comes from, as far as it explains
// why there is an effect or none.
func (v *view) answer(call ssa.CallInstruction, waits bool) {
	from, name := v.res.AnswerOf(call.Common())
	_, started := call.(*ssa.Go)
	switch {
	case started:
		v.note("go starts a goroutine: what it waits for does not keep this one waiting")
	case from == summary.Unresolved:
		v.note("a function value is called: which function it is, is not known, so nothing is said of it")
	case from == summary.Undecided:
		v.note("%s is a method of an interface: which type implements it here is not known, so nothing is said of it", name)
	case waits:
	case from == summary.Nothing:
		v.note("%s: neither its code nor the tables say that it waits", name)
	case from == summary.ByRow:
		v.note("%s: the tables say that it does not wait", name)
	default:
		v.note("%s: nothing in its code is known to wait", name)
	}
}

func (v *view) effect(e effect.Effect) {
	text := "may wait: " + e.Kind.String() + ", " + e.API
	if e.API == "" && len(e.Frames) > 0 {
		text = "may wait: " + e.Kind.String() + ", " + e.Frames[len(e.Frames)-1].Call
	}
	v.note("%s; %s", text, bound(e.Bound))
	for _, f := range e.Frames {
		n := report.Frame{Pos: f.Pos, Text: "  through " + f.Call}
		if !slices.Contains(v.notes, n) {
			v.notes = append(v.notes, n)
		}
	}
}

func bound(b effect.Bound) string {
	switch b.Kind {
	case effect.Unbounded:
		return "nothing that is known bounds it"
	case effect.ConstBound:
		if b.Dur == 0 {
			return "it is short"
		}
		return "it ends after " + b.Dur.String()
	case effect.CtxBound, effect.CancelBound:
		return "a context bounds it"
	case effect.Deadline:
		return "a deadline bounds it"
	case effect.ClientTimeout:
		return "the timeout of the client bounds it"
	case effect.TryBound:
		return "it gives up at once"
	case effect.RoomBound:
		return "the channel has room"
	case effect.ToldBound:
		return "who is waited for has been told to end"
	}
	return "another case ends it"
}

func (v *view) held(t *region.Thing) {
	name := t.Name
	if name == "" {
		name = "it"
	}
	where := "by the caller"
	if t.Pos.IsValid() {
		where = fmt.Sprintf("since line %d", v.pass.Fset.Position(t.Pos).Line)
	}
	v.note("held: %s (%s) %s", name, t.Class, where)
}

// headline says which function the line is in and, if nothing is listed, why.
func (v *view) headline() string {
	name := v.enclosing()
	switch {
	case name == "":
		return "no function has code on this line"
	case len(v.notes) > 0:
		return "seen in " + name + ":"
	case v.known:
		return "in " + name + " nothing on this line can wait"
	case v.waits(name):
		return "in " + name + " there is no call, send or receive on this line"
	}
	return name + " was not looked at closely: by name and type, nothing in it can wait or hold anything"
}

// enclosing is the name of the function around the line.
func (v *view) enclosing() string {
	for _, f := range v.pass.Files {
		if v.pass.Fset.File(f.Pos()) != v.file {
			continue
		}
		for _, d := range f.Decls {
			if decl, ok := d.(*ast.FuncDecl); ok && v.lineOf(decl.Pos()) <= v.line && v.line <= v.lineOf(decl.End()) {
				return decl.Name.Name
			}
		}
	}
	return ""
}

// waits reports whether a function of that name is among those looked at.
func (v *view) waits(name string) bool {
	return slices.ContainsFunc(v.res.Funcs(), func(fn *ssa.Function) bool {
		for fn.Parent() != nil {
			fn = fn.Parent()
		}
		return fn.Name() == name && v.pass.Fset.File(fn.Pos()) == v.file
	})
}
