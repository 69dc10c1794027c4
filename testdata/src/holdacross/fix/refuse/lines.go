package refuse

import "time"

//line grammar.y:10
func (s *server) lineDirectiveRefuse() {
	s.mu.Lock()
	s.n++
	time.Sleep(time.Second) // want `across a sleep`
	s.mu.Unlock()
}
