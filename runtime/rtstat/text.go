package rtstat

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"time"

	"github.com/concvet/concvet/runtime/internal/hist"
)

// Handler serves the Default registry as plain text, like [Registry.Handler].
func Handler() http.Handler { return Default.Handler() }

// Handler serves r as plain text, a line a figure.
func (r *Registry) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		r.WriteText(w)
	})
}

// WriteText writes a line for every figure of every source, by name: the names
// of the source and of the field, and the value. Of a distribution it writes
// count, mean, median, 99th percentile and maximum.
func (r *Registry) WriteText(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, e := range r.Snapshot() {
		writeValue(b, e.Name, reflect.ValueOf(e.Stats))
	}
	return b.Flush()
}

func writeValue(b *bufio.Writer, name string, v reflect.Value) {
	if v.IsValid() && v.CanInterface() {
		switch x := v.Interface().(type) {
		case hist.Dist:
			fmt.Fprintf(b, "%s count=%d mean=%v p50=%v p99=%v max=%v\n", name, x.Count, x.Mean(), x.Quantile(0.5), x.Quantile(0.99), x.Max)
			return
		case time.Duration, fmt.Stringer:
			fmt.Fprintf(b, "%s %v\n", name, x)
			return
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			switch {
			case f.Anonymous:
				writeValue(b, name, v.Field(i))
			case f.IsExported():
				writeValue(b, name+" "+f.Name, v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			writeValue(b, fmt.Sprintf("%s[%d]", name, i), v.Index(i))
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			writeValue(b, name, v.Elem())
		}
	case reflect.String:
		if v.Len() > 0 {
			fmt.Fprintf(b, "%s %q\n", name, v.String())
		}
	case reflect.Invalid:
		fmt.Fprintf(b, "%s <nil>\n", name)
	default:
		fmt.Fprintf(b, "%s %v\n", name, v)
	}
}
