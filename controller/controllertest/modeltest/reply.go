package modeltest

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"unicode/utf8"
)

// Reply is what the server does with one request. The zero Reply is an empty
// answer.
type Reply struct {
	Text   string  // the model's words
	Tokens []Token // with Text empty: its words, with their probabilities
	Finish string  // why it stopped; empty: "stop"

	Status int         // 0: 200
	Header http.Header // set beside the server's own
	Body   string      // sent as it is, in place of an answer

	Hold <-chan struct{} // waits for it, or for the client to leave, before it says anything
	Cut  bool            // drops the connection in the middle of the words
}

// Token is one token with its probability and the likeliest others.
type Token struct {
	Text        string
	Probability float64
	Instead     map[string]float64
}

// Text answers with these words.
func Text(words string) Reply { return Reply{Text: words} }

// Fail answers with a status and the error object services share.
func Fail(status int, code, message string) Reply {
	return Reply{Status: status, Body: encode(map[string]any{"error": map[string]any{
		"message": message, "type": "error", "code": code, "param": nil,
	}})}
}

// Refuse rejects a field of the request.
func Refuse(field string) Reply {
	return Fail(http.StatusBadRequest, "unsupported_parameter", "Unsupported parameter: '"+field+"' is not supported with this model.")
}

// Limited is a limit on the rate; after is the Retry-After header, empty for
// none.
func Limited(after string) Reply {
	r := Fail(http.StatusTooManyRequests, "rate_limit_exceeded", "Rate limit reached for requests.")
	if after != "" {
		r.Header = http.Header{"Retry-After": {after}}
	}
	return r
}

// SpendingCap is a limit that time does not lift.
func SpendingCap() Reply {
	return Fail(http.StatusTooManyRequests, "insufficient_quota", "You exceeded your current quota, please check your plan.")
}

// Dropped ends the connection in the middle of the words.
func Dropped(words string) Reply { return Reply{Text: words, Cut: true} }

// Broken is a reply that is not the JSON it should be.
func Broken() Reply { return Reply{Body: "data: {\"choices\":[{\"delta\":{\"content\n\n"} }

// Huge answers with n bytes.
func Huge(n int) Reply { return Text(strings.Repeat("x", n)) }

func (r Reply) write(w http.ResponseWriter, from *http.Request, req Request) {
	if r.Hold != nil {
		select {
		case <-r.Hold:
		case <-from.Context().Done():
			return
		}
	}
	for name, values := range r.Header {
		w.Header()[name] = values
	}
	media := "application/json"
	if req.Stream && r.Status == 0 {
		media = "text/event-stream"
	}
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", media)
	}
	if r.Status != 0 {
		w.WriteHeader(r.Status)
	}
	switch {
	case r.Body != "":
		send(w, r.Body)
	case req.Stream:
		r.stream(w, req)
	default:
		send(w, r.whole(req))
	}
	if r.Cut {
		panic(http.ErrAbortHandler) // net/http's way to drop a connection
	}
}

// send writes and flushes; a client that left shows in its own test.
func send(w http.ResponseWriter, text string) {
	_, _ = w.Write([]byte(text))
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

// stream sends a token at a time; a cut one stops half-way.
func (r Reply) stream(w http.ResponseWriter, req Request) {
	tokens := r.tokens()
	if r.Cut {
		tokens = tokens[:len(tokens)/2]
	}
	for _, t := range tokens {
		choice := map[string]any{"index": 0, "delta": map[string]any{"content": t.Text}, "finish_reason": nil}
		if req.has("logprobs") && len(r.Tokens) > 0 {
			choice["logprobs"] = map[string]any{"content": []any{t.logprob()}}
		}
		send(w, "data: "+encode(map[string]any{"object": "chat.completion.chunk", "model": req.Model, "choices": []any{choice}})+"\n\n")
	}
	if r.Cut {
		return
	}
	last := map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": r.finish()}
	send(w, "data: "+encode(map[string]any{"object": "chat.completion.chunk", "model": req.Model, "choices": []any{last}})+"\n\n")
	send(w, "data: [DONE]\n\n")
}

func (r Reply) whole(req Request) string {
	var words strings.Builder
	var probabilities []any
	for _, t := range r.tokens() {
		words.WriteString(t.Text)
		probabilities = append(probabilities, t.logprob())
	}
	choice := map[string]any{
		"index": 0, "finish_reason": r.finish(),
		"message": map[string]any{"role": "assistant", "content": words.String()},
	}
	if req.has("logprobs") && len(r.Tokens) > 0 {
		choice["logprobs"] = map[string]any{"content": probabilities}
	}
	text := encode(map[string]any{"object": "chat.completion", "model": req.Model, "choices": []any{choice}})
	if r.Cut {
		return text[:len(text)/2]
	}
	return text
}

func (r Reply) finish() string {
	if r.Finish == "" {
		return "stop"
	}
	return r.Finish
}

// tokens are the reply's, or its text in pieces, the first ones small.
func (r Reply) tokens() []Token {
	if len(r.Tokens) > 0 {
		return r.Tokens
	}
	var out []Token
	rest := r.Text
	for size := 4; rest != ""; size *= 2 {
		end := min(size, len(rest))
		for end < len(rest) && !utf8.RuneStart(rest[end]) {
			end++
		}
		out = append(out, Token{Text: rest[:end], Probability: 1})
		rest = rest[end:]
	}
	return out
}

func (t Token) logprob() map[string]any {
	top := []any{}
	for text, p := range t.Instead {
		top = append(top, map[string]any{"token": text, "logprob": math.Log(p), "bytes": nil})
	}
	return map[string]any{"token": t.Text, "logprob": math.Log(t.Probability), "bytes": nil, "top_logprobs": top}
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("modeltest: %v", err)) // only our own maps are encoded
	}
	return string(b)
}
