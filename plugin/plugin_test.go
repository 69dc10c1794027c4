package plugin

import (
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
)

func TestNew(t *testing.T) {
	newPlugin, err := register.GetPlugin("concvet")
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range []any{
		nil,
		map[string]any{},
		map[string]any{"checks": []any{"all", "-holdacross/slot-sleep"}, "models": []any{"(*example.com/sdk.Client).Post  net"}},
	} {
		p, err := newPlugin(raw)
		if err != nil {
			t.Errorf("%v: %v", raw, err)
			continue
		}
		if list, err := p.BuildAnalyzers(); err != nil || len(list) != 6 {
			t.Errorf("%v: %d analyzers, %v", raw, len(list), err)
		}
		if p.GetLoadMode() != register.LoadModeTypesInfo {
			t.Errorf("%v: load mode %s", raw, p.GetLoadMode())
		}
	}
	for _, test := range []struct {
		raw  any
		want string
	}{
		{map[string]any{"model": nil}, `unknown setting "model"; did you mean "models"?; there are checks and models`},
		{map[string]any{"chekcs": nil}, `did you mean "checks"?`},
		{[]any{"all"}, "settings must be a mapping"},
		{map[string]any{"checks": "all"}, "decoding settings"},
		{map[string]any{"checks": []any{"lock-blocking"}}, `did you mean "holdacross/lock-blocking"?`},
		{map[string]any{"models": []any{"(*example.com/sdk.Client).Post nett"}}, "models[0]"},
	} {
		if _, err := newPlugin(test.raw); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: error %v, want %s", test.raw, err, test.want)
		}
	}
}
