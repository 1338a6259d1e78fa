package demosite

import (
	"fmt"
	"net/http"
)

type libraryState struct {
	name, card string // of the membership that was asked for
}

type library struct {
	*site
	visitors *sessions[libraryState]
}

func libraryRoutes(s *site, mux *http.ServeMux) {
	h := &library{site: s, visitors: newSessions[libraryState](s.name)}
	mux.HandleFunc("GET /", exactly(s, h.home))
	mux.HandleFunc("GET /membership", h.ask)
	mux.HandleFunc("POST /membership", h.take)
	mux.HandleFunc("GET /membership/confirmed", h.confirmed)
}

type libraryPage struct {
	Form       form
	Name, Card string
}

func membershipForm() form {
	return form{
		{Name: "name", Label: "Full name", Type: "text", Autocomplete: "name"},
		{Name: "email", Label: "E-mail", Type: "email", Autocomplete: "email", Check: checkEmail},
		{Name: "phone", Label: "Phone number", Type: "tel", Autocomplete: "tel", Check: checkPhone, Hint: "We call only when a reserved book is about to go back."},
		{Name: "branch", Label: "Home branch", Type: "select", Options: []string{"Choose a branch", "Central", "Hillside", "Old Harbour", "Riverside"}},
		{Name: "rules", Label: "I accept the library rules", Type: "checkbox"},
	}
}

func (h *library) home(w http.ResponseWriter, r *http.Request) {
	h.page(w, r, http.StatusOK, "home", "Fernwood Public Library", libraryPage{})
}

func (h *library) ask(w http.ResponseWriter, r *http.Request) {
	h.page(w, r, http.StatusOK, "membership", "Become a member", libraryPage{Form: membershipForm()})
}

func (h *library) take(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, "this form cannot be read", http.StatusBadRequest)
		return
	}
	filled, right := membershipForm().fill(r.PostForm)
	if !right {
		h.page(w, r, http.StatusUnprocessableEntity, "membership", "Become a member", libraryPage{Form: filled})
		return
	}
	submitted := h.tally.add(func(c *Counts) { c.FormsSubmitted++ }).FormsSubmitted
	card := fmt.Sprintf("FW %06d", 418200+submitted)
	h.visitors.use(w, r, func(s *libraryState) { s.name, s.card = filled.value("name"), card })
	http.Redirect(w, r, "/membership/confirmed", http.StatusSeeOther)
}

func (h *library) confirmed(w http.ResponseWriter, r *http.Request) {
	var p libraryPage
	h.visitors.use(w, r, func(s *libraryState) { p.Name, p.Card = s.name, s.card })
	if p.Card == "" {
		http.Redirect(w, r, "/membership", http.StatusSeeOther)
		return
	}
	h.page(w, r, http.StatusOK, "confirmed", "Membership confirmed", p)
}
