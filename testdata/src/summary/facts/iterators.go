package facts

import "iter"

// What the iterator does that a function makes: its parameters come after those
// of the function.
func (s *Store) Names(prefix string) iter.Seq[string] { // want Names:`^makes\(blocks\(db\) blocks\(db pool recv\.DB\) calls\(p1 under rows recv\.DB\)\)$`
	return func(yield func(string) bool) {
		rows, err := s.DB.Query("select name from t where name like $1", prefix)
		if err != nil {
			return
		}
		defer rows.Close()
		for rows.Next() {
			if !yield("") {
				return
			}
		}
	}
}
