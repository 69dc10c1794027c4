// Golangci is golangci-lint with concvet built in, as `golangci-lint custom`
// makes it, for the test beside it. It is a module of its own, so that what
// golangci-lint needs does not become a requirement of concvet.
package main

import (
	"fmt"
	"os"

	"github.com/golangci/golangci-lint/v2/pkg/commands"

	_ "github.com/concvet/concvet/plugin"
)

func main() {
	if err := commands.Execute(commands.BuildInfo{Version: "2.15.0"}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}
