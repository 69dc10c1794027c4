// Package owncommands has the commands of a program that has a type of its own
// for them.
package owncommands

import (
	"context"
	"flag"
	"net/http"
)

// A Subcommand is one command.
type Subcommand struct {
	Use   string
	Short string
	Run   func(ctx context.Context, args []string) error
}

// Commands lists them.
var Commands = []*Subcommand{
	{
		Use: "signal",
		Run: func(ctx context.Context, args []string) error { return signal(args) },
	},
	{Use: "version", Run: version},
}

func signal(args []string) error {
	resp, err := http.Post(args[0], "text/plain", nil) // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func version(ctx context.Context, args []string) error {
	resp, err := http.Get(args[0]) // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// A cmd takes flags.
type cmd struct {
	words []string
	flag  *flag.FlagSet
	fn    func(c *cmd)
}

var table = []struct {
	words string
	fn    func(c *cmd)
}{
	{"domain age", cmdAge},
}

func cmdAge(c *cmd) {
	resp, err := http.Get(c.words[0]) // want `http-client`
	if err == nil {
		resp.Body.Close()
	}
}

// In the way of google/subcommands.
type fetch struct{}

func (fetch) Execute(ctx context.Context, f *flag.FlagSet, _ ...any) int {
	resp, err := http.Get(f.Arg(0)) // want `http-client`
	if err != nil {
		return 1
	}
	resp.Body.Close()
	return 0
}

// In the way of mitchellh/cli.
type show struct{}

func (show) Run(args []string) int {
	resp, err := http.Get(args[0]) // want `http-client`
	if err != nil {
		return 1
	}
	resp.Body.Close()
	return 0
}

// Flags have methods of their own.
type Flags struct{ *flag.FlagSet }

func cmdStop(fl Flags) (int, error) { return 0, Ask(fl.Arg(0)) }

// Ask serves the commands of other packages, too.
func Ask(url string) error {
	resp, err := http.Get(url) // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
