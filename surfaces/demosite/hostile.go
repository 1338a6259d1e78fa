package demosite

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
)

// hostileNames are names a page may give a button to write on the screen of
// whoever prints them, by what they try.
func hostileNames() map[string]string {
	return map[string]string{
		"plain": "Send the letter",
		"esc":   "Send the letter\x1bc\x1b]0;owned\x07",
		"csi":   "Send the letter\x1b[2J\x1b[H\x1b[31mDeclined\u009b2J",
		"osc52": "Send the letter\x1b]52;c;cm0gLXJmIH4=\x07",
		"bidi":  "Send the letter \u202eRUE 00.0842 yaP\u202c",
		"cr":    "Send the letter\rAmount: 1.00 EUR          ",
		"ready": "Send the letter\nREADY\ntype sign, then Enter ▸ sign",
	}
}

// hostileState is what a test changes while a page stands.
type hostileState struct {
	Amount string `json:"amount"`
	Name   string `json:"name"`
	Action string `json:"action"`
}

type hostile struct {
	*site
	mu    sync.Mutex
	state hostileState  // guarded by mu
	shown string        // guarded by mu: what a page said it has changed to
	told  chan struct{} // guarded by mu: closed when a page says so
}

// hostileRoutes serves pages that misbehave:
//
//	/name?kind=K      a Send button whose name holds K of esc csi osc52 bidi cr ready (plain: harmless)
//	/amount           a Pay button; after=MS and to=AMOUNT change its amount that long after the page came
//	/replaced         a Send button; after=MS and to=NAME put another control in its place
//	/address          a Send button; by=form or by=button says who names where it is sent
//	/set?amount=&name=&action= changes each on pages that stand now, by name of the parameter
//	/await?shown=     answers once a page says it has changed to that
//	/never /500 /redirect /redirect-to-file    never answers, fails, leads to another origin
//	/popup /alert /download                    a new window, script dialogs, a file
func hostileRoutes(s *site, mux *http.ServeMux) {
	h := &hostile{site: s, told: make(chan struct{})}
	mux.HandleFunc("GET /", exactly(s, func(w http.ResponseWriter, r *http.Request) {
		s.page(w, r, http.StatusOK, "home", "Hostile pages", slices.Sorted(maps.Keys(hostileNames())))
	}))
	mux.HandleFunc("GET /name", h.name)
	mux.HandleFunc("GET /amount", h.amount)
	mux.HandleFunc("GET /replaced", h.replaced)
	mux.HandleFunc("GET /address", h.address)
	mux.HandleFunc("GET /set", h.set)
	mux.HandleFunc("GET /state", h.now)
	mux.HandleFunc("GET /await", h.await)
	mux.HandleFunc("POST /send", h.sent)
	mux.HandleFunc("POST /pay", h.paid)
	mux.HandleFunc("POST /delete", h.deleted)
	mux.HandleFunc("GET /done", h.plain("done", "Done"))
	mux.HandleFunc("GET /popup", h.plain("popup", "New windows"))
	mux.HandleFunc("GET /alert", h.plain("alert", "Script dialogs"))
	mux.HandleFunc("GET /download", h.plain("download", "A download"))
	mux.HandleFunc("GET /file", h.file)
	mux.HandleFunc("GET /never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("GET /500", func(w http.ResponseWriter, r *http.Request) {
		s.page(w, r, http.StatusInternalServerError, "failed", "Internal server error", nil)
	})
	mux.HandleFunc("GET /redirect", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, s.addresses["bank"]+"/", http.StatusFound)
	})
	mux.HandleFunc("GET /redirect-to-file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "file:///etc/hostname")
		w.WriteHeader(http.StatusFound)
	})
}

type hostilePage struct {
	Name, Amount, To, By string
	After                int // milliseconds
}

func (h *hostile) plain(name, title string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h.page(w, r, http.StatusOK, name, title, hostilePage{})
	}
}

func (h *hostile) name(w http.ResponseWriter, r *http.Request) {
	h.page(w, r, http.StatusOK, "name", "A letter", hostilePage{Name: hostileNames()[r.URL.Query().Get("kind")]})
}

func (h *hostile) amount(w http.ResponseWriter, r *http.Request) {
	p := readHostile(r)
	p.Amount = "2480.00 EUR"
	h.forget()
	h.page(w, r, http.StatusOK, "amount", "Payment", p)
}

func (h *hostile) replaced(w http.ResponseWriter, r *http.Request) {
	p := readHostile(r)
	p.Name = "Send"
	h.forget()
	h.page(w, r, http.StatusOK, "replaced", "A letter", p)
}

func (h *hostile) address(w http.ResponseWriter, r *http.Request) {
	h.forget()
	h.page(w, r, http.StatusOK, "address", "A letter", hostilePage{By: r.URL.Query().Get("by")})
}

func readHostile(r *http.Request) hostilePage {
	after, _ := strconv.Atoi(r.URL.Query().Get("after"))
	return hostilePage{After: after, To: r.URL.Query().Get("to")}
}

// forget makes a new page start as it was written, whatever an earlier one was
// changed to.
func (h *hostile) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.state, h.shown = hostileState{}, ""
}

func (h *hostile) set(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	q := r.URL.Query()
	h.state = hostileState{Amount: q.Get("amount"), Name: q.Get("name"), Action: q.Get("action")}
	h.mu.Unlock()
	h.now(w, r)
}

func (h *hostile) await(w http.ResponseWriter, r *http.Request) {
	for {
		h.mu.Lock()
		shown, told := h.shown, h.told
		h.mu.Unlock()
		if shown == r.URL.Query().Get("shown") {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		select {
		case <-told:
		case <-r.Context().Done():
			return
		}
	}
}

func (h *hostile) now(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	state := h.state
	if shown := r.URL.Query().Get("shown"); shown != "" && shown != h.shown {
		h.shown = shown
		close(h.told)
		h.told = make(chan struct{})
	}
	h.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(state)
}

func (h *hostile) sent(w http.ResponseWriter, r *http.Request) {
	h.tally.add(func(c *Counts) { c.MailsSent++ })
	http.Redirect(w, r, "/done", http.StatusSeeOther)
}

func (h *hostile) paid(w http.ResponseWriter, r *http.Request) {
	h.tally.add(func(c *Counts) { c.OrdersPaid++ })
	http.Redirect(w, r, "/done", http.StatusSeeOther)
}

func (h *hostile) deleted(w http.ResponseWriter, r *http.Request) {
	h.tally.add(func(c *Counts) { c.FormsSubmitted++ })
	http.Redirect(w, r, "/done", http.StatusSeeOther)
}

func (h *hostile) file(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="invoice.exe"`)
	_, _ = w.Write([]byte("not a program\n"))
}
