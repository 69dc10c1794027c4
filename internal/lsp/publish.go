package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/render"
	"github.com/concvet/concvet/internal/vetrun"
)

// An otherFile is a file that is not open and has diagnostics, for it is in a
// package with an open file.
type otherFile struct {
	dir   string
	uri   string
	shown []diagnostic
}

// publish sends what a check found. Documents that have changed since keep what
// they have: a check of the newer text is on its way. So do packages that could
// not be analysed. The caller holds s.mu.
func (s *Server) publish(m *module, snap snapshot, res *Result) {
	found := map[string][]vetrun.Finding{}
	for _, f := range res.Findings {
		if f.Physical {
			found[f.File] = append(found[f.File], f)
		}
	}
	unknown := unknown(res)
	seen := map[string]bool{}
	for _, p := range res.Packages {
		for _, name := range p.Sources() {
			path := filepath.Join(p.Dir, name)
			seen[path] = true
			if !unknown(p) {
				s.publishFile(path, p.Dir, snap, found[path])
			}
		}
	}
	for path, d := range s.docs {
		// A file that the build leaves out has no findings.
		if version, ok := snap.versions[path]; ok && !seen[path] && len(res.Problems) == 0 && d.version == version {
			d.shown, d.checked = nil, version
			s.send(d)
		}
	}
}

// unknown says of which packages nothing is known.
func unknown(res *Result) func(*vetrun.Package) bool {
	failed := map[string]bool{}
	general := false
	for _, p := range res.Problems {
		failed[strings.TrimSuffix(p.Package, "_test")] = true
		general = general || p.Package == ""
	}
	broken := func(p *vetrun.Package) bool { return p.Error != nil || len(p.DepsErrors) > 0 }
	if general && !slices.ContainsFunc(res.Packages, broken) {
		return func(*vetrun.Package) bool { return true }
	}
	return func(p *vetrun.Package) bool { return failed[p.ImportPath] || broken(p) }
}

func (s *Server) publishFile(path, dir string, snap snapshot, findings []vetrun.Finding) {
	d := s.docs[path]
	version, was := snap.versions[path]
	switch {
	case d != nil && was && d.version == version:
		d.shown, d.checked = s.show(d.text, findings, version), version
		s.send(d)
	case d != nil:
		// newer text, or opened since
	case len(findings) == 0:
		if _, ok := s.other[path]; ok {
			s.clear(path)
		}
	default:
		data, err := os.ReadFile(path)
		if err != nil {
			return
		}
		file := otherFile{dir: dir, uri: uriOf(path)}
		if old, ok := s.other[path]; ok {
			file.uri = old.uri
		}
		closed := &document{uri: file.uri, text: newText(string(data), s.enc)}
		closed.shown = s.show(closed.text, findings, 0)
		file.shown = closed.diagnostics()
		if !reflect.DeepEqual(file.shown, s.other[path].shown) {
			s.out.put(publishParams{URI: file.uri, Diagnostics: file.shown})
		}
		s.other[path] = file
	}
}

// send publishes what is shown of a document, for the text as it is now.
func (s *Server) send(d *document) {
	version := d.version
	s.out.put(publishParams{URI: d.uri, Version: &version, Diagnostics: d.diagnostics()})
}

// clear takes away what was published of a file that is not open.
func (s *Server) clear(path string) {
	s.out.put(publishParams{URI: s.other[path].uri, Diagnostics: []diagnostic{}})
	delete(s.other, path)
}

// show turns findings into diagnostics.
func (s *Server) show(t *text, findings []vetrun.Finding, version int) []shown {
	var list []shown
	ids := map[string]int{}
	for _, f := range findings {
		if f.Suppressed != nil {
			continue
		}
		start := t.bytes(f.Line, f.Column)
		end := t.bytes(f.EndLine, f.EndColumn)
		if end <= start {
			end = t.lineEnd(t.position(start).Line)
		}
		id := f.Fingerprint
		if id == "" {
			id = f.Category
		}
		if ids[id]++; ids[id] > 1 {
			id = fmt.Sprintf("%s-%d", id, ids[id])
		}
		diag := diagnostic{
			Severity: severityWarning, Code: f.Category, Source: "concvet",
			Message: f.Text, Data: &diagnosticIdentity{ID: id, Version: version},
		}
		if s.client.TextDocument.PublishDiagnostics.CodeDescriptionSupport {
			diag.CodeDescription = &codeDescription{render.URL(f.Category)}
		}
		if s.client.TextDocument.PublishDiagnostics.RelatedInformation {
			diag.Related = s.related(f)
		} else {
			diag.Message += way(f)
		}
		list = append(list, shown{start: start, end: end, diag: diag, finding: f, id: id})
	}
	return list
}

// related is the way to what blocks, as places to jump to.
func (s *Server) related(f vetrun.Finding) []related {
	var list []related
	for _, fr := range f.Frames {
		if fr.File == "" || fr.Line < 1 {
			continue
		}
		at := textRange{position{Line: fr.Line - 1}, position{Line: fr.Line - 1}}
		uri := uriOf(fr.File)
		if d := s.docs[fr.File]; d != nil {
			uri = d.uri
			if fr.Line <= len(d.text.lines) {
				end := d.text.lineEnd(fr.Line - 1)
				begin := d.text.lines[fr.Line-1]
				for begin < end && (d.text.data[begin] == ' ' || d.text.data[begin] == '\t') {
					begin++
				}
				at = d.text.span(begin, end)
			}
		}
		list = append(list, related{location{uri, at}, fr.Text})
	}
	return list
}

// way is the way to what blocks, as text.
func way(f vetrun.Finding) string {
	var b strings.Builder
	for _, fr := range f.Frames {
		fmt.Fprintf(&b, "\n  %s: %s", fr.Pos, fr.Text)
	}
	return b.String()
}
