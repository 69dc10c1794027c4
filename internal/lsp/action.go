package lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
)

// What an action does, in actionData.
const (
	doFix    = "fix"
	doIgnore = "ignore"
	doAll    = "all"
)

// codeActions lists what can be done at a range. Nothing is offered for text
// that was not checked yet: a check of it is on its way.
func (s *Server) codeActions(c *call, p codeActionParams) (any, error) {
	path := pathOf(p.TextDocument.URI)
	s.mu.Lock()
	d := s.docs[path]
	if d == nil || !d.current() {
		s.mu.Unlock()
		return []codeAction{}, nil
	}
	wants := func(kind string) bool {
		return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(only string) bool {
			return only == "" || kind == only || strings.HasPrefix(kind, only+".")
		})
	}
	var list []codeAction
	if wants(kindQuickFix) {
		for _, f := range d.asked(p) {
			list = append(list, s.quickFixes(d, f)...)
		}
	}
	// Only who asks for it by name gets it: it is run on save without a person.
	all := len(p.Context.Only) > 0 && wants(kindFixAll) && slices.ContainsFunc(d.shown, func(f shown) bool { return f.safe() >= 0 })
	lazy := s.client.TextDocument.CodeAction.DataSupport && slices.Contains(s.client.TextDocument.CodeAction.ResolveSupport.Properties, "edit")
	if all {
		list = append(list, codeAction{Title: "concvet: apply all safe fixes of this file", Kind: kindFixAll, Data: &actionData{URI: d.uri, Version: d.version, What: doAll}})
	}
	s.mu.Unlock()
	if all && !lazy {
		c.detach() // it checks once more
	}
	out := []codeAction{}
	for _, a := range list {
		// Only what takes a while is left for later. Some clients (lsp-mode 8)
		// ask all their servers to resolve an action, and trip over the answers.
		if lazy && a.Data.What == doAll {
			out = append(out, a)
			continue
		}
		if edit, err := s.edit(c.ctx, *a.Data); err == nil {
			a.Edit, a.Data = edit, nil
			out = append(out, a)
		} else {
			s.log(messageInfo, fmt.Sprintf("%q is not offered: %v", a.Title, err))
		}
	}
	return out, nil
}

// asked lists the findings that a request is about. Clients may send ranges
// back that they have changed, so the identity goes first.
func (d *document) asked(p codeActionParams) []shown {
	ids, places := map[string]bool{}, map[string]bool{}
	for _, back := range p.Context.Diagnostics {
		var id diagnosticIdentity
		var code string
		if len(back.Data) > 0 && json.Unmarshal(back.Data, &id) == nil && id.ID != "" {
			ids[id.ID] = true
		} else if json.Unmarshal(back.Code, &code) == nil {
			places[fmt.Sprint(code, back.Range.Start.Line)] = true
		}
	}
	start, end := d.text.offset(p.Range.Start), d.text.offset(p.Range.End)
	var list []shown
	for _, f := range d.shown {
		line := d.text.position(f.start).Line
		if ids[f.id] || places[fmt.Sprint(f.diag.Code, line)] || f.start <= end && start <= f.end {
			list = append(list, f)
		}
	}
	return list
}

// safe is the place of the first safe fix, or -1.
func (f shown) safe() int {
	for i, fix := range f.finding.Fixes {
		if fix.Unsafe == "" && len(fix.Edits) > 0 && !f.finding.Generated {
			return i
		}
	}
	return -1
}

func (s *Server) quickFixes(d *document, f shown) []codeAction {
	f.diag.Range = d.text.span(f.start, f.end)
	action := func(title, what string, fix int) codeAction {
		return codeAction{
			Title: "concvet: " + title, Kind: kindQuickFix, Diagnostics: []diagnostic{f.diag},
			Data: &actionData{URI: d.uri, Version: d.version, ID: f.id, Fix: fix, What: what},
		}
	}
	var list []codeAction
	if !f.finding.Generated {
		for i, fix := range f.finding.Fixes {
			switch {
			case len(fix.Edits) == 0:
			case fix.Unsafe == "":
				a := action(fix.Title, doFix, i)
				a.IsPreferred = i == f.safe()
				list = append(list, a)
			case s.settings.UnsafeFixes:
				list = append(list, action(fmt.Sprintf("%s (unsafe: %s)", fix.Title, fix.Unsafe), doFix, i))
			}
		}
	}
	if f.ignorable() {
		list = append(list, action("ignore "+f.finding.Category+" here, with a reason", doIgnore, 0))
	}
	return list
}

// resolve supplies the edit of an action.
func (s *Server) resolve(c *call, a codeAction) (any, error) {
	if a.Data == nil {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "the action has no data of this server")
	}
	if a.Data.What == doAll {
		c.detach()
	}
	edit, err := s.edit(c.ctx, *a.Data)
	if err != nil {
		return nil, jsonrpc2.NewError(contentModified, err.Error())
	}
	a.Edit = edit
	return a, nil
}

// contentModified is the protocol's code for an answer that has become stale.
const contentModified jsonrpc2.Code = -32801
