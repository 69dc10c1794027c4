package summary

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Programs with many commands often have a type of their own for them. It is known
// by its name and by what only a command has: the line that tells how it is used,
// or the flags that it takes.

// usage are the fields that say how a command is used.
var usage = map[string]bool{
	"Use": true, "Usage": true, "UsageLine": true, "UsageText": true, "ArgsUsage": true, "Synopsis": true, "ShortHelp": true, "ShortUsage": true,
	"use": true, "usage": true, "usageLine": true, "synopsis": true, "shortHelp": true,
}

// isCommand reports whether a type describes a command of a command line.
func isCommand(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	name := strings.ToLower(named.Obj().Name())
	if !strings.Contains(name, "command") && !strings.Contains(name, "cmd") {
		return false
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	program := named.Obj().Pkg() != nil && named.Obj().Pkg().Name() == "main"
	for f := range s.Fields() {
		if usage[f.Name()] || isFlagSet(f.Type()) || program && describes[f.Name()] {
			return true
		}
	}
	return false
}

// describes are the fields that say what a command does. Those of a chat, which
// a server runs, have them too; a program's own are in package main.
var describes = map[string]bool{"Description": true, "description": true, "Help": true, "help": true}

// embedsFlags reports whether a type is a set of flags with methods of its own.
func embedsFlags(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := types.Unalias(t).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if f.Embedded() && isFlagSet(f.Type()) {
			return true
		}
	}
	return false
}

func isFlagSet(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "FlagSet" && named.Obj().Pkg() != nil && strings.HasSuffix(named.Obj().Pkg().Name(), "flag")
}

// funcFields lists the fields of a struct type that are functions.
func funcFields(t types.Type) (names []string) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		if _, ok := f.Type().Underlying().(*types.Signature); ok {
			names = append(names, f.Name())
		}
	}
	return names
}

// runsCommand reports whether a function is one that runs a command, by what it
// is given: the command, the flags, or, as a method Run, its arguments alone.
func runsCommand(fn *ssa.Function) bool {
	sig := fn.Signature
	if fn.Parent() != nil { // func newServeCommand() func(cmd *cobra.Command, args []string)
		return sig.Params().Len() > 0 && isCommand(sig.Params().At(0).Type())
	}
	if fn.Object() == nil {
		return false
	}
	for v := range sig.Params().Variables() {
		if _, ok := types.Unalias(v.Type()).(*types.Pointer); ok && (isCommand(v.Type()) || isFlagSet(v.Type()) && executes(fn.Name())) {
			return true
		}
		if sig.Recv() == nil && embedsFlags(v.Type()) {
			return true
		}
	}
	if sig.Recv() == nil || fn.Name() != "Run" || sig.Params().Len() != 1 || sig.Results().Len() != 1 {
		return false
	}
	args, ok := types.Unalias(sig.Params().At(0).Type()).(*types.Slice)
	return ok && types.Identical(args.Elem(), types.Typ[types.String]) && types.Identical(sig.Results().At(0).Type(), types.Typ[types.Int])
}

func executes(name string) bool { return name == "Execute" || name == "Run" || name == "Exec" }
