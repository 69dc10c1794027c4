package main

import (
	"fmt"
	"os"
)

func frontMain(args []string) int {
	fmt.Fprintln(os.Stderr, "concvet: the front end is not built yet")
	return 2
}
