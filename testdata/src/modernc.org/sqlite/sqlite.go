// Package sqlite stands for the driver: importing it says which database is used.
package sqlite
