package demosite

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

type seatsState struct {
	pass   string // what the wall's address carries; not the visitor's cookie
	passed bool
}

type seats struct {
	*site
	visitors *sessions[seatsState]
}

func seatsRoutes(s *site, mux *http.ServeMux) {
	h := &seats{site: s, visitors: newSessions[seatsState](s.name)}
	mux.HandleFunc("GET /", exactly(s, h.home))
	mux.HandleFunc("GET /seats", h.search)
	mux.HandleFunc("GET /wall", h.status)
	mux.HandleFunc("POST /wall", h.passHere)
	mux.HandleFunc("GET /pass", h.passAnywhere)
}

type seat struct {
	Section, Row, Number, View string
	Price                      cents
}

type seatsPage struct {
	Event string
	Seats []seat
	Pass  string // address that lets this one visitor through
	Back  string // where the visitor wanted to go
	Error string
}

func (h *seats) home(w http.ResponseWriter, r *http.Request) {
	h.page(w, r, http.StatusOK, "home", "What's on", seatsPage{})
}

func (h *seats) search(w http.ResponseWriter, r *http.Request) {
	if !h.hasPassed(w, r) {
		h.wall(w, r, http.StatusOK, r.URL.RequestURI(), "")
		return
	}
	event := strings.TrimSpace(r.URL.Query().Get("event"))
	if event == "" {
		event = "all events"
	}
	h.page(w, r, http.StatusOK, "seats", "Seats for "+event, seatsPage{Event: event, Seats: freeSeats()})
}

func freeSeats() []seat {
	var all []seat
	for i, section := range []string{"Stalls", "Stalls", "Circle", "Circle", "Balcony", "Balcony", "Gallery"} {
		all = append(all, seat{
			Section: section, Row: string(rune('A' + i*3%11)), Number: fmt.Sprintf("%d and %d", 7+i*2, 8+i*2),
			View: []string{"Clear view of the stage", "Clear view of the stage", "Slightly from the side"}[i%3], Price: cents(8200 - i*950),
		})
	}
	return all
}

func (h *seats) hasPassed(w http.ResponseWriter, r *http.Request) bool {
	passed := false
	h.visitors.use(w, r, func(s *seatsState) { passed = s.passed })
	return passed
}

func (h *seats) wall(w http.ResponseWriter, r *http.Request, status int, back, wrong string) {
	p := seatsPage{Back: back, Error: wrong}
	h.visitors.use(w, r, func(s *seatsState) {
		if s.pass == "" {
			s.pass = rand.Text()
		}
		p.Pass = h.addresses[h.name] + "/pass?session=" + s.pass
	})
	h.page(w, r, status, "wall", "Verify you are human", p)
}

// status is what the wall's page asks while it waits.
func (h *seats) status(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(map[string]bool{"passed": h.hasPassed(w, r)})
}

// passHere is the wall's own check box and button.
func (h *seats) passHere(w http.ResponseWriter, r *http.Request) {
	back := r.FormValue("back")
	if !strings.HasPrefix(back, "/") || strings.HasPrefix(back, "//") {
		back = "/"
	}
	if r.FormValue("human") == "" {
		h.wall(w, r, http.StatusUnprocessableEntity, back, "Please tick the box first.")
		return
	}
	h.visitors.use(w, r, func(s *seatsState) { s.passed = true })
	http.Redirect(w, r, back, http.StatusSeeOther)
}

// passAnywhere lets through the one visitor whose wall showed this address,
// whoever opens it.
func (h *seats) passAnywhere(w http.ResponseWriter, r *http.Request) {
	pass, found := r.URL.Query().Get("session"), false
	h.visitors.each(func(s *seatsState) bool {
		if pass != "" && s.pass == pass {
			s.passed, found = true, true
		}
		return !found
	})
	status, words := http.StatusOK, "Thank you. The other window goes on by itself."
	if !found {
		status, words = http.StatusNotFound, "Nobody waits behind this address."
	}
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(status)
		_, _ = fmt.Fprintln(w, words)
		return
	}
	h.page(w, r, status, "passed", "Aurora Hall", words)
}
