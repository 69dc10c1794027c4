// Concvet finds the concurrency mistakes that take Go services down.
//
// See https://github.com/concvet/concvet for what it finds, and run
//
//	concvet help
//
// for its flags. One binary plays two parts: given the protocol of go vet it
// analyses a single package (see unit.go), given packages it runs go vet with
// itself as the tool and prints the result (see front.go).
package main

import (
	"os"
	"strings"
)

func main() {
	args := os.Args[1:]
	if isVetProtocol(args) {
		unitMain(args)
		return
	}
	os.Exit(frontMain(args))
}

// isVetProtocol reports whether the go command is speaking: it asks for -V=full
// and -flags, and then passes one unit.cfg after the flags.
func isVetProtocol(args []string) bool {
	for _, a := range args {
		switch strings.TrimPrefix(a, "-") {
		case "-V=full", "V=full", "-flags", "flags":
			return true
		}
	}
	if len(args) == 0 || !strings.HasSuffix(args[len(args)-1], ".cfg") {
		return false
	}
	info, err := os.Stat(args[len(args)-1])
	return err != nil || !info.IsDir() // a package may be in such a folder
}
