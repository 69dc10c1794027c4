// Package remote keeps the session of a database.
package remote

import (
	"gorm.io/gorm"
)

var instance *gorm.DB

func Open(d gorm.Dialector) (err error) {
	instance, err = gorm.Open(d)
	return err
}

func Instance() *gorm.DB { return instance }
