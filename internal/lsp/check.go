package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/concvet/concvet/internal/vetrun"
)

// A Checker analyses packages. It is the command's, so that the server finds
// what the command finds.
type Checker func(ctx context.Context, req Request) (*Result, error)

// A Request is a check of some packages of one module.
type Request struct {
	Dir      string            // folder of the go.mod
	Folders  []string          // of the packages, absolute
	Overlay  map[string][]byte // contents of what is not saved
	Settings Settings
}

// A Result is what a check found. A package that could not be analysed is named
// by a problem.
type Result struct {
	Packages []*vetrun.Package
	Findings []vetrun.Finding
	Problems []vetrun.Problem
}

// Settings are what an editor can set, as initialization options or as the
// configuration section "concvet".
type Settings struct {
	Trigger     string `json:"trigger"`     // "change" or "save"
	DebounceMs  int    `json:"debounceMs"`  // how long nothing may be typed
	Tags        string `json:"tags"`        // build tags
	Platforms   string `json:"platforms"`   // as -platforms
	Config      string `json:"config"`      // configuration file, or "none"
	Checks      string `json:"checks"`      // as -checks
	Tests       bool   `json:"tests"`       // as -tests
	Audit       bool   `json:"audit"`       // as -audit
	UnsafeFixes bool   `json:"unsafeFixes"` // offer fixes that change more than the finding
}

func defaultSettings() Settings {
	return Settings{Trigger: "change", DebounceMs: 700, UnsafeFixes: true}
}

func (s Settings) debounce() time.Duration { return time.Duration(s.DebounceMs) * time.Millisecond }

// read takes over what is set in raw. What is not understood is said, and the
// rest holds.
func (s *Settings) read(raw json.RawMessage) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	next := defaultSettings()
	if err := json.Unmarshal(raw, &next); err != nil {
		return fmt.Errorf("the settings of concvet are not understood: %v", err)
	}
	if next.Trigger != "change" && next.Trigger != "save" {
		return fmt.Errorf(`the setting trigger is "change" or "save", not %q`, next.Trigger)
	}
	if next.DebounceMs < 0 || next.DebounceMs > 60_000 {
		return fmt.Errorf("the setting debounceMs is between 0 and 60000, not %d", next.DebounceMs)
	}
	*s = next
	return nil
}
