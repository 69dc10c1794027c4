// Package summary infers what each function may do to its callers: the effects
// that may keep its goroutine waiting, what it acquires, releases, locks and
// leaves locked, and which of its parameters it calls.
//
// It is the one analyzer with facts. A function of another package is answered
// by its row in the tables, or else by its fact; one of this package by its
// body, bottom-up over the call graph, recursion by a bounded fixpoint. What
// cannot be resolved does nothing: unknown means silent.
package summary

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/deadline"
	"github.com/concvet/concvet/internal/directive"
	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/knowledge"
	"github.com/concvet/concvet/internal/ssabuild"
)

const name = "concvetsummary"

// Analyzer gives the [*Result] of the package.
var Analyzer = &analysis.Analyzer{
	Name:       name,
	Doc:        "infer what each function may do to its callers",
	Run:        run,
	Requires:   []*analysis.Analyzer{ssabuild.Analyzer, directive.Analyzer},
	FactTypes:  []analysis.Fact{new(Fact)},
	ResultType: reflect.TypeFor[*Result](),
}

// AnalyzeStd makes packages of the standard library be analysed like any other;
// set by main when one is named as a root. As dependencies the tables answer
// for them.
var AnalyzeStd bool

// Tests says that test files are analysed. Half of many a module is tests, so
// main turns it off unless their findings are asked for; what they do never
// counts for a function outside them.
var Tests = true

// inference is the state of one package.
type inference struct {
	pass  *analysis.Pass
	dirs  *directive.Set
	pkg   *ssabuild.Package
	paths *ir.Paths
	scan  *scan

	funcs []*ssa.Function
	index map[*ssa.Function]int
	infos map[*ssa.Function]*info
	decls map[*ssa.Function]*ast.FuncDecl

	external map[*types.Func]*target
	bodyless map[*types.Func]*effect.Summary // functions without a body that a directive tells of
	rows     map[*knowledge.Row]*effect.Summary
	answers  map[rowKey]*knowledge.Row // memo of rowOf
	impls    map[*types.Func]*types.Func

	implementers map[*types.Interface]*types.Named // memo of implementer
	keys         map[effect.Path]string            // memo of fieldKey
	deadlines    *deadline.Package
	bounded      map[ssa.Value]bool // memo of madeBounded
	slots        map[string]slotUse // channels in fields that are semaphores
	roomy        map[string]bool    // channels in fields that are always made with room
	makes        []*ssa.MakeChan
	tokens       map[*ssa.Function]map[effect.Path]bool // memo of tokensOf
	loops        *bool                                  // memo of hasLoops
	callbacks    []handed                               // functions that calls hand to a loop
	apart        []string                               // loops of libraries that the package switches off
	limits       []limitCall                            // memo of limitCalls
	chosen       *choices                               // memo of choices
	uses         *databases                             // memo of databases
	current      *ssa.Function

	lastPos   token.Pos // memo of pos
	lastPlace string

	dependency bool
	failures   []string
	err        error
}

// info is what is known of one function of the package.
type info struct {
	fn     *ssa.Function
	sum    *effect.Summary
	users  []*ssa.Function // who has read the summary, in the order of reading
	visits int
	sites  []*Site
	outer  []outerCall // parameters of functions around it that a literal calls
	events map[ssa.Instruction][]event
	cycles map[*ssa.BasicBlock]bool
	trips  map[*ssa.BasicBlock]int64

	onLoop  []effect.Task        // parameters that a loop of the package calls
	onSlot  []effect.Task        // parameters that run under a slot
	limited map[effect.Path]bool // pools and groups that get a limit here
	opaque  bool                 // it calls something that nothing is known of
	forever bool                 // it has a loop that waits for more in each round
}

func run(pass *analysis.Pass) (out any, err error) {
	builder, ok := pass.ResultOf[ssabuild.Analyzer].(*ssabuild.Builder)
	if !ok {
		return nil, fmt.Errorf("no result of %s", ssabuild.Analyzer.Name)
	}
	dirs, ok := pass.ResultOf[directive.Analyzer].(*directive.Set)
	if !ok {
		return nil, fmt.Errorf("no result of %s", directive.Analyzer.Name)
	}
	in := &inference{
		pass: pass, dirs: dirs,
		infos:        make(map[*ssa.Function]*info),
		index:        make(map[*ssa.Function]int),
		decls:        make(map[*ssa.Function]*ast.FuncDecl),
		external:     make(map[*types.Func]*target),
		bodyless:     make(map[*types.Func]*effect.Summary),
		rows:         make(map[*knowledge.Row]*effect.Summary),
		answers:      make(map[rowKey]*knowledge.Row),
		impls:        make(map[*types.Func]*types.Func),
		implementers: make(map[*types.Interface]*types.Named),
		keys:         make(map[effect.Path]string),
		tokens:       make(map[*ssa.Function]map[effect.Path]bool),
		dependency:   pass.Module != nil && pass.Module.Version != "",
	}
	result := &Result{in: in}
	defer func() {
		// One package is lost, not its importers, which need its facts file.
		if x := recover(); x != nil {
			in.failures = append(in.failures, fmt.Sprintf("internal error in %s on %s: %v; please report it", name, pass.Pkg.Path(), x))
			in.funcs = nil
			out, err = result, nil
		}
	}()
	if knowledge.IsStd(pass.Pkg.Path()) && !AnalyzeStd {
		return result, nil
	}
	in.scan = newScan(pass, in.knows, in.ownInterface, in.dependency, func(decl *ast.FuncDecl) bool { return dirs.OnFunc(decl, directive.Blocking) != nil })
	if in.err != nil {
		return in.unread(result)
	}
	if len(in.scan.wanted) == 0 && !in.hasInitLiterals() {
		in.exportQueues(nil)
		return result, nil
	}
	in.paths = ir.NewPaths(in.links)
	pkg, err := builder.Build(in.scan.keep, in.scan.keepInit)
	if err != nil {
		// The go/ssa builder fails on some valid programs. The package gets no
		// findings and exports no facts; its importers are not affected.
		in.failures = append(in.failures, err.Error())
		return result, nil
	}
	in.pkg = pkg
	in.prepare()
	in.deadlines = in.newDeadlines()
	in.findSlots()
	in.solve()
	if in.err != nil {
		return in.unread(result)
	}
	in.loopTasks()
	in.exportFacts(result.exportLock)
	return result, nil
}

// unread gives up on a package of which an import could not be read. Its
// analyzers say why.
func (in *inference) unread(result *Result) (*Result, error) {
	in.failures = append(in.failures, in.err.Error())
	in.funcs = nil
	return result, nil
}

// knows reports whether a function of another package, or an interface method,
// has a row or a fact.
func (in *inference) knows(fn *types.Func) bool {
	if row := table().Func(fn); row != nil {
		return !row.Quiet && !row.Passive()
	}
	if sig, ok := fn.Type().(*types.Signature); ok && sig.Recv() != nil && types.IsInterface(sig.Recv().Type()) {
		return in.ownInterface(fn) || table().Varies(fn)
	}
	if fn.Pkg() == nil || fn.Pkg() == in.pass.Pkg {
		return false
	}
	return in.pass.ImportObjectFact(fn, new(Fact))
}

func (in *inference) fail(fn *types.Func, err error) {
	if in.err == nil {
		in.err = fmt.Errorf("reading what %s exported about %s: %v; run go clean -cache", fn.Pkg().Path(), fn.Name(), err)
	}
}

// ownInterface reports whether the interface that declares fn belongs to the
// module that is analysed, so that its implementations may be in sight.
func (in *inference) ownInterface(fn *types.Func) bool {
	if fn.Pkg() == nil || in.dependency {
		return false
	}
	return in.sameModule(fn.Pkg().Path())
}

// sameModule reports whether a package belongs to the module that is analysed.
func (in *inference) sameModule(path string) bool {
	if path == in.pass.Pkg.Path() {
		return true
	}
	if m := in.pass.Module; m != nil && m.Path != "" {
		return path == m.Path || strings.HasPrefix(path, m.Path+"/")
	}
	return !knowledge.IsStd(path) && firstElem(path) == firstElem(in.pass.Pkg.Path())
}

func firstElem(path string) string {
	first, _, _ := strings.Cut(path, "/")
	return first
}

func (in *inference) hasInitLiterals() bool {
	for _, init := range in.pass.TypesInfo.InitOrder {
		if ssabuild.HasFuncLit(init.Rhs) {
			return true
		}
	}
	return false
}

// prepare lists the functions and resolves what is assigned once.
func (in *inference) prepare() {
	in.funcs = in.pkg.Funcs
	for fn, decl := range in.scan.decls {
		if decl.Body != nil {
			continue
		}
		if e := in.declaredBlocking(decl); e != nil {
			in.bodyless[fn] = &effect.Summary{Effects: []effect.Effect{*e}}
		}
	}
	lits := make(map[ast.Node]*ssa.Function)
	for i, fn := range in.funcs {
		in.index[fn] = i
		in.infos[fn] = &info{fn: fn}
		switch syntax := fn.Syntax().(type) {
		case *ast.FuncDecl:
			in.decls[fn] = syntax
		case *ast.FuncLit:
			lits[syntax] = fn
		}
	}
	for v, value := range in.scan.assigned {
		if value == nil {
			continue
		}
		switch e := ast.Unparen(value).(type) {
		case *ast.FuncLit:
			if fn := lits[e]; fn != nil {
				in.paths.AssignOnce(v, fn)
			}
		case *ast.Ident:
			in.assignFunc(v, e)
		case *ast.SelectorExpr:
			sel, isMethod := in.pass.TypesInfo.Selections[e]
			if !isMethod {
				in.assignFunc(v, e.Sel)
			} else if fn, ok := sel.Obj().(*types.Func); ok && sel.Kind() == types.MethodVal {
				in.paths.AssignMethod(v, fn)
			}
		}
	}
	for v, t := range in.scan.contents {
		if t != nil {
			in.paths.AssignType(v, t)
		}
	}
}

func (in *inference) assignFunc(v *types.Var, id *ast.Ident) {
	if fn, ok := in.pass.TypesInfo.Uses[id].(*types.Func); ok {
		if f := in.pkg.SSA.Prog.FuncValue(fn); f != nil {
			in.paths.AssignOnce(v, f)
		}
	}
}

// solve computes the summaries, callees first. A function is computed again
// when a summary that it has read changes, at most maxVisits times.
func (in *inference) solve() {
	queue := in.postorder()
	queued := make(map[*ssa.Function]bool)
	for _, fn := range queue {
		queued[fn] = true
	}
	for len(queue) > 0 && in.err == nil {
		fn := queue[0]
		queue = queue[1:]
		queued[fn] = false
		node := in.infos[fn]
		if node.visits == maxVisits {
			continue
		}
		node.visits++
		in.current = fn
		sum := in.inferSafely(node)
		in.current = nil
		old := node.sum
		node.sum = sum
		// A longer or shorter way to the same effects changes nothing for callers.
		if old.Same(sum) {
			continue
		}
		if old == nil || !slices.Equal(old.Links, sum.Links) {
			in.paths.Forget()
		}
		for _, user := range node.users {
			if !queued[user] && in.infos[user].visits > 0 {
				queued[user] = true
				queue = append(queue, user)
			}
		}
	}
}

// maxVisits is how often a function in a recursion is computed. What a longer
// way round would add is seldom new.
const maxVisits = 3

// inferSafely contains a panic to the function that caused it.
func (in *inference) inferSafely(node *info) (sum *effect.Summary) {
	defer func() {
		if x := recover(); x != nil {
			in.failures = append(in.failures, failure(in.pass.Pkg.Path(), node.fn, x))
			sum = &effect.Summary{}
			node.sites, node.events = nil, nil
		}
	}()
	return in.infer(node)
}

// failure names the function that a panic of ours costs.
func failure(pkg string, fn *ssa.Function, x any) string {
	return fmt.Sprintf("internal error in %s on %s (func %s): %v; please report it", name, pkg, fn, x)
}

// postorder lists the functions with callees before callers, as far as the
// static references between them tell.
func (in *inference) postorder() []*ssa.Function {
	var out []*ssa.Function
	state := make([]uint8, len(in.funcs))
	type frame struct {
		fn   *ssa.Function
		refs []*ssa.Function
	}
	for _, root := range in.funcs {
		if state[in.index[root]] != 0 {
			continue
		}
		stack := []frame{{root, in.references(root)}}
		state[in.index[root]] = 1
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if len(top.refs) == 0 {
				out = append(out, top.fn)
				stack = stack[:len(stack)-1]
				continue
			}
			next := top.refs[0]
			top.refs = top.refs[1:]
			if i := in.index[next]; state[i] == 0 {
				state[i] = 1
				stack = append(stack, frame{next, in.references(next)})
			}
		}
	}
	return out
}

// references lists the functions of the package that fn mentions.
func (in *inference) references(fn *ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	var buf [8]*ssa.Value
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && call.Common().IsInvoke() {
				impl := in.implementation(call.Common().Method)
				if impl == nil || impl.Pkg() != in.pass.Pkg {
					continue
				}
				if f := in.pkg.SSA.Prog.FuncValue(impl); f != nil && in.infos[f] != nil && f != fn {
					out = append(out, f)
				}
				continue
			}
			for _, op := range instr.Operands(buf[:0]) {
				f, ok := (*op).(*ssa.Function)
				if !ok {
					continue
				}
				if c := ir.FuncOf(f, in.paths); c.Body != nil {
					f = c.Body
				}
				if _, own := in.infos[f]; own && f != fn {
					out = append(out, f)
				}
			}
		}
	}
	return out
}

// ownSummary returns the summary of a function of this package and notes that
// the current function depends on it.
func (in *inference) ownSummary(fn *ssa.Function) *effect.Summary {
	node := in.infos[fn]
	if node == nil {
		return nil
	}
	if in.current != nil && !slices.Contains(node.users, in.current) {
		node.users = append(node.users, in.current)
	}
	return node.sum
}

func (in *inference) exportFacts(lock func(effect.Effect) (effect.Effect, bool)) {
	for fn, sum := range in.bodyless {
		if exportable(fn) {
			in.pass.ExportObjectFact(fn, &Fact{Text: export(sum, in.dependency, nil).Encode()})
		}
	}
	done := make(map[*types.Func]bool)
	for _, fn := range in.funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || !exportable(obj) {
			continue
		}
		if table().Func(obj) != nil {
			continue // the row answers
		}
		if in.decls[fn] != nil && isTestFile(in.pass.Fset, in.decls[fn].Pos()) {
			continue
		}
		sum := in.infos[fn].sum
		if more := slices.Concat(in.infos[fn].onLoop, in.infos[fn].onSlot); len(more) > 0 {
			with := *sum
			with.Tasks = append(slices.Clone(sum.Tasks), more...)
			sum = &with
		}
		out := export(sum, in.dependency, lock)
		if !in.dependency {
			out.Ends = in.ends(fn)
		}
		if e, ok := in.queueEffect(obj); ok {
			out.Effects = append(out.Effects, e)
			out.Normalize()
		}
		if out.Empty() {
			continue
		}
		done[obj] = true
		in.pass.ExportObjectFact(obj, &Fact{Text: out.Encode()})
	}
	in.exportQueues(done)
}
