package summary

import "github.com/concvet/concvet/internal/knowledge"

// table is what is known of APIs. It is set before any package is analysed.
var table = knowledge.Builtin

// SetModels adds the rows of a user's configuration to the built-in tables. It
// is called once, by main or by the plugin, before any package is analysed.
func SetModels(models []string) error {
	t, err := knowledge.Builtin().With(models)
	if err != nil {
		return err
	}
	table = func() *knowledge.Table { return t }
	return nil
}
