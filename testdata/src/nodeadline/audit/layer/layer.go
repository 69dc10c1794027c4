// Package layer is all of a storage layer without contexts: that is a decision,
// for an audit.
package layer

import "database/sql"

type store struct{ db *sql.DB }

func (s *store) one() error { return s.exec("a") }
func (s *store) two() error {
	_, err := s.db.Exec("insert into t values (2)") // want `has no context.*and 8 more statements`
	return err
}
func (s *store) three() error { _, err := s.db.Exec("insert into t values (3)"); return err }
func (s *store) four() error  { _, err := s.db.Exec("insert into t values (4)"); return err }
func (s *store) five() error  { _, err := s.db.Exec("insert into t values (5)"); return err }
func (s *store) six() error   { _, err := s.db.Exec("insert into t values (6)"); return err }
func (s *store) seven() error { _, err := s.db.Exec("insert into t values (7)"); return err }
func (s *store) eight() error { _, err := s.db.Exec("insert into t values (8)"); return err }

func (s *store) exec(v string) error {
	_, err := s.db.Exec("insert into t values (?)", v)
	return err
}

func (s *store) nine() error { _, err := s.db.Exec("insert into t values (9)"); return err }
