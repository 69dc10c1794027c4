package bad

// Those who want a lock of this package for a moment: without them nobody would
// suffer from what is held.

func (n *notifier) size() int { n.mu.Lock(); defer n.mu.Unlock(); return len(n.state) }
func (a *alarm) size() int    { a.mu.Lock(); defer a.mu.Unlock(); return len(a.state) }
func (a *aliased) size() int  { a.mu.Lock(); defer a.mu.Unlock(); return len(a.state) }
func (s *sink) size() int     { s.mu.Lock(); defer s.mu.Unlock(); return len(s.values) }
func (p *pages) size() int    { p.mu.Lock(); defer p.mu.Unlock(); return len(p.pages) }
func (l *loaded) size() int   { l.mu.Lock(); defer l.mu.Unlock(); return len(l.have) }
func (e *embedded) size() int { e.Lock(); defer e.Unlock(); return len(e.values) }
func (g *guarded) size() int  { g.mu.Lock(); defer g.mu.Unlock(); return g.n }

func (c *cache) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rw.Lock()
	defer c.rw.Unlock()
	return len(c.values)
}

func (e embeddedPointer) add(name string) {
	e.Lock()
	defer e.Unlock()
	e.values[name] = name
}

func (b *behindLocker) size() int {
	b.l.Lock()
	defer b.l.Unlock()
	return len(b.values)
}

func (r repo) touch() {
	r.mu.Lock()
	defer r.mu.Unlock()
}

func registered() int {
	registry.Lock()
	defer registry.Unlock()
	return len(registry.names)
}

func touchGlobal() {
	global.Lock()
	defer global.Unlock()
}

func touchThird() {
	third.Lock()
	defer third.Unlock()
}
