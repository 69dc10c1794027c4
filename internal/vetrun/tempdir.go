package vetrun

import (
	"os"
	"path/filepath"
)

// tempDir makes a folder for temporary files, in parent or where the system has
// them. The path is absolute, since the go command runs in another folder.
func tempDir(parent, pattern string) (string, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	parent, err := filepath.Abs(parent)
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(parent, pattern)
}
