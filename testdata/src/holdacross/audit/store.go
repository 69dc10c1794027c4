package audit

import (
	"database/sql"
	"sync"
)

// A store that does all of its statements under one lock has decided so: it
// would have to be written anew.
type sqlStore struct {
	mu   sync.RWMutex
	db   *sql.DB
	last map[string]int
}

func (s *sqlStore) exec(name, text string) error {
	s.last[name]++
	_, err := s.db.Exec(text)
	return err
}

func (s *sqlStore) oneAudit() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exec("one", "insert into t values (1)") // want `s\.mu .* is held across a database call`
}

func (s *sqlStore) twoAudit() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exec("two", "insert into t values (2)") // want `s\.mu .* is held across a database call`
}

func (s *sqlStore) threeAudit() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exec("three", "insert into t values (3)") // want `s\.mu .* is held across a database call .*and 6 more`
}

func (s *sqlStore) four() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exec("four", "insert into t values (4)")
}

func (s *sqlStore) five() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exec("five", "insert into t values (5)")
}

func (s *sqlStore) six() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exec("six", "insert into t values (6)")
}

func (s *sqlStore) seven() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exec("seven", "insert into t values (7)")
}

func (s *sqlStore) eight() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exec("eight", "insert into t values (8)")
}

func (s *sqlStore) nine() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exec("nine", "insert into t values (9)")
}
