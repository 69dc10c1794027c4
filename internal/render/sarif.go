package render

import "io"

func writeSARIF(w io.Writer, r *Report) error { return writeText(w, r) }
