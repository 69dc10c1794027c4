package unlock

func (s *store) touch() {
	s.rw.Lock()
	s.rw.Unlock()
}

func count(k string) int {
	globals.Lock()
	defer globals.Unlock()
	return global[k]
}

func (e *embedded) count() int {
	e.Lock()
	defer e.Unlock()
	return e.n
}
