package blockinloop_test

import (
	"testing"

	"github.com/concvet/concvet/internal/linttest"
)

// The second fix compiles against the module that it names.
func TestWorkpoolBuilds(t *testing.T) {
	linttest.BuildsWithRuntime(t, "blockinloop/fix/beside/beside.go.second.golden")
}
