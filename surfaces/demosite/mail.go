package demosite

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

type letter struct {
	ID                    int
	From, To, About, Text string
	When                  string
	Unread                bool
}

// Lines is the letter's text, paragraph by paragraph.
func (l letter) Lines() []string { return strings.Split(l.Text, "\n") }

type mailState struct {
	sent []letter
	note string // shown once, on the next page
}

type mail struct {
	*site
	visitors *sessions[mailState]
}

func mailRoutes(s *site, mux *http.ServeMux) {
	h := &mail{site: s, visitors: newSessions[mailState](s.name)}
	mux.HandleFunc("GET /", exactly(s, h.inbox))
	mux.HandleFunc("GET /sent", h.sent)
	mux.HandleFunc("GET /letter/{id}", h.letter)
	mux.HandleFunc("GET /compose", h.compose)
	mux.HandleFunc("POST /send", h.send)
}

type mailPage struct {
	Letters []letter
	Letter  letter
	Form    form
	Note    string
	Sent    int
}

func inbox() []letter {
	return []letter{
		{ID: 1, From: "Mira Okafor", About: "Saturday market", When: "09:12", Unread: true, Text: "Hello,\nthe market opens at eight on Saturday. Shall we meet at the north gate?\nMira"},
		{ID: 2, From: "Fernwood Library", About: "Your reservation is ready", When: "Yesterday", Unread: true, Text: "The book you reserved waits for you at the desk until Friday."},
		{ID: 3, From: "Jonas Weber", About: "Minutes of the house meeting", When: "Mon", Text: "Dear neighbours,\nthe stairwell will be painted in the second week of the month.\nJonas"},
		{ID: 4, From: "Alpine Rail", About: "Your timetable has changed", When: "Mon", Text: "The 07:25 now leaves from platform 4."},
		{ID: 5, From: "Halden Cycles", About: "Time for a service", When: "12 Nov", Text: "Your bicycle has been on the road for a year. Bring it in for a check."},
	}
}

func (h *mail) show(w http.ResponseWriter, r *http.Request, status int, name, title string, p mailPage) {
	h.visitors.use(w, r, func(s *mailState) {
		p.Sent = len(s.sent)
		if name == "sent" {
			p.Note, s.note = s.note, ""
			p.Letters = slices.Clone(s.sent)
			slices.Reverse(p.Letters)
		}
	})
	h.page(w, r, status, name, title, p)
}

func (h *mail) inbox(w http.ResponseWriter, r *http.Request) {
	h.show(w, r, http.StatusOK, "inbox", "Inbox", mailPage{Letters: inbox()})
}

func (h *mail) sent(w http.ResponseWriter, r *http.Request) {
	h.show(w, r, http.StatusOK, "sent", "Sent", mailPage{})
}

func (h *mail) letter(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.Atoi(r.PathValue("id"))
	for _, l := range inbox() {
		if l.ID == id {
			h.show(w, r, http.StatusOK, "letter", l.About, mailPage{Letter: l})
			return
		}
	}
	h.show(w, r, http.StatusNotFound, "missing", "Page not found", mailPage{})
}

func letterForm() form {
	return form{
		{Name: "to", Label: "To", Type: "text", Autocomplete: "off", Check: checkRecipients},
		{Name: "subject", Label: "Subject", Type: "text", Autocomplete: "off"},
		{Name: "body", Label: "Message", Type: "textarea"},
	}
}

func checkRecipients(v string) string {
	for one := range strings.SplitSeq(v, ",") {
		if wrong := checkEmail(strings.TrimSpace(one)); wrong != "" {
			return wrong
		}
	}
	return ""
}

func (h *mail) compose(w http.ResponseWriter, r *http.Request) {
	h.show(w, r, http.StatusOK, "compose", "New message", mailPage{Form: letterForm()})
}

func (h *mail) send(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, "this form cannot be read", http.StatusBadRequest)
		return
	}
	filled, right := letterForm().fill(r.PostForm)
	if !right {
		h.show(w, r, http.StatusUnprocessableEntity, "compose", "New message", mailPage{Form: filled})
		return
	}
	h.tally.add(func(c *Counts) { c.MailsSent++ })
	h.visitors.use(w, r, func(s *mailState) {
		s.sent = append(s.sent, letter{
			ID: len(s.sent) + 1, To: filled.value("to"), About: filled.value("subject"), Text: filled.value("body"), When: "Just now",
		})
		s.note = "Your letter was sent to " + filled.value("to")
	})
	http.Redirect(w, r, "/sent", http.StatusSeeOther)
}
