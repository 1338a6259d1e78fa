package demosite

import (
	"encoding/json"
	"net/http"
	"sync"
)

// Counts is what was done to the sites since they started. Every accepted
// request counts, also a repeated one: a press that went out twice is seen.
type Counts struct {
	OrdersPaid     int `json:"orders_paid"`
	MailsSent      int `json:"mails_sent"`
	FormsSubmitted int `json:"forms_submitted"`
	CodesAccepted  int `json:"codes_accepted"`
}

// tally keeps the counts of all sites and serves them.
type tally struct {
	mu     sync.Mutex
	counts Counts // guarded by mu
}

// add changes the counts and returns them as they are then.
func (t *tally) add(f func(*Counts)) Counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(&t.counts)
	return t.counts
}

func (t *tally) read() Counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts
}

func (t *tally) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(t.read())
}
