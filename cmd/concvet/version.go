package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

// toolVersion is the module version that this binary was built from.
func toolVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

func printVersion(args []string) int {
	if len(args) == 1 && (args[0] == "-json" || args[0] == "--json") {
		data, err := json.Marshal(map[string]string{"version": toolVersion(), "go": runtime.Version()})
		if err != nil {
			return fail(err)
		}
		fmt.Fprintf(os.Stdout, "%s\n", data)
		return exitClean
	}
	if len(args) > 0 {
		return fail(fmt.Errorf("version takes only -json, not %q", args[0]))
	}
	fmt.Fprintf(os.Stdout, "concvet %s, built with %s\n", toolVersion(), runtime.Version())
	return exitClean
}
