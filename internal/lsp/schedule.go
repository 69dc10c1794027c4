package lsp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/concvet/concvet/internal/vetrun"
)

// A module is what one check is of: the packages of one go.mod whose files are
// open. It has at most one check that runs and one that is to come.
type module struct {
	dir    string
	timer  *time.Timer
	cancel context.CancelFunc
	done   chan struct{} // closed when the last check that was started has ended

	warm      bool   // a check has ended, so that what is below is in go's cache
	slow      bool   // changes are checked when they are saved
	complaint string // what was last said of a check that failed
}

// tooSlow is how long a check of a change may take. Where it takes longer, it
// would be of old text most of the time.
const tooSlow = 5 * time.Second

// noticeable is when an editor is told that something is going on.
const noticeable = time.Second

// stop ends what runs and what is to come.
func (m *module) stop() {
	if m.timer != nil {
		m.timer.Stop()
		m.timer = nil
	}
	if m.cancel != nil {
		m.cancel()
		m.cancel = nil
	}
}

// schedule starts a check of the module that path is in, after nothing has
// changed for a while. The caller holds s.mu.
func (s *Server) schedule(path string, after time.Duration, change bool) {
	dir := vetrun.ModuleRoot(filepath.Dir(path))
	if dir == "" {
		s.running.Go(func() { s.tell(messageInfo, path+" is in no Go module and is not checked") })
		return
	}
	m := s.modules[dir]
	if m == nil {
		m = &module{dir: dir}
		s.modules[dir] = m
	}
	s.plan(m, after, change)
}

func (s *Server) plan(m *module, after time.Duration, change bool) {
	if s.state != serving {
		return
	}
	m.stop() // what it would find is of old text
	m.timer = time.AfterFunc(after, func() { s.start(m, change) })
}

// checkAll checks every module with an open file, soon.
func (s *Server) checkAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	const soon = 100 * time.Millisecond // such news comes in swarms
	for _, dir := range sortedKeys(s.modules) {
		s.plan(s.modules[dir], soon, false)
	}
}

// A snapshot is what the documents of a module were when a check began.
type snapshot struct {
	request  Request
	versions map[string]int // by path
}

// start begins a check.
func (s *Server) start(m *module, change bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != serving || s.ctx.Err() != nil {
		return
	}
	if m.cancel != nil {
		m.cancel()
	}
	snap := s.snapshot(m)
	if len(snap.request.Folders) == 0 {
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	before, done := m.done, make(chan struct{})
	m.cancel, m.done, m.timer = cancel, done, nil
	s.running.Go(func() {
		defer close(done)
		defer cancel()
		if before != nil {
			<-before // it was cancelled, and two would only be in each other's way
		}
		s.run(ctx, m, snap, change)
	})
}

func (s *Server) snapshot(m *module) snapshot {
	snap := snapshot{
		request:  Request{Dir: m.dir, Settings: s.settings, Overlay: s.unsaved()},
		versions: map[string]int{},
	}
	for _, path := range sortedKeys(s.docs) {
		dir := filepath.Dir(path)
		if vetrun.ModuleRoot(dir) != m.dir {
			continue
		}
		snap.versions[path] = s.docs[path].version
		if !slices.Contains(snap.request.Folders, dir) {
			snap.request.Folders = append(snap.request.Folders, dir)
		}
	}
	return snap
}

// unsaved is the contents of all documents that differ from their files. The
// other modules of a workspace see them, too.
func (s *Server) unsaved() map[string][]byte {
	overlay := map[string][]byte{}
	for path, d := range s.docs {
		if data, err := os.ReadFile(path); err != nil || string(data) != d.text.data {
			overlay[path] = []byte(d.text.data)
		}
	}
	return overlay
}

// run checks and publishes.
func (s *Server) run(ctx context.Context, m *module, snap snapshot, change bool) {
	if ctx.Err() != nil {
		return
	}
	started := time.Now()
	ended := s.progress(ctx, filepath.Base(m.dir))
	res, err := s.check(ctx, snap.request)
	ended()
	took := time.Since(started)

	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil || errors.Is(err, context.Canceled) {
		return
	}
	if err != nil {
		s.complain(m, messageError, err.Error())
		return
	}
	s.publish(m, snap, res)
	if len(res.Problems) > 0 {
		// gopls shows what does not compile. What was found before stays.
		s.complain(m, messageWarning, "not everything could be checked: "+res.Problems[0].Text)
	} else {
		m.complaint = ""
	}
	if change && m.warm && took > s.tooSlow && !m.slow {
		m.slow = true
		s.running.Go(func() {
			s.tell(messageInfo, fmt.Sprintf("a check of %s takes %.0f s, so that it is checked when a file is saved, not while you type", filepath.Base(m.dir), math.Ceil(took.Seconds())))
		})
	}
	m.warm = true
}

// complain says once what keeps a check from being done or complete: an error
// to the user, a problem of the code to the log.
func (s *Server) complain(m *module, kind int, text string) {
	if m.complaint == text {
		return
	}
	m.complaint = text
	s.running.Go(func() {
		if kind == messageError {
			s.notify("window/showMessage", messageParams{kind, "concvet: " + text})
		} else {
			s.log(kind, text)
		}
	})
}

// progress shows that a check runs, if it takes a while, until ended is called.
func (s *Server) progress(ctx context.Context, what string) (ended func()) {
	s.mu.Lock()
	shows := s.client.Window.WorkDoneProgress
	s.tokens++
	token := progressToken{fmt.Sprintf("concvet-%d", s.tokens)}
	s.mu.Unlock()
	if !shows {
		return func() {}
	}
	stop, over := make(chan struct{}), make(chan struct{})
	s.running.Go(func() {
		defer close(over)
		select {
		case <-stop:
			return
		case <-time.After(noticeable):
		}
		if _, err := s.conn.Call(ctx, "window/workDoneProgress/create", token, nil); err != nil {
			return
		}
		s.notify("$/progress", progressParams{token.Token, progressValue{Kind: "begin", Title: "concvet", Message: "checking " + what}})
		<-stop
		s.notify("$/progress", progressParams{token.Token, progressValue{Kind: "end"}})
	})
	return func() { close(stop); <-over }
}
