package corpus

import (
	"bytes"
	_ "embed"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"countersign/surfaces/fault"
)

//go:embed log.js
var logScript []byte

// bodyLimit bounds what a page may send.
const bodyLimit = 1 << 20

// site serves one page and keeps what it logs. Safe for concurrent use.
type site struct {
	file   *File
	here   string // http://127.0.0.1:PORT
	other  string // the same server as another site
	server *http.Server
	ended  chan struct{}

	mu   sync.Mutex // guards the rest
	told []line
	grew chan struct{} // closed and replaced when a line comes
}

// line is one logged text; lines may overtake each other on their way here.
type line struct {
	at   float64 // milliseconds of the page's clock
	text string
}

func serve(f *File) (*site, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "no port for the page")
	}
	_, port, _ := net.SplitHostPort(l.Addr().String()) // a listener's own address
	s := &site{
		file: f, here: "http://127.0.0.1:" + port, other: "http://localhost:" + port,
		ended: make(chan struct{}), grew: make(chan struct{}),
	}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	go func() { // ends with close
		defer close(s.ended)
		_ = s.server.Serve(l)
	}()
	return s, nil
}

func (s *site) close() {
	_ = s.server.Close() // the browser keeps connections open; they are of no use
	<-s.ended
}

// ServeHTTP answers the browser.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/log.js":
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		_, _ = w.Write(logScript)
	case "/log":
		body, err := io.ReadAll(io.LimitReader(r.Body, bodyLimit))
		at, text, ok := strings.Cut(string(body), " ")
		if ms, wrong := strconv.ParseFloat(at, 64); err == nil && ok && wrong == nil {
			s.log(ms, text)
		}
	case "/sent":
		s.sent(w, r)
	case "/blank":
		s.page(w, http.StatusOK, []byte("<!doctype html><title>Blank</title>"))
	default:
		s.serve(w, r)
	}
}

// sent takes a form.
func (s *site) sent(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, bodyLimit))
	if err != nil {
		return
	}
	said := string(body)
	if r.Method == http.MethodGet {
		said = r.URL.RawQuery
	}
	s.log(float64(time.Now().UnixMilli()), "sent "+readable(said))
	s.page(w, http.StatusOK, []byte("<!doctype html><title>Sent</title><h1>Thank you</h1><p>Your form has arrived.</p>"))
}

func (s *site) serve(w http.ResponseWriter, r *http.Request) {
	own := s.file.Serve[r.URL.Path]
	if own.DelayMS > 0 {
		select {
		case <-time.After(time.Duration(own.DelayMS) * time.Millisecond):
		case <-r.Context().Done():
			return
		}
	}
	for name, value := range own.Headers {
		w.Header().Set(name, s.filled(value))
	}
	if own.Redirect != "" {
		http.Redirect(w, r, s.filled(own.Redirect), http.StatusFound)
		return
	}
	name := own.Page
	if name == "" {
		name = strings.TrimPrefix(r.URL.Path, "/")
	}
	raw, err := os.ReadFile(filepath.Join(s.file.folder, filepath.Base(name)))
	switch {
	case err == nil:
	case own.Status != 0:
		raw = nil
	default:
		http.NotFound(w, r)
		return
	}
	s.page(w, max(own.Status, http.StatusOK), []byte(s.filled(string(raw))))
}

func (s *site) page(w http.ResponseWriter, status int, body []byte) {
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	}
	w.WriteHeader(status)
	_, _ = io.Copy(w, bytes.NewReader(body)) // a browser that left reads no more
}

func (s *site) filled(text string) string {
	return strings.NewReplacer("{{here}}", s.here, "{{other}}", s.other).Replace(text)
}

func (s *site) log(at float64, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := len(s.told)
	for i > 0 && s.told[i-1].at > at {
		i--
	}
	s.told = slices.Insert(s.told, i, line{at, text})
	close(s.grew)
	s.grew = make(chan struct{})
}

// lines is what was logged so far, and what closes when more comes.
func (s *site) lines() ([]string, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]string, len(s.told))
	for i, l := range s.told {
		out[i] = l.text
	}
	return out, s.grew
}

// logWithin is how long a logged line may be on its way.
const logWithin = 3 * time.Second

// logged waits until as many lines came as are wanted.
func (s *site) logged(want int) []string {
	late := time.NewTimer(logWithin)
	defer late.Stop()
	for {
		lines, more := s.lines()
		if len(lines) >= want {
			return lines
		}
		select {
		case <-more:
		case <-late.C:
			return lines
		}
	}
}

// readable is a form as a person would write it down, in its own order.
func readable(encoded string) string {
	pairs := strings.Split(encoded, "&")
	for i, p := range pairs {
		if text, err := url.QueryUnescape(p); err == nil {
			pairs[i] = text
		}
	}
	return strings.Join(pairs, " ")
}
