// Command control talks to a server for who sits before it.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
)

type command struct {
	command     func(name string, args []string)
	description string
}

var commands = map[string]command{
	"show":   {command: show, description: "show a user"},
	"change": {command: change, description: "change a user"},
}

func main() {
	cmd, ok := commands[os.Args[1]]
	if !ok {
		os.Exit(1)
	}
	cmd.command(os.Args[1], os.Args[2:])
}

func show(name string, args []string) {
	text, err := get(args[0])
	fmt.Println(text, err)
}

func change(name string, args []string) {
	fmt.Println(update(args[0], func(s string) string { return s + args[1] }))
}

func update[T any](url string, edit func(string) T) (out T, err error) {
	text, err := fetch(url)
	if err != nil {
		return out, err
	}
	return edit(text), nil
}

func fetch(url string) (string, error) {
	resp, err := http.Get(url) // want `http-client`
	if err != nil {
		return "", err
	}
	return resp.Status, resp.Body.Close()
}

func get(url string) (string, error) {
	resp, err := http.Get(url) // want `http-client`
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}

// Nobody but the program that it has started talks to it.
func awaitChild(done chan struct{}) error {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() {
		defer close(done)
		conn, err := ln.Accept()
		if err != nil {
			return
		}
		io.ReadAll(conn) // want `conn-io`
	}()
	return nil
}
