package demosite

import (
	"crypto/rand"
	"net/http"
	"sync"
)

// maxSessions bounds what visitors without cookies can make us keep.
const maxSessions = 5000

// sessions keeps one T per visitor, found by a cookie. Cookies know no port, so
// each site's cookie carries its name.
type sessions[T any] struct {
	cookie string
	mu     sync.Mutex
	states map[string]*T // guarded by mu, and so is what it points to
	oldest []string      // guarded by mu
}

func newSessions[T any](site string) *sessions[T] {
	return &sessions[T]{cookie: site + "_session", states: map[string]*T{}}
}

// use runs f on the visitor's state, alone. A new visitor gets a cookie.
func (s *sessions[T]) use(w http.ResponseWriter, r *http.Request, f func(*T)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, err := r.Cookie(s.cookie); err == nil {
		if state, ok := s.states[c.Value]; ok {
			f(state)
			return
		}
	}
	id := rand.Text()
	http.SetCookie(w, &http.Cookie{Name: s.cookie, Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	state := new(T)
	s.states[id] = state
	s.oldest = append(s.oldest, id)
	if len(s.oldest) > maxSessions {
		delete(s.states, s.oldest[0])
		s.oldest = s.oldest[1:]
	}
	f(state)
}

// each runs f on every state until it returns false.
func (s *sessions[T]) each(f func(*T) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, state := range s.states {
		if !f(state) {
			return
		}
	}
}
