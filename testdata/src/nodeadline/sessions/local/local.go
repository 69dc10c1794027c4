// Package local keeps the session of a database that is a file.
package local

import (
	"gorm.io/gorm"

	_ "modernc.org/sqlite"
)

var instance *gorm.DB

func Open(d gorm.Dialector) (err error) {
	instance, err = gorm.Open(d)
	return err
}

func Instance() *gorm.DB { return instance }
