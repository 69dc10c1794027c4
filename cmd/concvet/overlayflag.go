package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// readOverlay reads the file of -overlay, which is that of the go command: the
// files to read in place of others. Their contents are taken once, so that all
// of a run sees the same.
func (run *checkRun) readOverlay() error {
	name := run.opts.overlay
	if name == "" {
		return nil
	}
	var doc struct{ Replace map[string]string }
	data, err := os.ReadFile(run.absolute(name))
	if err == nil {
		err = json.Unmarshal(data, &doc)
	}
	if err != nil {
		return fmt.Errorf("-overlay %s: %v", name, reason(err))
	}
	run.overlay = map[string][]byte{}
	for file, replacement := range doc.Replace {
		if replacement == "" {
			return fmt.Errorf("-overlay %s: %w", name, errors.New("files cannot be taken away"))
		}
		text, err := os.ReadFile(run.absolute(replacement))
		if err != nil {
			return fmt.Errorf("-overlay %s: %s: %v", name, replacement, reason(err))
		}
		run.overlay[run.absolute(file)] = text
	}
	return nil
}

// absolute is name as seen from the working folder.
func (run *checkRun) absolute(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(run.dir, name)
}
