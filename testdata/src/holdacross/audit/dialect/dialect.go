// Package dialect gets its database from the program, which may as well have
// opened a file: no import shows a server.
package dialect

import (
	"sync"

	"gorm.io/gorm"
)

type settings struct {
	mu     sync.Mutex
	db     *gorm.DB
	values map[string]string
}

func (s *settings) setAudit(key, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[key] = value
	s.db.Where("key = ?", key).Find(&s.values) // want `s\.mu .* is held across a database call`
}

func (s *settings) get(key string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values[key]
}
