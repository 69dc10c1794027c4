// Package cmd has the commands of a program.
package cmd

import (
	"flag"
	"net/smtp"
)

// Run sends what it is told to.
func Run() error {
	addr := flag.String("smtp", "mail.example:25", "server")
	flag.Parse()
	return Send(*addr)
}

// Send is a step of Run.
func Send(addr string) error {
	c, err := smtp.Dial(addr) // want `dial`
	if err != nil {
		return err
	}
	return c.Close()
}
