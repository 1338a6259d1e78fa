package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"mime"
	"net/http"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"countersign/flows/decider"
	"countersign/surfaces/fault"
)

const (
	// largestText is the longest answer taken. The longest useful one is a
	// shaped result of 60,000 characters of records (tasks.md 9.5).
	largestText = 1 << 20
	// largestReply bounds what is read for it: a stream wraps every token of
	// about 4 bytes in an object, of about 1 KB when it names likely others.
	largestReply = 32 << 20
)

var errTooLarge = errors.New("the reply is too large")

// answer is what a model said.
type answer struct {
	text   strings.Builder
	tokens []decider.Token
	finish string // why it stopped; empty: it did not say
}

// bounded fails once more than left bytes were read.
type bounded struct {
	io.ReadCloser
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

// read takes the answer from a reply, streamed or, from servers that do not
// stream, whole.
func (c *client) read(ctx context.Context, resp *http.Response) (*answer, *failure) {
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if media == "text/html" {
		_ = resp.Body.Close()
		return nil, fail(fault.DeciderInvalidConfig, "at %s there is a web page and no model", c.host).
			hint("Check base_url, which most often ends in /v1.")
	}
	read := c.readStream
	if media == "application/json" {
		read = c.readWhole
	}
	got, f := read(ctx, resp)
	if f != nil {
		return nil, f
	}
	return got, c.complete(got)
}

// complete refuses an answer that was broken off.
func (c *client) complete(a *answer) *failure {
	switch {
	case a.finish == "length":
		return fail(fault.DeciderInvalidResponse, "%s was cut off at the length the server allows", c).
			hint("Raise the server's limits of context and output, or use another model.")
	case a.finish == "content_filter":
		return fail(fault.DeciderInvalidResponse, "the server's filter stopped the answer of %s", c).
			hint("Word the task differently, or use another model.")
	case strings.TrimSpace(a.text.String()) == "":
		return fail(fault.DeciderInvalidResponse, "%s answered nothing", c)
	}
	return nil
}

func (c *client) readStream(ctx context.Context, resp *http.Response) (*answer, *failure) {
	stream := ssestream.NewDecoder(resp)
	defer func() { _ = stream.Close() }() // what matters was read
	got, ended := &answer{}, false
	for !ended && stream.Next() {
		data := bytes.TrimSpace(stream.Event().Data)
		if ended = bytes.Equal(data, []byte("[DONE]")); ended {
			break
		}
		if f := c.streamed(data, got); f != nil {
			return nil, f
		}
	}
	if err := stream.Err(); err != nil {
		return nil, c.unreadable(ctx, err)
	}
	if !ended && got.finish == "" {
		return nil, c.dropped(io.ErrUnexpectedEOF)
	}
	return got, nil
}

// streamed adds one event of a stream to the answer.
func (c *client) streamed(data []byte, got *answer) *failure {
	var chunk openai.ChatCompletionChunk
	var wrong struct {
		Error json.RawMessage `json:"error"`
	}
	err := json.Unmarshal(data, &wrong)
	if err == nil && len(wrong.Error) > 0 && string(wrong.Error) != "null" {
		return c.failedInside(data)
	}
	if err == nil {
		err = json.Unmarshal(data, &chunk)
	}
	if err != nil {
		return c.garbled(err)
	}
	for _, choice := range chunk.Choices {
		got.add(choice.Delta.Content, choice.Logprobs.Content, choice.FinishReason)
	}
	if got.text.Len() > largestText {
		return c.tooLarge()
	}
	return nil
}

// failedInside judges an error that came where an answer should: the status was
// sent before it happened.
func (c *client) failedInside(data []byte) *failure {
	s := parseSaid(data)
	if s.spendingCap() {
		return c.judge(http.StatusPaymentRequired, s)
	}
	f := fail(fault.DeciderProviderFailed, "the model server %s broke off: %s", c.host, c.quote(s.Message)).passes()
	f.said = s
	return f
}

func (c *client) readWhole(ctx context.Context, resp *http.Response) (*answer, *failure) {
	defer func() { _ = resp.Body.Close() }() // it was read to its end
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, c.unreadable(ctx, err)
	}
	var whole openai.ChatCompletion
	if err := json.Unmarshal(raw, &whole); err != nil {
		return nil, c.garbled(err)
	}
	if len(whole.Choices) == 0 {
		return nil, c.failedInside(raw)
	}
	got, choice := &answer{}, whole.Choices[0]
	got.add(choice.Message.Content, choice.Logprobs.Content, choice.FinishReason)
	if got.text.Len() > largestText {
		return nil, c.tooLarge()
	}
	return got, nil
}

func (c *client) unreadable(ctx context.Context, err error) *failure {
	if errors.Is(err, errTooLarge) {
		return c.tooLarge()
	}
	return c.broken(ctx, err)
}

func (c *client) tooLarge() *failure {
	return fail(fault.DeciderInvalidResponse, "%s answered with more than %d MB and was stopped", c, largestText>>20).because(errTooLarge)
}

func (c *client) garbled(err error) *failure {
	return fail(fault.DeciderInvalidResponse, "the reply of the model server %s cannot be read", c.host).because(c.harmless(err)).
		hint("Check that base_url is an OpenAI-compatible address.")
}

func (a *answer) add(text string, probabilities []openai.ChatCompletionTokenLogprob, finish string) {
	a.text.WriteString(text)
	if finish != "" {
		a.finish = finish
	}
	for _, p := range probabilities {
		t := decider.Token{Text: p.Token, Probability: probability(p.Logprob), Instead: map[string]float64{}}
		for _, other := range p.TopLogprobs {
			t.Instead[other.Token] = probability(other.Logprob)
		}
		a.tokens = append(a.tokens, t)
	}
}

func probability(logarithm float64) float64 { return math.Min(1, math.Exp(logarithm)) }
