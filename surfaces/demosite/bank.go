package demosite

import (
	"crypto/rand"
	"fmt"
	"math/big"
	"net/http"
)

type bankState struct {
	customer string
	code     string // sent to the customer's phone; empty when none is due
	inside   bool
}

type bank struct {
	*site
	visitors *sessions[bankState]
}

func bankRoutes(s *site, mux *http.ServeMux) {
	h := &bank{site: s, visitors: newSessions[bankState](s.name)}
	mux.HandleFunc("GET /", exactly(s, h.ask))
	mux.HandleFunc("POST /sign-in", h.signIn)
	mux.HandleFunc("GET /code", h.askCode)
	mux.HandleFunc("POST /code", h.takeCode)
	mux.HandleFunc("GET /phone", h.phone)
	mux.HandleFunc("GET /accounts", h.accounts)
	mux.HandleFunc("POST /sign-out", h.signOut)
}

type bankPage struct {
	Form     form
	Customer string
	Code     string
	Phone    string // where the message with the code can be read
}

func signInForm() form {
	return form{
		{Name: "customer", Label: "Customer number", Type: "text", Autocomplete: "username", Check: func(v string) string {
			if d := digits(v); d != v || len(d) < 6 {
				return "Please enter your customer number, at least 6 digits."
			}
			return ""
		}},
		{Name: "password", Label: "Password", Type: "password", Autocomplete: "current-password"},
	}
}

func codeForm() form {
	return form{{Name: "code", Label: "One-time code", Type: "text", Autocomplete: "one-time-code", Placeholder: "6 digits"}}
}

func (h *bank) ask(w http.ResponseWriter, r *http.Request) {
	h.page(w, r, http.StatusOK, "signin", "Sign in", bankPage{Form: signInForm()})
}

func (h *bank) signIn(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, "this form cannot be read", http.StatusBadRequest)
		return
	}
	filled, right := signInForm().fill(r.PostForm)
	if !right {
		h.page(w, r, http.StatusUnprocessableEntity, "signin", "Sign in", bankPage{Form: filled})
		return
	}
	h.visitors.use(w, r, func(s *bankState) { s.customer, s.code, s.inside = filled.value("customer"), newCode(), false })
	http.Redirect(w, r, "/code", http.StatusSeeOther)
}

func newCode() string {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		panic(err) // crypto/rand does not fail on a working system
	}
	return fmt.Sprintf("%06d", n)
}

func (h *bank) askCode(w http.ResponseWriter, r *http.Request) {
	h.code(w, r, http.StatusOK, codeForm())
}

func (h *bank) code(w http.ResponseWriter, r *http.Request, status int, f form) {
	var p bankPage
	h.visitors.use(w, r, func(s *bankState) { p.Customer, p.Code = s.customer, s.code })
	if p.Code == "" {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	p.Form, p.Phone, p.Code = f, h.addresses[h.name]+"/phone?customer="+p.Customer, ""
	h.page(w, r, status, "code", "Enter your code", p)
}

func (h *bank) takeCode(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, "this form cannot be read", http.StatusBadRequest)
		return
	}
	filled, right := codeForm().fill(r.PostForm)
	accepted := false
	h.visitors.use(w, r, func(s *bankState) {
		if right && s.code != "" && digits(filled.value("code")) == s.code {
			s.code, s.inside, accepted = "", true, true
		}
	})
	if !accepted {
		filled.fault("code", "This code is not right. Please check the message on your phone.")
		h.code(w, r, http.StatusUnprocessableEntity, filled)
		return
	}
	h.tally.add(func(c *Counts) { c.CodesAccepted++ })
	http.Redirect(w, r, "/accounts", http.StatusSeeOther)
}

// phone shows the message a customer's phone got: it stands in for the phone
// and is open to anyone who knows the customer number.
func (h *bank) phone(w http.ResponseWriter, r *http.Request) {
	p := bankPage{Customer: r.URL.Query().Get("customer")}
	h.visitors.each(func(s *bankState) bool {
		if s.customer == p.Customer && s.code != "" {
			p.Code = s.code
		}
		return p.Code == ""
	})
	h.page(w, r, http.StatusOK, "phone", "Messages", p)
}

func (h *bank) accounts(w http.ResponseWriter, r *http.Request) {
	var p bankPage
	inside := false
	h.visitors.use(w, r, func(s *bankState) { p.Customer, inside = s.customer, s.inside })
	if !inside {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	h.page(w, r, http.StatusOK, "accounts", "Your accounts", p)
}

func (h *bank) signOut(w http.ResponseWriter, r *http.Request) {
	h.visitors.use(w, r, func(s *bankState) { *s = bankState{} })
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
