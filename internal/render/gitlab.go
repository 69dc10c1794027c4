package render

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/concvet/concvet/internal/report"
)

// gitlabIssue is an element of a report of GitLab's Code Quality.
type gitlabIssue struct {
	Category    string         `json:"check_name"`
	Description string         `json:"description"`
	Fingerprint string         `json:"fingerprint"`
	Location    gitlabLocation `json:"location"`
	Severity    string         `json:"severity"`
}

type gitlabLocation struct {
	Lines struct {
		Begin int `json:"begin"`
	} `json:"lines"`
	Path string `json:"path"`
}

// writeGitLab writes a Code Quality report. It has no place for what could not
// be checked; the exit status says that.
func writeGitLab(w io.Writer, r *Report) error {
	root := r.from("CI_PROJECT_DIR")
	issues := []gitlabIssue{}
	seen := map[string]int{}
	for _, f := range r.Findings {
		if f.Suppressed != nil {
			continue
		}
		issue := gitlabIssue{Category: f.Category, Description: Escape(f.Text), Severity: "major"}
		if f.Tier == report.Audit {
			issue.Severity = "minor"
		}
		issue.Location.Path = root.portable(f.File)
		issue.Location.Lines.Begin = max(f.Line, 1)
		// GitLab shows one of those that have the same fingerprint.
		id := f.Category + "\x00" + f.Package + "\x00" + f.Fingerprint
		seen[id]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", id, seen[id]))
		issue.Fingerprint = hex.EncodeToString(sum[:])
		issues = append(issues, issue)
	}
	return encodeJSON(w, issues)
}
