package render

import (
	"fmt"
	"io"
	"net/url"
	"strings"

	"honnef.co/go/tools/sarif"

	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/vetrun"
)

// The parts of SARIF 2.1.0 that package sarif has no fields for.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"` // always one: GitHub takes no more
	}
	sarifRun struct {
		Tool               sarifTool                         `json:"tool"`
		AutomationDetails  sarifAutomation                   `json:"automationDetails"`
		ColumnKind         string                            `json:"columnKind"`
		OriginalURIBaseIDs map[string]sarif.ArtifactLocation `json:"originalUriBaseIds"`
		Invocations        []sarifInvocation                 `json:"invocations"`
		Results            []sarifResult                     `json:"results"`
	}
	sarifAutomation struct {
		ID string `json:"id"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		sarif.ToolComponent
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		sarif.ReportingDescriptor
		Name            string         `json:"name"`
		FullDescription sarif.Message  `json:"fullDescription"`
		Properties      map[string]any `json:"properties"`
	}
	sarifInvocation struct {
		ExecutionSuccessful bool                `json:"executionSuccessful"`
		Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarif.Message   `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifResult struct {
		RuleID              string              `json:"ruleId"`
		RuleIndex           int                 `json:"ruleIndex"`
		Level               string              `json:"level"`
		Message             sarif.Message       `json:"message"`
		Locations           []sarifLocation     `json:"locations"`
		RelatedLocations    []sarifLocation     `json:"relatedLocations,omitempty"`
		CodeFlows           []sarifCodeFlow     `json:"codeFlows,omitempty"`
		PartialFingerprints map[string]string   `json:"partialFingerprints,omitempty"`
		Fixes               []sarifFix          `json:"fixes,omitempty"`
		Suppressions        []sarif.Suppression `json:"suppressions,omitempty"`
	}
	sarifLocation struct {
		ID               int            `json:"id,omitempty"`
		Message          *sarif.Message `json:"message,omitempty"`
		PhysicalLocation sarifPhysical  `json:"physicalLocation"`
	}
	sarifPhysical struct {
		ArtifactLocation sarif.ArtifactLocation `json:"artifactLocation"`
		Region           *sarifRegion           `json:"region,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
	sarifCodeFlow struct {
		ThreadFlows []sarifThreadFlow `json:"threadFlows"`
	}
	sarifThreadFlow struct {
		Locations []sarifFlowLocation `json:"locations"`
	}
	sarifFlowLocation struct {
		Location sarifLocation `json:"location"`
	}
	sarifFix struct {
		Description     sarif.Message `json:"description"`
		ArtifactChanges []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		ArtifactLocation sarif.ArtifactLocation `json:"artifactLocation"`
		Replacements     []sarifReplacement     `json:"replacements"`
	}
	sarifReplacement struct {
		DeletedRegion   sarifRegion           `json:"deletedRegion"`
		InsertedContent sarif.ArtifactContent `json:"insertedContent"`
	}
)

const srcRoot = "%SRCROOT%"

func writeSARIF(w io.Writer, r *Report) error {
	doc := sarifLog{Schema: sarif.Schema, Version: sarif.Version}
	run := sarifRun{
		AutomationDetails: sarifAutomation{ID: "concvet/"},
		ColumnKind:        "utf16CodeUnits",
		// No path: it would tell of this machine, and the reader knows its root.
		OriginalURIBaseIDs: map[string]sarif.ArtifactLocation{srcRoot: {}},
		Results:            []sarifResult{},
	}
	rules, index := r.sarifRules()
	run.Tool.Driver = sarifDriver{
		ToolComponent: sarif.ToolComponent{Name: "concvet", InformationURI: Site},
		Rules:         rules,
	}
	// A version must be a number, which that of a build from a work tree is not.
	if v, ok := strings.CutPrefix(r.Version, "v"); ok {
		run.Tool.Driver.Version, run.Tool.Driver.SemanticVersion = v, v
	}
	inv := sarifInvocation{ExecutionSuccessful: len(r.Problems) == 0}
	for _, p := range r.Problems {
		n := sarifNotification{Level: sarif.Error, Message: sarif.Message{Text: sarifText(p.Text)}}
		if rel, ok := r.below(p.File); ok && p.File != "" {
			n.Locations = []sarifLocation{location(rel, p.Line)}
		}
		inv.Notifications = append(inv.Notifications, n)
	}
	run.Invocations = []sarifInvocation{inv}
	src := sources{}
	hashes := lineHashes{}
	for _, f := range r.Findings {
		res := r.sarifResult(f, src)
		res.RuleIndex = index[f.Category]
		if h := hashes.of(f, src); h != "" {
			res.PartialFingerprints["primaryLocationLineHash"] = h
		}
		run.Results = append(run.Results, res)
	}
	doc.Runs = []sarifRun{run}
	return encodeJSON(w, doc)
}

// sarifRules lists every rule, found or not. A category without a page is
// listed too, for a result must name a rule.
func (r *Report) sarifRules() ([]sarifRule, map[string]int) {
	rules, index := []sarifRule{}, map[string]int{}
	add := func(c Category) {
		if _, ok := index[c.ID]; ok {
			return
		}
		index[c.ID] = len(rules)
		summary, page := c.Summary, c.Page
		if summary == "" {
			summary = c.ID
		}
		if page == "" {
			page = summary
		}
		analyzer, _, _ := strings.Cut(c.ID, "/")
		rules = append(rules, sarifRule{
			ReportingDescriptor: sarif.ReportingDescriptor{
				ID:                   c.ID,
				ShortDescription:     sarif.Message{Text: summary},
				Help:                 sarif.Message{Text: page, Markdown: page},
				HelpURI:              URL(c.ID),
				DefaultConfiguration: sarif.ReportingConfiguration{Enabled: true, Level: sarif.Warning},
			},
			Name:            ruleName(c.ID),
			FullDescription: sarif.Message{Text: summary},
			Properties:      map[string]any{"precision": "high", "problem.severity": "warning", "tags": []string{"concurrency", "reliability", analyzer}},
		})
	}
	for _, c := range r.Categories {
		add(c)
	}
	for _, f := range r.Findings {
		add(Category{ID: f.Category})
	}
	return rules, index
}

// ruleName is the id as one word: "holdacross/tx-outbound" → "HoldacrossTxOutbound".
func ruleName(id string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(id, func(c rune) bool { return c == '/' || c == '-' }) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

func (r *Report) sarifResult(f vetrun.Finding, src sources) sarifResult {
	res := sarifResult{
		RuleID: f.Category, Level: sarif.Warning,
		PartialFingerprints: map[string]string{},
		Locations: []sarifLocation{{PhysicalLocation: sarifPhysical{
			ArtifactLocation: artifact(r.portable(f.File)),
			Region:           resultRegion(f, src.of(f)),
		}}},
	}
	if f.Tier == report.Audit {
		res.Level = sarif.Note
	}
	if f.Fingerprint != "" {
		res.PartialFingerprints["concvet/v1"] = f.Fingerprint
	}
	text := sarifText(f.Text)
	var flow []sarifFlowLocation
	for _, fr := range f.Frames {
		rel, ok := r.below(fr.File)
		if !ok || fr.File == "" {
			// A location outside the repository cannot be shown: it is told.
			text += "\nvia " + sarifText(Position(r.framePath(fr), fr.Line, 0)+": "+fr.Text)
			continue
		}
		loc := location(rel, fr.Line)
		loc.Message = &sarif.Message{Text: sarifText(fr.Text)}
		flow = append(flow, sarifFlowLocation{Location: loc})
		loc.ID = len(res.RelatedLocations) + 1
		res.RelatedLocations = append(res.RelatedLocations, loc)
		text += fmt.Sprintf("\nvia [%s](%d)", sarifText(fr.Text), loc.ID)
	}
	res.Message = sarif.Message{Text: text}
	if len(flow) > 0 {
		first := res.Locations[0]
		first.Message = &sarif.Message{Text: sarifText(f.Text)}
		flow = append([]sarifFlowLocation{{Location: first}}, flow...)
		res.CodeFlows = []sarifCodeFlow{{ThreadFlows: []sarifThreadFlow{{Locations: flow}}}}
	}
	for _, fix := range f.Fixes {
		if sf, ok := r.sarifFix(fix, src); ok {
			res.Fixes = append(res.Fixes, sf)
		}
	}
	if s := f.Suppressed; s != nil {
		kind := "inSource"
		if s.Kind == "baseline" {
			kind = "external"
		}
		res.Suppressions = []sarif.Suppression{{Kind: kind, Justification: s.Reason}}
	}
	return res
}

// resultRegion is at most one line: GitHub shows an alert only if all of its
// lines are in the diff.
func resultRegion(f vetrun.Finding, src *source) *sarifRegion {
	if f.Line < 1 {
		return nil
	}
	reg := &sarifRegion{StartLine: f.Line}
	start, ok := src.utf16Column(f.Line, f.Column)
	if !ok {
		return reg
	}
	reg.StartColumn, reg.EndLine = start, f.Line
	endColumn := f.EndColumn
	if text, _ := src.line(f.Line); f.EndLine > f.Line || endColumn < f.Column {
		endColumn = len(text) + 1
	}
	if end, ok := src.utf16Column(f.Line, endColumn); ok {
		reg.EndColumn = end
	}
	return reg
}

func (r *Report) sarifFix(fix vetrun.Fix, src sources) (sarifFix, bool) {
	title := fix.Title
	if fix.Unsafe != "" {
		title += " (unsafe: " + fix.Unsafe + ")"
	}
	out := sarifFix{Description: sarif.Message{Text: sarifText(title)}}
	files, edits := editsByFile(fix)
	for _, file := range files {
		rel, below := r.below(file)
		if !below {
			return out, false
		}
		change := sarifChange{ArtifactLocation: artifact(rel)}
		text := src.file(file)
		for _, e := range edits[file] {
			startLine, startColumn, ok1 := text.position(e.Start)
			endLine, endColumn, ok2 := text.position(e.End)
			if !ok1 || !ok2 {
				return out, false
			}
			change.Replacements = append(change.Replacements, sarifReplacement{
				DeletedRegion:   sarifRegion{StartLine: startLine, StartColumn: startColumn, EndLine: endLine, EndColumn: endColumn},
				InsertedContent: sarif.ArtifactContent{Text: e.New},
			})
		}
		out.ArtifactChanges = append(out.ArtifactChanges, change)
	}
	return out, len(out.ArtifactChanges) > 0
}

func location(rel string, line int) sarifLocation {
	loc := sarifLocation{PhysicalLocation: sarifPhysical{ArtifactLocation: artifact(rel)}}
	if line > 0 {
		loc.PhysicalLocation.Region = &sarifRegion{StartLine: line}
	}
	return loc
}

func artifact(rel string) sarif.ArtifactLocation {
	rel = strings.ReplaceAll(rel, `\`, "/")
	return sarif.ArtifactLocation{URI: (&url.URL{Path: rel}).String(), URIBaseID: srcRoot}
}

// sarifText escapes what a plain text message reads as a link.
func sarifText(s string) string {
	if s == "" {
		return "no message" // an empty one is not valid
	}
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(Escape(s))
}
