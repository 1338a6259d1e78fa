// Package modeltest is a small OpenAI-compatible server of our own on
// 127.0.0.1, for tests: it answers from a script, fails in every way a real one
// does, and keeps each byte it was sent, so that a test can search for what must
// not have been.
package modeltest

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Server answers chat completions. Safe for concurrent use.
type Server struct {
	http *httptest.Server

	mu       sync.Mutex // guards the rest
	wire     bytes.Buffer
	requests []Request
	queue    []Reply
	answer   func(Request) Reply
	refuses  []string
	key      string
}

// Request is one call of the client.
type Request struct {
	Path   string
	Header http.Header
	Body   []byte

	Model    string
	Messages []Message
	Stream   bool
	Fields   map[string]json.RawMessage // the body's members
}

// Message is one turn of a request.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Start serves until the test ends. Until it is told otherwise it answers {}.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{answer: func(Request) Reply { return Text("{}") }}
	s.http = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.http.Listener = tapped{s.http.Listener, s}
	s.http.Start()
	t.Cleanup(s.Close)
	return s
}

// URL is the base address of the API.
func (s *Server) URL() string { return s.http.URL + "/v1" }

// Close ends every connection; requests after it cannot reach the server.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Script queues replies; each is given once, before Answer is asked.
func (s *Server) Script(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, replies...)
}

// Answer gives the reply to each request that no queued one answers.
func (s *Server) Answer(f func(Request) Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = f
}

// Refuse makes the server reject requests with any of the named fields, as one
// does that does not know them. "json_schema" rejects that response format.
func (s *Server) Refuse(fields ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuses = fields
}

// RequireKey rejects every other key, and quotes the one it got in the
// rejection.
func (s *Server) RequireKey(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key = key
}

// Requests gives what was asked so far, oldest first.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Wire gives each byte that reached the server, headers included.
func (s *Server) Wire() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.wire.Bytes())
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away
	}
	req := Request{Path: r.URL.Path, Header: r.Header.Clone(), Body: body}
	wrong := req.parse()
	reply := s.next(req)
	switch {
	case r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions":
		reply = Fail(http.StatusNotFound, "", "no such path")
	case wrong != nil:
		reply = Fail(http.StatusBadRequest, "", wrong.Error())
	}
	reply.write(w, r, req)
}

func (r *Request) parse() error {
	if err := json.Unmarshal(r.Body, &r.Fields); err != nil {
		return err
	}
	return json.Unmarshal(r.Body, &struct {
		Model    *string    `json:"model"`
		Messages *[]Message `json:"messages"`
		Stream   *bool      `json:"stream"`
	}{&r.Model, &r.Messages, &r.Stream})
}

// next records the request and picks its reply.
func (s *Server) next(req Request) Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, req)
	if got := req.Header.Get("Authorization"); s.key != "" && got != "Bearer "+s.key {
		return Fail(http.StatusUnauthorized, "invalid_api_key", "Incorrect API key provided: "+got)
	}
	for _, field := range s.refuses {
		if req.has(field) {
			return Refuse(field)
		}
	}
	if len(s.queue) > 0 {
		reply := s.queue[0]
		s.queue = s.queue[1:]
		return reply
	}
	return s.answer(req)
}

func (r *Request) has(field string) bool {
	if field == "json_schema" {
		return bytes.Contains(r.Fields["response_format"], []byte(`"json_schema"`))
	}
	_, ok := r.Fields[field]
	return ok && string(r.Fields[field]) != "false"
}

// tapped copies what its connections receive into the server's wire.
type tapped struct {
	net.Listener
	server *Server
}

func (l tapped) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return tap{c, l.server}, nil
}

type tap struct {
	net.Conn
	server *Server
}

func (c tap) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	c.server.wire.Write(p[:n])
	return n, err
}
