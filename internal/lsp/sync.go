package lsp

import (
	"path/filepath"

	"github.com/concvet/concvet/internal/vetrun"
)

// didOpen begins to keep a document.
func (s *Server) didOpen(p didOpenParams) (any, error) {
	path := pathOf(p.TextDocument.URI)
	if filepath.Ext(path) != ".go" {
		return nil, nil // whatever the editor calls its language
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.docs[path] = &document{uri: p.TextDocument.URI, path: path, version: p.TextDocument.Version, text: newText(p.TextDocument.Text, s.enc), checked: -1}
	delete(s.other, path) // what was published of it is replaced by the next check
	s.schedule(path, 0, false)
	return nil, nil
}

// didChange takes over what was typed. What stood at that very place is gone at
// once; the rest stays until the next check has ended.
func (s *Server) didChange(p didChangeParams) (any, error) {
	path := pathOf(p.TextDocument.URI)
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.docs[path]
	if d == nil {
		return nil, nil
	}
	dropped := false
	for _, c := range p.ContentChanges {
		if d.change(c) {
			dropped = true
		}
	}
	if d.version++; p.TextDocument.Version != nil {
		d.version = *p.TextDocument.Version
	}
	if dropped {
		s.send(d)
	}
	m := s.modules[vetrun.ModuleRoot(filepath.Dir(path))]
	if s.settings.Trigger == "change" && (m == nil || !m.slow) {
		s.schedule(path, s.settings.debounce(), true)
	}
	return nil, nil
}

func (s *Server) didSave(p documentParams) (any, error) {
	path := pathOf(p.TextDocument.URI)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.docs[path] != nil {
		s.schedule(path, 0, false)
	}
	return nil, nil
}

// didClose forgets a document. With the last one of its package, all that was
// published of the package goes.
func (s *Server) didClose(p documentParams) (any, error) {
	path := pathOf(p.TextDocument.URI)
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.docs[path]
	if d == nil {
		return nil, nil
	}
	delete(s.docs, path)
	dir := filepath.Dir(path)
	for other := range s.docs {
		if filepath.Dir(other) == dir {
			s.other[path] = otherFile{dir: dir, uri: d.uri}
			s.schedule(path, 0, false) // what was not saved no longer counts
			return nil, nil
		}
	}
	s.other[path] = otherFile{dir: dir, uri: d.uri}
	for _, name := range sortedKeys(s.other) {
		if s.other[name].dir == dir {
			s.clear(name)
		}
	}
	return nil, nil
}
