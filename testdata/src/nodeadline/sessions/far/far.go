// Package far runs statements on a session that another package keeps.
package far

import (
	"net/http"

	"nodeadline/sessions/remote"
)

type record struct{ ID int }

func remoteBad(w http.ResponseWriter, r *http.Request) {
	if err := remote.Instance().Delete(&record{}, r.FormValue("id")).Error; err != nil { // want `sql`
		http.Error(w, "database", http.StatusInternalServerError)
	}
}

func withContextOk(w http.ResponseWriter, r *http.Request) {
	if err := remote.Instance().WithContext(r.Context()).Delete(&record{}, r.FormValue("id")).Error; err != nil {
		http.Error(w, "database", http.StatusInternalServerError)
	}
}
