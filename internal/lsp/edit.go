package lsp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/aymanbagabas/go-udiff"

	"github.com/concvet/concvet/internal/apply"
	"github.com/concvet/concvet/internal/vetrun"
)

var errStale = errors.New("the text has changed since it was checked")

// edit makes the edit of an action. It is what concvet -fix would write, as the
// differences to what is in the editor.
func (s *Server) edit(ctx context.Context, a actionData) (*workspaceEdit, error) {
	s.mu.Lock()
	d := s.docs[pathOf(a.URI)]
	if d == nil || d.version != a.Version || !d.current() {
		s.mu.Unlock()
		return nil, errStale
	}
	if a.What == doAll {
		job := s.fixAll(d)
		s.mu.Unlock()
		return s.verified(ctx, d, a.Version, job)
	}
	defer s.mu.Unlock()
	for _, f := range d.shown {
		if f.id != a.ID {
			continue
		}
		switch {
		case a.What == doIgnore:
			edits, err := ignore(d, f)
			if err != nil {
				return nil, err
			}
			return s.workspaceEdit(map[string][]textEdit{d.path: edits}), nil
		case a.What == doFix && 0 <= a.Fix && a.Fix < len(f.finding.Fixes):
			return s.fix(f.finding.Fixes[a.Fix].Edits)
		}
	}
	return nil, errStale
}

// fix applies the edits of one fix, which may be in several files.
func (s *Server) fix(edits []vetrun.Edit) (*workspaceEdit, error) {
	byFile := map[string][]vetrun.Edit{}
	for _, e := range edits {
		byFile[e.File] = append(byFile[e.File], e)
	}
	out := map[string][]textEdit{}
	for _, path := range sortedKeys(byFile) {
		t, err := s.textOf(path)
		if err != nil {
			return nil, err
		}
		after, err := apply.Edited([]byte(t.data), byFile[path])
		if err != nil {
			return nil, err
		}
		out[path] = differences(t, string(after))
	}
	return s.workspaceEdit(out), nil
}

// textOf is the text that was checked: that of the editor, or of the file.
func (s *Server) textOf(path string) (*text, error) {
	if d := s.docs[path]; d != nil {
		if !d.current() {
			return nil, errStale
		}
		return d.text, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return newText(string(data), s.enc), nil
}

// A fixJob is what is needed to apply all safe fixes of a document.
type fixJob struct {
	text    *text
	edits   []vetrun.Edit
	request Request
}

// fixAll collects the safe fixes of a document that do not overlap, and that
// change no other file.
func (s *Server) fixAll(d *document) fixJob {
	job := fixJob{text: d.text}
	for _, f := range d.shown {
		i := f.safe()
		if i < 0 {
			continue
		}
		fits := true
		for _, e := range f.finding.Fixes[i].Edits {
			fits = fits && e.File == d.path && !apply.Conflicts(job.edits, e)
		}
		if fits {
			job.edits = append(job.edits, f.finding.Fixes[i].Edits...)
		}
	}
	dir := filepath.Dir(d.path)
	job.request = Request{Dir: vetrun.ModuleRoot(dir), Folders: []string{dir}, Overlay: s.unsaved(), Settings: s.settings}
	return job
}

// verified checks that the fixed text compiles before it is offered. That costs
// nothing: the editor will ask for a check of that very text.
func (s *Server) verified(ctx context.Context, d *document, version int, job fixJob) (*workspaceEdit, error) {
	if len(job.edits) == 0 {
		return nil, errors.New("no fix can be applied")
	}
	after, err := apply.Edited([]byte(job.text.data), job.edits)
	if err != nil {
		return nil, err
	}
	job.request.Overlay[d.path] = after
	res, err := s.check(ctx, job.request)
	switch {
	case err != nil:
		return nil, err
	case len(res.Problems) > 0:
		return nil, fmt.Errorf("with all fixes it does not compile: %s", res.Problems[0].Text)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.docs[d.path] != d || d.version != version {
		return nil, errStale
	}
	return s.workspaceEdit(map[string][]textEdit{d.path: differences(job.text, string(after))}), nil
}

// differences are the edits that make after of a text.
func differences(t *text, after string) []textEdit {
	list := []textEdit{}
	for _, e := range udiff.Strings(t.data, after) {
		list = append(list, textEdit{t.span(e.Start, e.End), e.New})
	}
	return list
}

// workspaceEdit writes edits as the client takes them. The caller holds s.mu.
func (s *Server) workspaceEdit(files map[string][]textEdit) *workspaceEdit {
	out := new(workspaceEdit)
	for _, path := range sortedKeys(files) {
		uri, version := uriOf(path), (*int)(nil)
		if d := s.docs[path]; d != nil {
			v := d.version
			uri, version = d.uri, &v
		}
		if s.client.Workspace.WorkspaceEdit.DocumentChanges {
			out.DocumentChanges = append(out.DocumentChanges, documentEdit{versionedID{uri, version}, files[path]})
			continue
		}
		if out.Changes == nil {
			out.Changes = map[string][]textEdit{}
		}
		out.Changes[uri] = files[path]
	}
	return out
}
