package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"countersign/controller/chat"
	"countersign/controller/controllertest/modeltest"
	"countersign/flows/decider"
	"countersign/surfaces/fault"
)

// secret looks like the keys of hosted services.
const secret = "sk-proj-9fA2kLq7Zx31vTnB8wYcE5uHdR0sJmPo"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pauses records what was waited, and waits for nothing.
type pauses struct {
	mu  sync.Mutex // guards all
	all []time.Duration
}

func (p *pauses) wait(ctx context.Context, d time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, d)
	return ctx.Err()
}

// desk opens every role on one server with the secret as key.
func desk(t *testing.T, s *modeltest.Server) (*Models, *pauses) {
	t.Helper()
	return open(t, Settings{BaseURL: s.URL(), Model: "m", APIKeyEnv: "KEY"})
}

func open(t *testing.T, s Settings) (*Models, *pauses) {
	t.Helper()
	m, err := Open(Roles{&s, &s, &s, &s}, func(string) string { return secret })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	p := &pauses{}
	for _, c := range m.clients {
		c.wait = p.wait
	}
	return m, p
}

func turns() []chat.Turn {
	return []chat.Turn{{Role: chat.System, Text: "Answer JSON."}, {Role: chat.User, Text: "Plan it."}}
}

func prompt() decider.Prompt {
	return decider.Prompt{System: "Answer JSON.", User: "{}", Schema: json.RawMessage(`{"type":"object"}`)}
}

// spells searches an error, its causes and its JSON for the key.
func spells(err error) bool {
	text := fmt.Sprintf("%v %+v %#v", err, err, err)
	for e := err; e != nil; e = errors.Unwrap(e) {
		b, _ := json.Marshal(e)
		text += fmt.Sprintf(" %s %T %+v %s", e, e, e, b)
	}
	return strings.Contains(text, secret) || strings.Contains(text, secret[:telling])
}

func TestWhatEachRoleSends(t *testing.T) {
	s := modeltest.Start(t)
	m, _ := desk(t, s)
	ask := func(c chat.Model) func() error {
		return func() error { _, err := c.Chat(t.Context(), turns()); return err }
	}
	cases := []struct {
		name string
		ask  func() error
		want string
	}{
		{"planner", ask(m.Planner), `{"response_format":{"type":"json_object"},"stream":true,"temperature":0.2}`},
		{"rescuer", ask(m.Rescuer), `{"max_completion_tokens":8000,"reasoning_effort":"low","response_format":{"type":"json_object"},"stream":true}`},
		{"shaper", ask(m.Shaper), `{"max_completion_tokens":8000,"reasoning_effort":"low","response_format":{"type":"json_object"},"stream":true}`},
		{
			"decider", func() error { _, err := m.Decider.Complete(t.Context(), prompt()); return err },
			`{"logprobs":true,"reasoning_effort":"low","response_format":{"json_schema":{"name":"answer","schema":{"type":"object"},"strict":true},"type":"json_schema"},"stream":true,"temperature":0,"top_logprobs":5}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if err := c.ask(); err != nil {
				t.Fatal(err)
			}
			asked := s.Requests()
			last := asked[len(asked)-1]
			if last.Model != "m" || len(last.Messages) != 2 || last.Messages[0].Role != "system" || last.Messages[1].Role != "user" {
				t.Errorf("model %q, messages %v", last.Model, last.Messages)
			}
			delete(last.Fields, "model")
			delete(last.Fields, "messages")
			if got := canonical(t, last.Fields); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// canonical is JSON with its keys in order.
func canonical(t *testing.T, v any) string {
	t.Helper()
	var sorted any
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &sorted)
	}
	if err == nil {
		b, err = json.Marshal(sorted)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestNothingAboutTheMachineIsSent(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "ambient-key")
	t.Setenv("OPENAI_ORG_ID", "ambient-organisation")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Ambient: yes")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/")
	s := modeltest.Start(t)
	m, _ := desk(t, s)
	if _, err := m.Planner.Chat(t.Context(), turns()); err != nil {
		t.Fatal(err)
	}
	wire := strings.ToLower(string(s.Wire()))
	for _, word := range []string{"stainless", "ambient", "openai", "linux"} {
		if strings.Contains(wire, word) {
			t.Errorf("%q was sent:\n%s", word, wire)
		}
	}
	if want := "authorization: bearer " + strings.ToLower(secret); strings.Count(wire, want) != 1 || strings.Count(wire, strings.ToLower(secret)) != 1 {
		t.Errorf("the key must stand in one header alone:\n%s", wire)
	}
}

func TestAnswersAreReadStreamedAndWhole(t *testing.T) {
	words := `{"steps":["press \"Añadir\" — ✓"]}`
	for name, refused := range map[string][]string{"streamed": nil, "whole": {"stream"}} {
		t.Run(name, func(t *testing.T) {
			s := modeltest.Start(t)
			m, _ := desk(t, s)
			s.Refuse(refused...)
			s.Script(modeltest.Text(words))
			got, err := m.Planner.Chat(t.Context(), turns())
			if err != nil || got != words {
				t.Errorf("got %q %v, want %q", got, err, words)
			}
		})
	}
}

func TestProbabilitiesComeWithTheTokens(t *testing.T) {
	s := modeltest.Start(t)
	m, _ := desk(t, s)
	reply := modeltest.Reply{Tokens: []modeltest.Token{
		{Text: `{"q":`, Probability: 1},
		{Text: "7", Probability: 0.75, Instead: map[string]float64{"7": 0.75, "8": 0.25}},
		{Text: "}", Probability: 1},
	}}
	for _, way := range []string{"streamed", "whole"} {
		t.Run(way, func(t *testing.T) {
			if way == "whole" {
				s.Refuse("stream")
			}
			s.Script(reply)
			got, err := m.Decider.Complete(t.Context(), prompt())
			if err != nil || got.Text != `{"q":7}` || len(got.Tokens) != 3 {
				t.Fatalf("got %+v %v", got, err)
			}
			seven := got.Tokens[1]
			if seven.Text != "7" || !near(seven.Probability, 0.75) || !near(seven.Instead["7"], 0.75) || !near(seven.Instead["8"], 0.25) {
				t.Errorf("got %+v", seven)
			}
		})
	}
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }

func TestAChatTriesPassingFailuresFourTimes(t *testing.T) {
	internal := modeltest.Fail(http.StatusInternalServerError, "", "overloaded")
	short := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}
	cases := []struct {
		name  string
		reply modeltest.Reply
		waits []time.Duration
		want  string
	}{
		{"500", internal, short, "failed (500), 4 times in a row"},
		{"503", modeltest.Fail(http.StatusServiceUnavailable, "", "loading model"), short, "failed (503), 4 times in a row"},
		{"rate limit", modeltest.Limited(""), short, "limits the rate, 4 times in a row"},
		{"rate limit that says how long", modeltest.Limited("3"), []time.Duration{3 * time.Second, 3 * time.Second, 4 * time.Second}, "limits the rate, 4 times in a row"},
		{"rate limit that is too long", modeltest.Limited("120"), nil, "limits the rate for another 2m0s"},
		{"dropped", modeltest.Dropped(`{"steps":[]}`), short, "dropped the connection, 4 times in a row"},
		{"error inside the stream", modeltest.Reply{Body: `data: {"error":{"message":"out of memory"}}` + "\n\n"}, short, "broke off: out of memory, 4 times in a row"},
		{"spending cap", modeltest.SpendingCap(), nil, "spending cap"},
		{"refused key", modeltest.Fail(http.StatusUnauthorized, "", "no"), nil, "refused the key"},
		{"rejected", modeltest.Fail(http.StatusBadRequest, "", "context too long"), nil, "rejected the request: context too long"},
		{"unknown model", modeltest.Fail(http.StatusNotFound, "model_not_found", "no model"), nil, `does not know the address or the model "m"`},
		{"broken JSON", modeltest.Broken(), nil, "cannot be read"},
		{"2 MB", modeltest.Huge(2 << 20), nil, "more than 1 MB"},
		{"cut at a limit", modeltest.Reply{Text: "{", Finish: "length"}, nil, "cut off at the length"},
		{"filtered", modeltest.Reply{Text: "{", Finish: "content_filter"}, nil, "filter"},
		{"nothing", modeltest.Text(" \n"), nil, "answered nothing"},
		{"web page", modeltest.Reply{Body: "<html>", Header: http.Header{"Content-Type": {"text/html"}}}, nil, "a web page"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := modeltest.Start(t)
			m, p := desk(t, s)
			s.Answer(func(modeltest.Request) modeltest.Reply { return c.reply })
			_, err := m.Planner.Chat(t.Context(), turns())
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("got %v, want one sentence with %q", err, c.want)
			}
			if !slices.Equal(p.all, c.waits) {
				t.Errorf("waited %v, want %v", p.all, c.waits)
			}
			if got := len(s.Requests()); got != len(c.waits)+1 {
				t.Errorf("%d requests, want %d", got, len(c.waits)+1)
			}
			if spells(err) {
				t.Errorf("the key stands in %v", err)
			}
		})
	}
}

func TestAPassingFailurePasses(t *testing.T) {
	s := modeltest.Start(t)
	m, p := desk(t, s)
	s.Script(modeltest.Limited(""), modeltest.Dropped(`{"a":1}`), modeltest.Fail(http.StatusBadGateway, "", ""), modeltest.Text(`{"a":2}`))
	got, err := m.Rescuer.Chat(t.Context(), turns())
	if err != nil || got != `{"a":2}` || len(p.all) != 3 {
		t.Errorf("got %q %v after %v", got, err, p.all)
	}
}

func TestTheDecidersFailuresHaveCodes(t *testing.T) {
	long := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second}
	cases := []struct {
		name  string
		reply modeltest.Reply
		waits []time.Duration
		want  fault.Code
	}{
		{"FL-33 401", modeltest.Fail(http.StatusUnauthorized, "", "no"), nil, fault.DeciderAuthentication},
		{"403", modeltest.Fail(http.StatusForbidden, "", "no"), nil, fault.DeciderAuthentication},
		{"429", modeltest.Limited("1"), long, fault.DeciderRateLimited},
		{"429 for longer than a step waits", modeltest.Limited("60"), nil, fault.DeciderRateLimited},
		{"spending cap", modeltest.SpendingCap(), nil, fault.DeciderRateLimited},
		{"500", modeltest.Fail(http.StatusInternalServerError, "", ""), long, fault.DeciderProviderFailed},
		{"dropped", modeltest.Dropped(`{"a":1}`), long, fault.DeciderProviderFailed},
		{"broken JSON", modeltest.Broken(), nil, fault.DeciderInvalidResponse},
		{"2 MB", modeltest.Huge(2 << 20), nil, fault.DeciderInvalidResponse},
		{"rejected", modeltest.Fail(http.StatusBadRequest, "", "too long"), nil, fault.DeciderProviderFailed},
		{"404", modeltest.Fail(http.StatusNotFound, "", "no"), nil, fault.DeciderInvalidConfig},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := modeltest.Start(t)
			m, p := desk(t, s)
			s.Answer(func(modeltest.Request) modeltest.Reply { return c.reply })
			_, err := m.Decider.Complete(t.Context(), prompt())
			if f := fault.Of(err); f == nil || f.Code != c.want || f.Hint == "" {
				t.Fatalf("got %+v, want %s with a hint", f, c.want)
			}
			if !slices.Equal(p.all, c.waits) {
				t.Errorf("waited %v, want %v", p.all, c.waits)
			}
		})
	}
}

func TestASlowAttemptIsTriedAgain(t *testing.T) {
	s := modeltest.Start(t)
	m, p := desk(t, s)
	s.Script(modeltest.Reply{Hold: make(chan struct{})}, modeltest.Text(`{"a":1}`))
	c := m.Decider.(*completer).client
	quick := deciding()
	quick.attempt = 200 * time.Millisecond
	got, f := c.ask(t.Context(), questions(prompt()), quick)
	if f != nil || got.text.String() != `{"a":1}` || len(p.all) != 1 {
		t.Errorf("got %+v %v after %v", got, f, p.all)
	}
	if deciding().attempt != 10*time.Second {
		t.Errorf("an attempt lasts %s, want 10 s", deciding().attempt)
	}
}

func TestChatReturnsWhenItsContextEnds(t *testing.T) {
	s := modeltest.Start(t)
	m, _ := desk(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	arrived := make(chan struct{})
	s.Answer(func(modeltest.Request) modeltest.Reply {
		close(arrived)
		return modeltest.Reply{Hold: make(chan struct{})}
	})
	go func() { // ends when the request arrived, which the test waits for
		<-arrived
		cancel()
	}()
	_, err := m.Planner.Chat(ctx, turns())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's end as cause", err)
	}
	if got := len(s.Requests()); got != 1 {
		t.Errorf("%d requests, want 1", got)
	}
}

func TestWhatAServerRefusesIsLeftOutFromThenOn(t *testing.T) {
	cases := []struct {
		name   string
		refuse []string
		ask    func(*Models, context.Context) error
		extra  int // requests until it was learned
		absent string
	}{
		{"logprobs", []string{"logprobs"}, decide, 1, "top_logprobs"},
		{"json_schema", []string{"json_schema"}, decide, 1, ""},
		{"response_format", []string{"response_format"}, decide, 2, "response_format"},
		{"response_format of a chat", []string{"response_format"}, plan, 1, "response_format"},
		{"reasoning_effort", []string{"reasoning_effort"}, rescue, 1, "reasoning_effort"},
		{"temperature", []string{"temperature"}, plan, 1, "temperature"},
		{"max_completion_tokens", []string{"max_completion_tokens"}, rescue, 1, "max_completion_tokens"},
		{"stream", []string{"stream"}, plan, 1, ""},
		{"all", []string{"response_format", "logprobs", "reasoning_effort", "temperature", "stream"}, decide, 6, "temperature"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := modeltest.Start(t)
			m, p := desk(t, s)
			s.Refuse(c.refuse...)
			for range 2 {
				if err := c.ask(m, t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			asked := s.Requests()
			if len(asked) != c.extra+2 || len(p.all) != 0 {
				t.Errorf("%d requests, waits %v; want %d and none", len(asked), p.all, c.extra+2)
			}
			last := asked[len(asked)-1]
			if _, sent := last.Fields[c.absent]; sent {
				t.Errorf("%s was sent again: %s", c.absent, last.Body)
			}
			if c.name == "json_schema" && !strings.Contains(string(last.Body), `"json_object"`) {
				t.Errorf("got %s, want a JSON object asked for", last.Body)
			}
			if c.name == "max_completion_tokens" && string(last.Fields["max_tokens"]) != "8000" {
				t.Errorf("got %s, want max_tokens", last.Body)
			}
		})
	}
}

func decide(m *Models, ctx context.Context) error {
	_, err := m.Decider.Complete(ctx, prompt())
	return err
}

func plan(m *Models, ctx context.Context) error {
	_, err := m.Planner.Chat(ctx, turns())
	return err
}

func rescue(m *Models, ctx context.Context) error {
	_, err := m.Rescuer.Chat(ctx, turns())
	return err
}

func TestTheWordsOfRefusalsAreUnderstood(t *testing.T) {
	all := []part{schemaPart, likelyPart, effortPart, limitPart, temperaturePart, streamPart}
	cases := []struct {
		param, message string
		status         int
		want           part
	}{
		{"", `"llama3.2" does not support thinking`, 400, effortPart},
		{"", "Unrecognized request argument supplied: reasoning_effort", 400, effortPart},
		{"", "JSON schema conversion failed: unsupported keyword", 400, schemaPart},
		{"", "failed to parse grammar", 500, schemaPart},
		{"", "This response_format type is unavailable now", 400, schemaPart},
		{"", "top_logprobs must be at most 4", 422, likelyPart},
		{"stream", "Your organization must be verified to stream this model.", 400, streamPart},
		{"", "Use max_tokens, not max_completion_tokens", 400, limitPart},
		{"", "the context is too long", 400, ""},
		{"", "logprobs", 429, ""},
		{"", "logprobs", 503, ""},
	}
	for _, c := range cases {
		f := &failure{status: c.status, said: said{Param: c.param, Message: c.message}}
		if got := f.names(all); got != c.want {
			t.Errorf("%d %q: got %q, want %q", c.status, c.message, got, c.want)
		}
	}
}

func TestNoErrorSpellsTheKey(t *testing.T) {
	echo := "you sent Bearer " + secret + " and " + secret[:12] + "***"
	replies := map[string]modeltest.Reply{
		"401":                 modeltest.Fail(http.StatusUnauthorized, "", echo),
		"400":                 modeltest.Fail(http.StatusBadRequest, "", echo),
		"429":                 modeltest.Fail(http.StatusTooManyRequests, "", echo),
		"500":                 modeltest.Fail(http.StatusInternalServerError, "", echo),
		"plain text":          {Status: http.StatusBadRequest, Body: echo},
		"far into a text":     {Status: http.StatusBadRequest, Body: strings.Repeat("y", quotedRunes-10) + secret},
		"detail of a schema":  {Status: http.StatusUnprocessableEntity, Body: `{"detail":[{"loc":["header"],"input":"` + secret + `"}]}`},
		"inside the stream":   {Body: `data: {"error":{"message":"` + echo + `"}}` + "\n\n"},
		"error in a good one": {Body: `{"error":"` + echo + `"}`, Header: http.Header{"Content-Type": {"application/json"}}},
		"broken JSON":         {Body: "data: " + secret + "\n\n"},
		"redirect":            {Status: http.StatusFound, Header: http.Header{"Location": {"http://127.0.0.1:1/?" + secret}}},
	}
	for name, reply := range replies {
		t.Run(name, func(t *testing.T) {
			s := modeltest.Start(t)
			m, _ := desk(t, s)
			s.Answer(func(modeltest.Request) modeltest.Reply { return reply })
			_, err := m.Planner.Chat(t.Context(), turns())
			_, deciding := m.Decider.Complete(t.Context(), prompt())
			for _, err := range []error{err, deciding} {
				if err == nil || spells(err) {
					t.Errorf("got %v, want an error without the key", err)
				}
			}
		})
	}
	t.Run("no HTTP at all", func(t *testing.T) {
		raw := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_, _ = c.Write([]byte(r.Header.Get("Authorization") + "\r\n\r\n"))
				_ = c.Close()
			}
		}))
		defer raw.Close()
		m, _ := open(t, Settings{BaseURL: raw.URL, Model: "m", APIKeyEnv: "KEY"})
		if err := plan(m, t.Context()); err == nil || spells(err) {
			t.Errorf("got %v, want an error without the key", err)
		}
	})
	t.Run("nothing there", func(t *testing.T) {
		s := modeltest.Start(t)
		m, p := desk(t, s)
		s.Close()
		err := plan(m, t.Context())
		if err == nil || spells(err) || !strings.Contains(err.Error(), "cannot be reached") || len(p.all) != 3 {
			t.Errorf("got %v after %v", err, p.all)
		}
	})
}

func TestAKeyCannotBePrinted(t *testing.T) {
	key, err := newKey(secret, "test")
	if err != nil {
		t.Fatal(err)
	}
	c, err := newClient(Settings{BaseURL: "http://127.0.0.1:1", Model: "m", APIKeyEnv: "K"}, func(string) string { return secret })
	if err != nil {
		t.Fatal(err)
	}
	holder := struct {
		K Key
		k Key
		p *Key
	}{key, key, &key}
	var out strings.Builder
	for _, v := range []any{key, &key, holder, &holder, []Key{key}, c, &talker{client: c}, &completer{c}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
			fmt.Fprintf(&out, verb, v)
		}
	}
	b, err := json.Marshal(map[string]any{"key": key, "holder": holder})
	if err != nil {
		t.Fatal(err)
	}
	out.Write(b)
	slog.New(slog.NewTextHandler(&out, nil)).Info("said", "key", key, "holder", holder)
	if strings.Contains(out.String(), secret) || strings.Contains(out.String(), fmt.Sprintf("%x", secret)) {
		t.Errorf("the key was printed:\n%s", out.String())
	}
}

func TestReadKey(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	env := func(name string) string { return map[string]string{"GOOD": secret, "BAD": "two words"}[name] }
	wide := file("wide", secret, 0o640)
	cases := []struct{ name, variable, file, want, hint string }{
		{"variable", "GOOD", "", "", ""},
		{"file", "", file("good", secret+"\n", 0o600), "", ""},
		{"none", "", "", "", ""},
		{"unset variable", "sk-put-in-the-wrong-place", "", "is not set or empty", ""},
		{"two words", "BAD", "", "characters that no key has", ""},
		{"wide file", "", wide, "can be read by others (mode 0640)", "chmod 600 " + wide},
		{"empty file", "", file("empty", "\n", 0o600), "is not set or empty", ""},
		{"folder", "", dir, "cannot be read", ""},
		{"missing file", "", filepath.Join(dir, "none"), "cannot be read", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			key, err := ReadKey(env, c.variable, c.file)
			if c.want == "" {
				if err != nil || key.none() != (c.name == "none") || !key.none() && key.bearer() != "Bearer "+secret {
					t.Errorf("got %v", err)
				}
				return
			}
			f := fault.Of(err)
			if f == nil || f.Code != fault.InvalidConfig || !strings.Contains(f.Message, c.want) || c.hint != "" && f.Hint != c.hint {
				t.Fatalf("got %+v, want %q", f, c.want)
			}
			if spells(err) || strings.Contains(err.Error(), "sk-put") {
				t.Errorf("the key stands in %v", err)
			}
		})
	}
}

func TestOnlyTheConfiguredAddressIsContacted(t *testing.T) {
	elsewhere := modeltest.Start(t)
	t.Setenv("HTTP_PROXY", elsewhere.URL())
	t.Setenv("http_proxy", elsewhere.URL())
	t.Setenv("ALL_PROXY", elsewhere.URL())
	s := modeltest.Start(t)
	m, _ := desk(t, s)
	s.Answer(func(modeltest.Request) modeltest.Reply {
		return modeltest.Reply{Status: http.StatusTemporaryRedirect, Header: http.Header{"Location": {elsewhere.URL() + "/chat/completions"}}}
	})
	err := decide(m, t.Context())
	if fault.CodeOf(err) != fault.DeciderInvalidConfig || !strings.Contains(err.Error(), "elsewhere") {
		t.Errorf("got %v, want a refusal to follow", err)
	}
	if wire := elsewhere.Wire(); len(wire) > 0 {
		t.Errorf("another address was contacted:\n%s", wire)
	}
	if newTransport().Proxy != nil {
		t.Error("a proxy of the environment would be used")
	}
}

func TestRolesShareAClientAndHaveNames(t *testing.T) {
	s := modeltest.Start(t)
	here, there := Settings{BaseURL: s.URL(), Model: "a"}, Settings{BaseURL: s.URL(), Model: "b"}
	m, err := Open(Roles{Planner: &here, Rescuer: &here, Decider: &there}, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if len(m.clients) != 2 || m.Shaper != nil {
		t.Errorf("%d clients, shaper %v; want 2 and none", len(m.clients), m.Shaper)
	}
	host := strings.TrimSuffix(strings.TrimPrefix(s.URL(), "http://"), "/v1")
	if n := m.Planner.Name(); n.Provider != host || n.Model != "a" || m.Decider.Name() != "b" {
		t.Errorf("names %v and %q", n, m.Decider.Name())
	}
}

func TestAddressesThatAreNone(t *testing.T) {
	for _, base := range []string{"", "127.0.0.1:8080", "ftp://h/v1", "http://user:" + secret + "@h/v1", "http://h/v1?key=" + secret, "http://h/v1#x", "http://"} {
		_, err := newClient(Settings{BaseURL: base, Model: "m"}, nil)
		if fault.CodeOf(err) != fault.InvalidConfig || spells(err) {
			t.Errorf("%q: got %v, want INVALID_CONFIG", base, err)
		}
	}
}
