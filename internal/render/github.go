package render

import "io"

func writeGitHub(w io.Writer, r *Report) error { return writeText(w, r) }
