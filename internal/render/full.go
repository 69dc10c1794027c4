package render

import "io"

func writeFull(w io.Writer, r *Report) error { return writeText(w, r) }
