// Package report is the only caller of pass.Report. It decides what becomes of
// a finding (suppressed, dropped as generated or as a test, reported), and
// writes it down: as one line for a person under go vet, or as a [Message]
// document for the front end.
package report

import "encoding/json"

// WireVersion is the version of the document in [Message].
const WireVersion = 1

// Presence is the category of a diagnostic that every package has in wire mode,
// and that is no finding. The go command keeps what a tool prints apart from its
// facts and takes a missing output for an empty one, so without it a cache that
// is trimmed at the wrong moment would make findings vanish without a word.
const Presence = "lineinfo/present"

// A Tier is the severity of a finding.
type Tier string

const (
	Default Tier = "default" // a maintainer would fix it
	Audit   Tier = "audit"   // worth reading in a review
)

// A Message is what a diagnostic's message holds in wire mode: one JSON
// document with all that x/tools' own JSON has no field for.
type Message struct {
	V           int    `json:"v"`
	Tier        Tier   `json:"tier"`
	Text        string `json:"text"`             // one line, without the category
	Symbol      string `json:"symbol,omitempty"` // the enclosing function, "(*Store).Get"
	Fingerprint string `json:"fingerprint"`      // stable across moves of the code

	// Frames is the way to what blocks, outermost first. Pos is
	// "import/path/file.go:line" in another package, "file.go:line" in this one.
	Frames []Frame `json:"frames,omitempty"`

	Suppressed *Suppression `json:"suppressed,omitempty"`
	Test       bool         `json:"test,omitempty"`      // in a _test.go file
	Generated  bool         `json:"generated,omitempty"` // in a generated file

	// Unsafe lists the messages of the suggested fixes that change more than
	// the finding, each with what it changes. A fix that is not listed is safe.
	Unsafe map[string]string `json:"unsafe,omitempty"`
}

// A Frame is one step of the way to what blocks.
type Frame struct {
	Pos  string `json:"pos"`
	Text string `json:"text"`
}

// A Suppression says by what a finding is suppressed.
type Suppression struct {
	Kind   string `json:"kind"` // "directive", "lint-directive", "nolint-directive", or from the front end "baseline"
	Reason string `json:"reason"`
	Pos    string `json:"pos"` // file.go:line of the directive
}

// ParseMessage reads the document of a diagnostic's message. It reports false
// for a message that is plain text.
func ParseMessage(text string) (Message, bool) {
	var m Message
	if len(text) == 0 || text[0] != '{' || json.Unmarshal([]byte(text), &m) != nil || m.V != WireVersion {
		return Message{}, false
	}
	return m, true
}

func (m Message) encode() string {
	m.V = WireVersion
	data, err := json.Marshal(m)
	if err != nil {
		return m.Text // cannot happen: the struct has only strings, bools and maps of strings
	}
	return string(data)
}
