package main

import (
	"encoding/json"
	"fmt"
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
		return printOut(string(data) + "\n")
	}
	if len(args) > 0 {
		return fail(fmt.Errorf("version takes only -json, not %q", args[0]))
	}
	return printOut(fmt.Sprintf("concvet %s, built with %s\n", toolVersion(), runtime.Version()))
}
