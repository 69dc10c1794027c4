package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/vetrun"
)

const secret = "root:x:0:0"

// hostile is a report of code that was written to break its readers.
func hostile(t *testing.T) *Report {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	good := write("a dir/größe.go", "package a\n\n\tx := \"😀\" // \x1b[31m\u202e\n"+strings.Repeat("y", 5000)+"\n")
	hidden := write("secret.txt", secret+"\n")
	first := vetrun.Finding{
		Package: "example.com/a", Analyzer: "holdacross", Category: "holdacross/lock-blocking",
		File: good, Line: 3, Column: 7, EndLine: 3, EndColumn: 13, Physical: true,
		Text: "s.mu[0] \x1b]0;x\x07 is held\r\nacross \u202e%0A::error::x \\ ]", Symbol: "F", Fingerprint: "f1",
		Frames: []vetrun.Frame{
			{Pos: "größe.go:3", File: good, Line: 3, Text: "calls [x](9)"},
			{Pos: "net/http/client.go:12", File: filepath.Join(filepath.Dir(dir), "goroot/net/http/client.go"), Line: 12, Text: "waits"},
			{Pos: "unknown/x.go:1", Line: 1, Text: ""},
		},
		Fixes: []vetrun.Fix{
			{Title: "release [first]", Edits: []vetrun.Edit{{File: good, Start: 12, End: 13, New: "y\n"}}},
			{Title: "copy", Unsafe: "the order", Edits: []vetrun.Edit{{File: good, Start: 0, End: 0, New: "// x\n"}}},
		},
	}
	second := first
	second.Line, second.EndLine, second.Column, second.EndColumn = 4, 6, 4990, 2
	second.Tier, second.Fixes, second.Frames = report.Audit, nil, nil
	moved := first
	moved.File, moved.Line, moved.Column, moved.Physical, moved.Fixes = hidden, 1, 0, false, nil
	suppressed := second
	suppressed.Suppressed = &report.Suppression{Kind: "directive", Reason: "we\x07ird"}
	suppressed.Category = "unlisted/slug"
	return &Report{
		Findings: []vetrun.Finding{first, second, moved, suppressed},
		Problems: []vetrun.Problem{{Text: "cannot \x1b load"}, {File: good, Line: 1, Column: 2, Text: "undefined: x", Package: "example.com/a"}},
		Dir:      dir, Packages: 3, Version: "v1.2.3",
		Categories: []Category{
			{ID: "holdacross/lock-blocking", Summary: "A lock is held.", Page: "# holdacross/lock-blocking\n"},
			{ID: "holdacross/same-pool", Summary: "A pool.", Page: "# holdacross/same-pool\n"},
		},
	}
}

func render(t *testing.T, format string, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, r); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.String()
}

func TestHostile(t *testing.T) {
	r := hostile(t)
	for _, format := range Formats() {
		out := render(t, format, r)
		if again := render(t, format, r); again != out {
			t.Errorf("%s differs from run to run", format)
		}
		for _, c := range out {
			if c < ' ' && c != '\n' && c != '\t' || c == 0x7f || c == 0x202e && format != "json" {
				t.Errorf("%s has the control character %U", format, c)
			}
		}
		if strings.Contains(out, secret) {
			t.Errorf("%s printed a file that a //line directive names", format)
		}
		if format != "text" && format != "full" {
			if strings.Contains(out, r.Dir) {
				t.Errorf("%s has a path of this machine", format)
			}
		}
		for i, line := range strings.Split(out, "\n") {
			if len(line) > 1000 && format == "full" {
				t.Errorf("full: line %d is %d bytes long", i+1, len(line))
			}
		}
	}
}

func TestText(t *testing.T) {
	r := hostile(t)
	lines := strings.Split(render(t, "text", r), "\n")
	if want := filepath.FromSlash("a dir/größe.go") + ":3:7: "; !strings.HasPrefix(lines[0], want) || !strings.HasSuffix(lines[0], " [holdacross/lock-blocking]") {
		t.Errorf("first line %q", lines[0])
	}
	for _, frame := range lines[1:4] {
		if !strings.HasPrefix(frame, "\t") {
			t.Errorf("a frame without its tab: %q", frame)
		}
	}
	// What editors match lines of a linter with.
	editor := regexp.MustCompile(`^([^:]*: )?((.:)?[^:]*):(\d+)(:(\d+)?)?:(?:\w+:)? (.*)$`)
	if m := editor.FindStringSubmatch(lines[0]); m == nil || m[2] != filepath.FromSlash("a dir/größe.go") || m[4] != "3" || m[6] != "7" {
		t.Errorf("an editor reads %q from %q", m, lines[0])
	}
	if len(lines) != 4+1+4+1+1 {
		t.Errorf("%d lines:\n%s", len(lines), strings.Join(lines, "\n"))
	}
}

func TestFullMarks(t *testing.T) {
	out := render(t, "full", hostile(t))
	if !strings.Contains(out, "    3 |     x := \"😀\"") {
		t.Errorf("no snippet in\n%s", out)
	}
	if !strings.Contains(out, "3 findings, 1 with a safe fix: concvet -diff") || strings.Contains(out, "-unsafe-fixes") {
		t.Errorf("no word of the fixes in\n%s", out)
	}
	r := hostile(t)
	r.Findings[1].Fixes = r.Findings[0].Fixes[1:]
	if out = render(t, "full", r); !strings.Contains(out, "1 with a safe fix") || !strings.Contains(out, "; -unsafe-fixes adds 1 more.\n") {
		t.Errorf("no word of the unsafe fix in\n%s", out)
	}
	r.Findings[0].Fixes = nil
	if out = render(t, "full", r); !strings.Contains(out, "3 findings, 1 with a fix that changes more than the finding: concvet -diff -unsafe-fixes shows them.\n") {
		t.Errorf("no word of the unsafe fix in\n%s", out)
	}
}

func TestGitHub(t *testing.T) {
	out := render(t, "github", hostile(t))
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	var kinds []string
	for _, l := range lines {
		kind, _, _ := strings.Cut(strings.TrimPrefix(l, "::"), " ")
		kinds = append(kinds, kind)
	}
	if want := []string{"error", "error", "warning", "warning", "notice"}; !slices.Equal(kinds, want) {
		t.Errorf("commands %q, want %q\n%s", kinds, want, out)
	}
	if !strings.Contains(out, "file=a dir/größe.go,line=3,endLine=3,col=7,endColumn=13,title=holdacross/lock-blocking::") {
		t.Errorf("properties are wrong in\n%s", out)
	}
	if strings.Contains(out, "%0A::error") && !strings.Contains(out, "%250A::error") {
		t.Errorf("the message was not encoded:\n%s", out)
	}
	if got := githubProperty("a:b,c%d"); got != "a%3Ab%2Cc%25d" {
		t.Errorf("githubProperty = %q", got)
	}
}

func TestJSONSorted(t *testing.T) {
	for _, r := range []*Report{hostile(t), {Dir: t.TempDir()}} {
		out := render(t, "json", r)
		var v any
		if err := json.Unmarshal([]byte(out), &v); err != nil {
			t.Fatal(err)
		}
		// encoding/json sorts the keys of a map: the same bytes mean sorted.
		var b bytes.Buffer
		if err := encodeJSON(&b, v); err != nil {
			t.Fatal(err)
		}
		if b.String() != out {
			t.Errorf("the keys are not sorted:\n%s", out)
		}
		for _, key := range []string{"findings", "errors"} {
			if _, ok := v.(map[string]any)[key].([]any); !ok {
				t.Errorf("%s is no list in\n%s", key, out)
			}
		}
	}
}

func TestSARIF(t *testing.T) {
	r := hostile(t)
	check := func(r *Report, results int) {
		t.Helper()
		var doc sarifLog
		dec := json.NewDecoder(strings.NewReader(render(t, "sarif", r)))
		if err := dec.Decode(&doc); err != nil {
			t.Fatal(err)
		}
		run := doc.Runs[0]
		seen := map[string]bool{}
		for _, rule := range run.Tool.Driver.Rules {
			if seen[rule.ID] || rule.ID == "" {
				t.Errorf("rule id %q is empty or appears twice", rule.ID)
			}
			seen[rule.ID] = true
			if rule.Help.Text == "" || rule.Help.Markdown == "" || rule.FullDescription.Text == "" || rule.HelpURI == "" {
				t.Errorf("rule %s says too little: %+v", rule.ID, rule)
			}
		}
		for _, c := range r.Categories {
			if !seen[c.ID] {
				t.Errorf("no rule %s", c.ID)
			}
		}
		if len(run.Results) != results {
			t.Errorf("%d results, want %d", len(run.Results), results)
		}
		for _, res := range run.Results {
			if run.Tool.Driver.Rules[res.RuleIndex].ID != res.RuleID {
				t.Errorf("ruleIndex %d is not %s", res.RuleIndex, res.RuleID)
			}
			if res.Message.Text == "" || len(res.Locations) != 1 || res.PartialFingerprints["concvet/v1"] == "" {
				t.Errorf("result %+v", res)
			}
			for _, loc := range slices.Concat(res.Locations, res.RelatedLocations) {
				if reg := loc.PhysicalLocation.Region; reg == nil || reg.StartLine < 1 || reg.EndLine > reg.StartLine || reg.EndColumn != 0 && reg.EndColumn <= reg.StartColumn {
					t.Errorf("region %+v", reg)
				}
				if strings.ContainsAny(loc.PhysicalLocation.ArtifactLocation.URI, " \\") {
					t.Errorf("URI %q", loc.PhysicalLocation.ArtifactLocation.URI)
				}
				if loc.ID != 0 && !strings.Contains(res.Message.Text, fmt.Sprintf("](%d)", loc.ID)) {
					t.Errorf("location %d is not linked from %q", loc.ID, res.Message.Text)
				}
			}
		}
	}
	check(r, 4)
	check(&Report{Dir: r.Dir, Categories: r.Categories}, 0)
	out := render(t, "sarif", r)
	for _, want := range []string{
		`"startColumn": 7,`, `"endColumn": 11`, // UTF-16: the emoji before the end is two units, not four bytes
		`calls \\[x\\](9)](1)`, `"justification"`, `"primaryLocationLineHash"`, `"toolExecutionNotifications"`,
		`"semanticVersion": "1.2.3"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
}

func TestSummary(t *testing.T) {
	r := hostile(t)
	r.Findings[0].Text = "a|b <script> `x` [y](z)"
	var b bytes.Buffer
	if err := WriteSummary(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script>", "a|b", "[y](z)", "\x1b", "\u202e", r.Dir} {
		if strings.Contains(b.String(), bad) {
			t.Errorf("%q in\n%s", bad, b.String())
		}
	}
	if !strings.Contains(b.String(), "### concvet: 3 findings in 3 packages") {
		t.Errorf("no title in\n%s", b.String())
	}
}
