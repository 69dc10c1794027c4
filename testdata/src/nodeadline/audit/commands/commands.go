// Package commands has the commands of a program: each runs once.
package commands

import (
	"net/http"

	"github.com/spf13/cobra"
)

// Commands lists them.
func Commands() []*cobra.Command {
	return []*cobra.Command{
		{
			Use: "fetch",
			RunE: func(_ *cobra.Command, args []string) error {
				resp, err := http.Get(args[0]) // want `http-client`
				if err != nil {
					return err
				}
				return resp.Body.Close()
			},
		},
		{Use: "load", RunE: load},
		{Use: "send", RunE: decorated(send)},
	}
}

func load(_ *cobra.Command, args []string) error { return get(args[0]) }

// Only the command calls it.
func get(url string) error {
	resp, err := http.Get(url) // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func decorated(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error { return run(c, args) }
}

func send(_ *cobra.Command, args []string) error {
	resp, err := http.Post(args[0], "text/plain", nil) // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

var listCommand = &cobra.Command{Use: "list", RunE: decorated(list)}

func list(_ *cobra.Command, args []string) error {
	resp, err := http.Head(args[0]) // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// ServeCommand makes what a command does.
func ServeCommand() *cobra.Command {
	return &cobra.Command{Use: "serve", Run: newServeHandler("http://peer.example/")}
}

func newServeHandler(url string) func(*cobra.Command, []string) {
	return func(_ *cobra.Command, args []string) {
		http.Get(url + args[0]) // want `http-client`
	}
}
