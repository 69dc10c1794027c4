// Package directive reports //concvet: comments that are not what they seem.
//
// # Analyzer directive
//
// directive: report malformed and unused //concvet: comments
//
// A directive that is misspelt, names an analyzer or category that there is not,
// gives no reason, or has a space or a capital that makes it a mere comment does
// nothing, while its author believes otherwise. One that suppresses nothing any
// more hides the next mistake on its line.
//
//	//concvet:ignore holdacros the peer answers within 5 ms      // WRONG: no such analyzer
//	//concvet:ignore holdacross/lock-blocking                     // WRONG: no reason
//	// concvet:ignore holdacross/lock-blocking peer is on this host // WRONG: a comment
//	//concvet:ignore holdacross/lock-blocking peer is on this host // RIGHT
//
// Categories: malformed; unused, which only the concvet command reports, since
// it alone asks for everything that a directive may suppress.
package directive

import (
	_ "embed"

	"github.com/concvet/concvet/internal/report"
)

//go:embed doc.go
var source string

var doc = report.ExtractDoc(source, "directive")
