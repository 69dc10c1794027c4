// Package models keeps what handlers bring.
package models

type Campaign struct{ URL string }

func Post(c *Campaign) error { return nil }
