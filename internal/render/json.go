package render

import "io"

func writeJSON(w io.Writer, r *Report) error { return writeText(w, r) }
