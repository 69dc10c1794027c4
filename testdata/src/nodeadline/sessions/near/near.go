// Package near runs statements on the session of a file that another package keeps.
package near

import (
	"net/http"

	"nodeadline/sessions/local"
)

type record struct{ ID int }

func localOk(w http.ResponseWriter, r *http.Request) {
	if err := local.Instance().Delete(&record{}, r.FormValue("id")).Error; err != nil {
		http.Error(w, "database", http.StatusInternalServerError)
	}
}
