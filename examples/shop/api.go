package shop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/concvet/concvet/examples/shop/store"
)

// Handler serves the shop over HTTP.
func (s *Service) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", s.place)
	mux.HandleFunc("POST /orders/{id}/pay", s.change(s.Pay))
	mux.HandleFunc("POST /orders/{id}/cancel", s.change(s.Cancel))
	mux.HandleFunc("GET /events", s.events)
	return mux
}

func (s *Service) place(w http.ResponseWriter, r *http.Request) {
	var o store.Order
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&o); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	id, err := s.Place(r.Context(), o)
	if err != nil {
		fail(w, err)
		return
	}
	w.WriteHeader(http.StatusCreated)
	fmt.Fprintln(w, id)
}

// change serves an action on one order.
func (s *Service) change(do func(context.Context, int64) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
		if err != nil {
			http.Error(w, "no such order", http.StatusNotFound)
			return
		}
		if err := do(r.Context(), id); err != nil {
			fail(w, err)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

// events streams what happens until the browser goes away.
func (s *Service) events(w http.ResponseWriter, r *http.Request) {
	events, cancel := s.hub.Subscribe()
	defer cancel()
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	for {
		select {
		case e := <-events:
			if _, err := fmt.Fprintf(w, "data: %d %s\n\n", e.Order, e.State); err != nil {
				return
			}
			if err := out.Flush(); err != nil {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}

func fail(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	if errors.Is(err, ErrSoldOut) || errors.Is(err, store.ErrState) {
		status = http.StatusConflict
	}
	http.Error(w, err.Error(), status)
}
