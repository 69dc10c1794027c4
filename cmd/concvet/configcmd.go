package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/concvet/concvet/internal/config"
	"github.com/concvet/concvet/internal/knowledge"
	"github.com/concvet/concvet/internal/vetrun"
)

// configCommand is concvet config init, check or print.
func configCommand(args []string) int {
	verbs := []string{"init", "check", "print"}
	if len(args) == 0 {
		return fail(errors.New("concvet config init writes a configuration, check checks it, print shows it with the defaults"))
	}
	opts, patterns, err := parseFlags(args[1:])
	if err != nil {
		return fail(err)
	}
	run, err := newRunHere(opts)
	if err != nil {
		return fail(err)
	}
	ctx, stop := untilSignal()
	defer stop()
	switch args[0] {
	case "init":
		err = run.initConfig(ctx, patterns)
	case "check":
		err = run.eachConfig(ctx, patterns, func(cfg *config.Config) error {
			return writeOut(run.configName(cfg) + ": ok\n")
		})
	case "print":
		err = run.eachConfig(ctx, patterns, func(cfg *config.Config) error {
			text, err := cfg.Print()
			if err == nil {
				err = writeOut(fmt.Sprintf("# %s\n%s", run.configName(cfg), text))
			}
			return err
		})
	default:
		err = fmt.Errorf("unknown command config %s%s", args[0], knowledge.Nearest(args[0], verbs))
	}
	if err != nil {
		return fail(err)
	}
	return exitClean
}

func (run *checkRun) configName(cfg *config.Config) string {
	if cfg.File == "" {
		return "no " + config.FileName + ", so the defaults hold"
	}
	return run.relative(cfg.File)
}

// eachConfig calls do for each configuration that a check would use, after all
// that a check would refuse was refused.
func (run *checkRun) eachConfig(ctx context.Context, patterns []string, do func(*config.Config) error) error {
	if err := run.prepare(ctx, patterns); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, t := range run.targets {
		if seen[t.cfg.File] {
			continue
		}
		seen[t.cfg.File] = true
		if err := do(t.cfg); err != nil {
			return err
		}
	}
	return nil
}

// initConfig writes a configuration for the module or workspace here, or for
// all modules below.
func (run *checkRun) initConfig(ctx context.Context, patterns []string) error {
	if len(patterns) > 0 {
		return fmt.Errorf("concvet config init takes no packages; -C says where")
	}
	env, err := vetrun.ReadGoEnv(ctx, run.dir)
	if err != nil {
		return err
	}
	root := run.dir
	if targets, err := vetrun.Targets(run.dir, env, nil); err != nil {
		return err
	} else if len(targets) == 1 {
		root = targets[0].Root
	}
	found, err := config.Find(root)
	if err != nil {
		return err
	}
	if found != "" {
		return fmt.Errorf("%s exists", run.relative(found))
	}
	name := filepath.Join(root, config.FileName)
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err == nil {
		_, err = file.WriteString(config.Template)
		if cerr := file.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			os.Remove(name)
		}
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %v", run.relative(name), reason(err))
	}
	return writeOut(run.relative(name) + ": written; as it is, it changes nothing\n")
}
