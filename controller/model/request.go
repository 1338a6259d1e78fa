package model

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"countersign/controller/chat"
	"countersign/surfaces/fault"
)

// likeliest is how many tokens are asked for at each place: as many as every
// server with log probabilities gives.
const likeliest = 5

// request is one question to the model.
type request struct {
	turns       []chat.Turn
	schema      json.RawMessage // nil: any JSON object
	temperature param.Opt[float64]
	limit       int64 // of output tokens; 0: the server's
	brief       bool  // little reasoning before the answer
	likely      bool  // with log probabilities
}

// part is a part of a request that some servers refuse; it carries the name
// under which it stands in the request.
type part string

const (
	schemaPart      part = "json_schema" // falls back to a JSON object
	formatPart      part = "response_format"
	likelyPart      part = "logprobs"
	effortPart      part = "reasoning_effort"
	limitPart       part = "max_completion_tokens" // falls back to max_tokens
	oldLimitPart    part = "max_tokens"
	temperaturePart part = "temperature"
	streamPart      part = "stream"
)

// signs are the words by which servers name a part they refuse.
func (p part) signs() []string {
	switch p {
	case schemaPart:
		return []string{"response_format", "schema", "grammar", "structured output"}
	case formatPart:
		return []string{"response_format", "json_object", "json mode"}
	case likelyPart:
		return []string{"logprob"}
	case effortPart:
		return []string{"reasoning", "thinking"}
	case streamPart:
		return []string{"'stream'", "to stream", "streaming is not", "not support stream"}
	case limitPart, oldLimitPart, temperaturePart:
	}
	return []string{string(p)}
}

// refused remembers what the server does not take, so that it is asked once.
type refused struct {
	mu    sync.Mutex // guards parts
	parts []part
}

func (r *refused) add(p part) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.parts, p) {
		r.parts = append(r.parts, p)
	}
}

func (r *refused) has(p part) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Contains(r.parts, p)
}

// once sends a request, again without a part each time the server refuses one,
// within patience (0: none but ctx's) for each sending.
func (c *client) once(ctx context.Context, r request, patience time.Duration) (*answer, *failure) {
	for {
		body, parts := c.build(r)
		got, f := c.send(ctx, body, slices.Contains(parts, streamPart), patience)
		if f == nil {
			return got, nil
		}
		p := f.names(parts)
		if p == "" {
			return nil, f
		}
		c.refused.add(p)
	}
}

// names finds the part of the request that a refusal is about; none when it is
// about something else.
func (f *failure) names(parts []part) part {
	switch f.status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError, http.StatusNotImplemented:
	default:
		return ""
	}
	for _, p := range parts {
		if f.said.Param == string(p) {
			return p
		}
	}
	text := strings.ToLower(f.said.Param + " " + f.said.Message)
	for _, p := range parts {
		if slices.ContainsFunc(p.signs(), func(s string) bool { return strings.Contains(text, s) }) {
			return p
		}
	}
	return ""
}

func (c *client) send(ctx context.Context, body openai.ChatCompletionNewParams, stream bool, patience time.Duration) (*answer, *failure) {
	attempt, cancel := ctx, context.CancelFunc(func() {})
	if patience > 0 {
		attempt, cancel = context.WithTimeout(ctx, patience)
	}
	defer cancel()
	var resp *http.Response
	_, err := c.completions.New(attempt, body, option.WithJSONSet("stream", stream), option.WithResponseBodyInto(&resp))
	if err != nil {
		return nil, c.late(ctx, c.broken(attempt, err))
	}
	got, f := c.read(attempt, resp)
	return got, c.late(ctx, f)
}

// late tells the end of an attempt's patience, after which another try may
// help, from the end of the caller's.
func (c *client) late(ctx context.Context, f *failure) *failure {
	if f != nil && f.fault.Code == fault.DeciderTimeout && ctx.Err() == nil {
		return f.passes()
	}
	return f
}

// build writes the request with what the server takes, and says which parts
// that some servers refuse are in it.
func (c *client) build(r request) (openai.ChatCompletionNewParams, []part) {
	var parts []part
	takes := func(p part) bool {
		if c.refused.has(p) {
			return false
		}
		parts = append(parts, p)
		return true
	}
	body := openai.ChatCompletionNewParams{Model: c.model, Messages: messages(r.turns)}
	switch {
	case r.schema != nil && takes(schemaPart):
		body.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: "answer", Strict: openai.Bool(true), Schema: r.schema},
		}
	case takes(formatPart):
		body.ResponseFormat.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	}
	if r.likely && takes(likelyPart) {
		body.Logprobs, body.TopLogprobs = openai.Bool(true), openai.Int(likeliest)
	}
	if r.brief && takes(effortPart) {
		body.ReasoningEffort = shared.ReasoningEffortLow
	}
	switch {
	case r.limit == 0:
	case takes(limitPart):
		body.MaxCompletionTokens = openai.Int(r.limit)
	case takes(oldLimitPart):
		body.MaxTokens = openai.Int(r.limit)
	}
	if r.temperature.Valid() && takes(temperaturePart) {
		body.Temperature = r.temperature
	}
	takes(streamPart)
	return body, parts
}

func messages(turns []chat.Turn) []openai.ChatCompletionMessageParamUnion {
	out := make([]openai.ChatCompletionMessageParamUnion, 0, len(turns))
	for _, t := range turns {
		switch t.Role {
		case chat.System:
			out = append(out, openai.SystemMessage(t.Text))
		case chat.User:
			out = append(out, openai.UserMessage(t.Text))
		case chat.Assistant:
			out = append(out, openai.AssistantMessage(t.Text))
		default:
			panic(fmt.Sprintf("a turn of no role: %q", t.Role))
		}
	}
	return out
}
