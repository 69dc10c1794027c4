package render

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A row is what every format says of a finding. A format without columns has 0.
type row struct {
	path         string
	line, column int
	category     string
	text         string
}

// readers read a format back, as its consumers do. Those that pass leave
// suppressed findings out.
var readers = map[string]struct {
	passed, columns bool
	read            func(t *testing.T, out string) []row
}{
	"text":   {read: readText, columns: true},
	"full":   {read: readFull, columns: true},
	"sarif":  {read: readSARIF},
	"github": {read: readGitHub, columns: true, passed: true},
	"gitlab": {read: readGitLab, passed: true},
	"rdjson": {read: readRDJSON, columns: true, passed: true},
}

// TestReadBack holds that no format loses, adds or changes a finding: each says
// the same as the JSON output.
func TestReadBack(t *testing.T) {
	for name, r := range map[string]*Report{"hostile": hostile(t), "empty": {Dir: t.TempDir()}} {
		var doc jsonReport
		if err := json.Unmarshal([]byte(render(t, "json", r)), &doc); err != nil {
			t.Fatal(err)
		}
		for _, format := range Formats() {
			if format == "json" {
				continue
			}
			reader, ok := readers[format]
			if !ok {
				t.Errorf("nothing reads the format %s back", format)
				continue
			}
			var want []row
			for _, f := range doc.Findings {
				if reader.passed && f.Suppressed != nil {
					continue
				}
				w := row{f.Path, f.Range.Start.Line, f.Range.Start.Column, f.Category, Escape(f.Message)}
				if !reader.columns || format == "github" && f.Range.End.Line > w.line {
					w.column = 0 // a command may have columns only within a line
				}
				want = append(want, w)
			}
			got := reader.read(t, render(t, format, r))
			sortRows(want)
			sortRows(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s:\n got %+v\nwant %+v", name, format, got, want)
			}
		}
	}
}

func sortRows(rows []row) {
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
}

var textLine = regexp.MustCompile(`^(.+?):(\d+)(?::(\d+))?: (.*) \[([a-z]+/[a-z-]+)\](?: \(.*\))?$`)

func readText(t *testing.T, out string) (rows []row) {
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "\t") {
			continue
		}
		m := textLine.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("text: %q is not of the form", line)
			continue
		}
		rows = append(rows, row{filepath.ToSlash(m[1]), number(m[2]), number(m[3]), m[5], m[4]})
	}
	return rows
}

func readFull(t *testing.T, out string) []row {
	var heads strings.Builder
	for line := range strings.Lines(out) {
		if m := textLine.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil && line[0] != ' ' {
			heads.WriteString(strings.TrimSuffix(line, "\n") + "\n")
		}
	}
	return readText(t, heads.String())
}

func readSARIF(t *testing.T, out string) (rows []row) {
	var doc sarifLog
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	unescape := strings.NewReplacer(`\\`, `\`, `\[`, `[`, `\]`, `]`)
	for _, res := range doc.Runs[0].Results {
		loc := res.Locations[0].PhysicalLocation
		path, err := url.PathUnescape(loc.ArtifactLocation.URI)
		if err != nil {
			t.Error(err)
		}
		text, _, _ := strings.Cut(res.Message.Text, "\nvia ")
		rows = append(rows, row{path, loc.Region.StartLine, 0, res.RuleID, unescape.Replace(text)})
	}
	return rows
}

var githubCommand = regexp.MustCompile(`^::(warning|notice|error) ([^:]*)::(.*)$`)

func readGitHub(t *testing.T, out string) (rows []row) {
	decode := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
	for line := range strings.Lines(out) {
		m := githubCommand.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			t.Errorf("github: %q is no command", line)
			continue
		}
		properties := map[string]string{}
		for p := range strings.SplitSeq(m[2], ",") {
			name, value, _ := strings.Cut(p, "=")
			properties[name] = decode.Replace(value)
		}
		if m[1] == "error" {
			continue // a problem
		}
		text, _, _ := strings.Cut(decode.Replace(m[3]), "\n")
		rows = append(rows, row{properties["file"], number(properties["line"]), number(properties["col"]), properties["title"], text})
	}
	return rows
}

func readGitLab(t *testing.T, out string) (rows []row) {
	var issues []gitlabIssue
	if err := json.Unmarshal([]byte(out), &issues); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, i := range issues {
		if seen[i.Fingerprint] || len(i.Fingerprint) != 64 {
			t.Errorf("gitlab: the fingerprint %q is no hash or appears twice", i.Fingerprint)
		}
		seen[i.Fingerprint] = true
		if i.Severity != "major" && i.Severity != "minor" {
			t.Errorf("gitlab: severity %q", i.Severity)
		}
		rows = append(rows, row{i.Location.Path, i.Location.Lines.Begin, 0, i.Category, i.Description})
	}
	return rows
}

func readRDJSON(t *testing.T, out string) (rows []row) {
	var doc rdReport
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	for _, d := range doc.Diagnostics {
		text, _, _ := strings.Cut(d.Message, "\n")
		start := d.Location.Range.Start
		rows = append(rows, row{d.Location.Path, start.Line, start.Column, d.Code.Value, text})
	}
	return rows
}

func number(s string) int {
	n, _ := strconv.Atoi(s) // "" where there is none
	return n
}
