package apply

import (
	"os"
	"path/filepath"
	"strings"
)

// target is the file that is written in place of file: itself, or what it links
// to. A link stays a link. What it leads to must be a part of the module, too,
// and not be called by two names, since each name brings fixes of its own.
func (g *Guard) target(file string, info os.FileInfo) (target, why string) {
	if info.Mode()&os.ModeSymlink == 0 {
		return file, ""
	}
	target, err := filepath.EvalSymlinks(file)
	if err != nil {
		return "", "it is a symbolic link that leads nowhere"
	}
	root := g.files[file].pkg.Module.Dir
	if root, err = filepath.EvalSymlinks(root); err != nil || root == "" {
		return "", "it is a symbolic link, and its module is not known"
	}
	rel, err := filepath.Rel(root, target)
	if err != nil || !filepath.IsLocal(rel) || inVendor(filepath.Dir(rel)) {
		return "", "it is a symbolic link out of its module"
	}
	for other := range g.files {
		if other == file || !strings.EqualFold(filepath.Ext(other), filepath.Ext(file)) {
			continue
		}
		if same, err := filepath.EvalSymlinks(other); err == nil && same == target {
			return "", "it is a symbolic link, and its file is also analysed as " + filepath.Base(filepath.Dir(other)) + "/" + filepath.Base(other)
		}
	}
	return target, ""
}
