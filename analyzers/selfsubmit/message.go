package selfsubmit

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/pool"
	"github.com/concvet/concvet/internal/report"
)

// add writes a cycle down.
func (c *checker) add(y *pool.Cycle, place ssa.Instruction, tier report.Tier) {
	pos := position(place)
	if place == y.Op.Instr && y.Op.Pos.IsValid() {
		pos = y.Op.Pos
	}
	start, end := report.Range(c.pass.Files, pos)
	f := report.Finding{Pos: start, End: end, Slug: c.slug(y), Tier: tier, Resource: "pool " + c.name(y)}
	frames := c.frames(y, place)
	f.Message = c.message(y, frames)
	if y.Task.At != nil && y.Task.At != place {
		at := position(y.Task.At)
		f.Frames = append(f.Frames, report.Frame{Pos: report.Place(c.pass.Fset, at), Text: c.runs(y)})
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: at, Message: c.runs(y)})
	}
	c.witness(&f, frames)
	f.Fixes, f.Unsafe = c.fixes(y, place, pos)
	c.report.Add(f)
}

// witness adds the way to the operation.
func (c *checker) witness(f *report.Finding, frames []effect.Frame) {
	for _, fr := range frames {
		f.Frames = append(f.Frames, report.Frame{Pos: fr.Pos, Text: fr.Call})
	}
	for _, fr := range frames[min(1, len(frames)):] {
		if pos := report.PosOf(c.pass, fr.Pos); pos != token.NoPos {
			f.Related = append(f.Related, analysis.RelatedInformation{Pos: pos, Message: fr.Call})
		}
	}
}

// frames leads from the place of the finding to the operation.
func (c *checker) frames(y *pool.Cycle, place ssa.Instruction) []effect.Frame {
	var out []effect.Frame
	for _, call := range y.Op.Rest(place) {
		out = append(out, effect.Frame{Pos: c.res.Place(call), Call: c.callName(call)})
	}
	return effect.CutFrames(append(out, y.Op.Frames...), effect.MaxFrames)
}

func (c *checker) callName(call ssa.CallInstruction) string {
	if n := c.model.Resolve(call).Name; n != "" {
		return n
	}
	return "func literal"
}

// name is what a person calls the pool of a cycle.
func (c *checker) name(y *pool.Cycle) string {
	if n := c.res.Name(y.Task.Pool); n != "" {
		return n
	}
	if call, ok := y.Task.At.(ssa.CallInstruction); ok && len(call.Common().Args) > 0 {
		if n := c.res.VariableName(call.Common().Args[0]); n != "" {
			return n
		}
	}
	return "its pool"
}

// runs says where the task begins.
func (c *checker) runs(y *pool.Cycle) string {
	if y.Task.Loop != nil && y.Task.Body == y.Task.Loop.Fn {
		return "receive from " + c.name(y)
	}
	return "task of " + c.name(y)
}

// message draws the cycle in one line.
func (c *checker) message(y *pool.Cycle, frames []effect.Frame) string {
	name := c.name(y)
	at := ""
	if y.Task.At != nil {
		if line := c.line(position(y.Task.At)); line > 0 {
			at = fmt.Sprintf(" (line %d)", line)
		}
	}
	op := effect.Through(frames)
	switch {
	case y.End && y.Task.Kind == pool.Own:
		return fmt.Sprintf("this goroutine waits for its own end: %s → ends only after it has returned, which waits for it: deadlock", op)
	case y.End:
		return fmt.Sprintf("task of %s%s → %s → the end of the loop that runs the task (line %d): deadlock", name, at, op, c.line(y.Task.Loop.Fn.Pos()))
	}
	if y.Back != nil {
		other := c.res.Name(y.Op.Path)
		if other == "" {
			other = "another pool"
		}
		what := "task"
		if y.Op.Verb == pool.Send {
			what = "loop"
		}
		return fmt.Sprintf("%s of %s%s → %s → room in %s → %s of %s → %s (line %d) → room in %s: when both are full, each waits for the other for ever",
			what, name, at, op, other, what, other, effect.Through(y.BackOp.Frames), c.line(position(y.BackOp.Instr)), name)
	}
	n := "as many tasks as there are workers"
	if y.Task.Kind == pool.Slots {
		n = "as many tasks as there are slots"
	}
	if y.Size > 0 {
		n = fmt.Sprintf("%d tasks", y.Size)
		if y.Size == 1 {
			n = "one task"
		}
	}
	switch y.Op.Verb {
	case pool.Wait:
		if y.Op.Join != nil {
			return fmt.Sprintf("task of %s%s → waits in %s → for a task of %s (line %d): %s that do so at once wait for tasks that no worker is left for",
				name, at, op, name, c.line(position(y.Op.Join.At)), n)
		}
		if y.Task.Kind == pool.Group {
			return fmt.Sprintf("task of %s%s → %s → waits for every task of %s, itself among them: deadlock", name, at, op, name)
		}
		return fmt.Sprintf("task of %s%s → %s → waits for a task of %s: %s that do so at once wait for tasks that no worker is left for", name, at, op, name, n)
	case pool.Send:
		who := fmt.Sprintf("the loop that receives from %s%s", name, at)
		if y.Task.Loop == nil || y.Task.Body != y.Task.Loop.Fn {
			who = fmt.Sprintf("task of %s%s", name, at)
		}
		room := "when the channel is full"
		if k, ok := c.model.Room(y.Task); ok && k == 0 {
			room = "the channel has no room, so"
		} else if ok {
			room = fmt.Sprintf("when its %d places are taken", k)
		}
		return fmt.Sprintf("%s → %s → room that only this loop makes by receiving: %s every goroutine that receives waits to send, for ever", who, op, room)
	}
	return fmt.Sprintf("task of %s%s → %s → waits until a task of %s ends: %s that do so at once wait for each other for ever", name, at, op, name, n)
}

func (c *checker) line(pos token.Pos) int {
	if !pos.IsValid() {
		return 0
	}
	return c.pass.Fset.Position(pos).Line
}

// position is where an instruction stands.
func position(instr ssa.Instruction) token.Pos {
	if instr.Pos().IsValid() {
		return instr.Pos()
	}
	if call, ok := instr.(ssa.CallInstruction); ok && call.Common().Pos().IsValid() {
		return call.Common().Pos()
	}
	for _, other := range instr.Block().Instrs {
		if other.Pos().IsValid() {
			return other.Pos()
		}
	}
	return instr.Parent().Pos()
}
