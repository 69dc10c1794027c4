package bad

import "sync"

type session struct {
	inbox   chan func()
	quit    chan struct{}
	stopped chan struct{}
	wg      sync.WaitGroup
}

func (s *session) loop() {
	defer close(s.stopped)
	for {
		select {
		case f := <-s.inbox:
			f()
		case <-s.quit:
			return
		}
	}
}

func (s *session) Close() {
	close(s.quit)
	<-s.stopped
}

func (s *session) closeInTaskBad() {
	s.inbox <- func() {
		s.Close() // want `task of s.inbox \(line \d+\) → receive from s.stopped via \(\*session\).Close → the end of the loop that runs the task \(line \d+\): deadlock .*self-wait`
	}
}

// The goroutine's own clean-up waits for it.
type reader struct {
	done chan struct{}
	conn interface{ Read() error }
}

func (r *reader) readBad() {
	defer close(r.done)
	for {
		if err := r.conn.Read(); err != nil {
			r.Shutdown() // want `this goroutine waits for its own end: receive from r.done via \(\*reader\).Shutdown .*self-wait`
			return
		}
	}
}

func (r *reader) Shutdown() { <-r.done }

func (s *session) groupBad() {
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		s.StopAll() // want `this goroutine waits for its own end: \(\*sync.WaitGroup\).Wait via \(\*session\).StopAll .*self-wait`
	}()
}

func (s *session) StopAll() {
	s.wg.Wait()
}

func waitGroupGoBad() {
	var wg sync.WaitGroup
	wg.Go(func() {
		wg.Wait() // want `task of wg \(line \d+\) → \(\*sync.WaitGroup\).Wait → waits for every task of wg, itself among them: deadlock .*pool-wait`
	})
}

func deferredLiteralBad(done chan struct{}, wait func()) {
	go func() {
		defer func() { close(done) }()
		wait()
		<-done // want `this goroutine waits for its own end: receive from done .*self-wait`
	}()
}
