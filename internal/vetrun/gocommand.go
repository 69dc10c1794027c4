package vetrun

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"strings"
	"time"
)

// MinGo is the oldest go command that replays diagnostics from its cache and
// passes JSON through.
const MinGo = "go1.26"

// GoEnv is what the go command says of a folder.
type GoEnv struct {
	GOVERSION  string
	GOMOD      string // path of go.mod, or os.DevNull outside a module
	GOWORK     string // path of go.work, "off" or empty
	GOROOT     string
	GOMODCACHE string
	GOTMPDIR   string // empty: where the system has temporary files
}

// ReadGoEnv asks the go command about dir. It fails with one line if there is
// no go command, or if it is too old.
func ReadGoEnv(ctx context.Context, dir string) (*GoEnv, error) {
	out, stderr, err := run(ctx, Target{Dir: dir}, "env", "-json", "GOVERSION", "GOMOD", "GOWORK", "GOROOT", "GOMODCACHE", "GOTMPDIR")
	if err != nil {
		return nil, goError("go env", dir, stderr, err)
	}
	env := new(GoEnv)
	if err := json.Unmarshal(out, env); err != nil {
		return nil, fmt.Errorf("go env: cannot read its answer: %v", err)
	}
	v := env.GOVERSION
	if i := strings.Index(v, "go1"); i > 0 { // "devel go1.27-4a3b…"
		v = v[i:]
	}
	v, _, _ = strings.Cut(v, " ")
	v, _, _ = strings.Cut(v, "-")
	if version.IsValid(v) && version.Compare(v, MinGo) < 0 {
		return nil, fmt.Errorf("the go command is %s; concvet needs Go %s or newer, since older ones do not keep diagnostics in the build cache", env.GOVERSION, strings.TrimPrefix(MinGo, "go"))
	}
	return env, nil
}

// run runs the go command in the target's folder. When ctx ends, the command is
// ended with all that it has started, and what it would have left is removed: it
// gets a folder of its own for temporary files.
func run(ctx context.Context, target Target, args ...string) (stdout, stderr []byte, err error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = target.Dir
	cmd.Env = cmd.Environ()
	if target.NoWork {
		cmd.Env = append(cmd.Env, "GOWORK=off")
	}
	if system, arch, ok := strings.Cut(target.Platform, "/"); ok {
		cmd.Env = append(cmd.Env, "GOOS="+system, "GOARCH="+arch)
	}
	if args[0] != "env" { // which makes none, and is asked for GOTMPDIR itself
		if temp, err := tempDir(target.Temp, "concvet-go-*"); err == nil { // else the go command says what is wrong
			defer os.RemoveAll(temp)
			cmd.Env = append(cmd.Env, "GOTMPDIR="+temp)
		}
	}
	group(cmd)
	cmd.WaitDelay = 5 * time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if ctx.Err() != nil {
		endGroup(cmd)
		err = ctx.Err()
	}
	return out.Bytes(), errs.Bytes(), err
}
