package audit

import "gorm.io/gorm"

// The author says that what comes in is a transaction already: then the inner
// one is a savepoint of the same connection, and using the outer one is only a
// slip. Called with a pool, it would wait for a second connection.
func nestedTransaction(tx *gorm.DB, u any) error {
	return tx.Transaction(func(inner *gorm.DB) error {
		if err := inner.Create(u).Error; err != nil {
			return err
		}
		return tx.Delete(u).Error // want `takes a second one of the same pool.*holdacross/same-pool`
	})
}
