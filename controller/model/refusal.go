package model

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"countersign/surfaces/fault"
)

const (
	largestRefusal = 64 << 10 // of a refusal's text this much is read
	quotedRunes    = 200      // and this much told
)

// failure is why there is no answer. The fault's message is one sentence with
// neither the key nor raw text of a library in it.
type failure struct {
	fault   *fault.Error
	passing bool          // the same request may succeed a little later
	after   time.Duration // the server asked to be left alone for so long
	said    said
	status  int // of the reply; 0: there was none
}

// said is the error object of a refusal, as the services share it.
type said struct {
	Message string `json:"message"`
	Type    string `json:"type"`
	Code    any    `json:"code"` // a word, or the status as a number
	Param   string `json:"param"`
}

func fail(code fault.Code, format string, args ...any) *failure {
	return &failure{fault: fault.Newf(code, format, args...)}
}

// Error implements error, for the way through the library.
func (f *failure) Error() string { return f.fault.Message }

func (f *failure) because(err error) *failure {
	f.fault.Cause = err
	return f
}

func (f *failure) hint(hint string) *failure {
	f.fault.Hint = hint
	return f
}

func (f *failure) passes() *failure {
	f.passing = true
	return f
}

// refusal turns a reply that is no answer into a failure.
func (c *client) refusal(resp *http.Response) *failure {
	raw, err := io.ReadAll(io.LimitReader(resp.Body, largestRefusal))
	if err != nil {
		return c.dropped(err) // the refusal itself never arrived
	}
	s := parseSaid(raw)
	f := c.judge(resp.StatusCode, s)
	f.status, f.said = resp.StatusCode, s
	f.after = retryAfter(resp.Header.Get("Retry-After"))
	f.fault.Cause = fmt.Errorf("status %d: %s", resp.StatusCode, c.quote(s.Message))
	return f
}

// judge says what a status means and whether it passes (tasks.md 9.1).
func (c *client) judge(status int, s said) *failure {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		if c.key.none() {
			return fail(fault.DeciderAuthentication, "the model server %s asks for a key and none is configured", c.host).
				hint("Name the key's variable in api_key_env, or its file in api_key_file.")
		}
		return fail(fault.DeciderAuthentication, "the model server %s refused the key", c.host)
	case status == http.StatusPaymentRequired || s.spendingCap():
		return fail(fault.DeciderRateLimited, "the spending cap of the key at %s is reached", c.host).
			hint("Raise the limit at the provider, or use another model.")
	case status == http.StatusTooManyRequests:
		return fail(fault.DeciderRateLimited, "the model server %s limits the rate", c.host).passes()
	case status == http.StatusRequestTimeout || status >= 500:
		return fail(fault.DeciderProviderFailed, "the model server %s failed (%d)", c.host, status).passes()
	case status >= 300 && status < 400:
		return fail(fault.DeciderInvalidConfig, "the model server %s sends the request elsewhere, where it is not followed", c.host).
			hint("Give the address it moved to as base_url.")
	case status == http.StatusNotFound:
		return fail(fault.DeciderInvalidConfig, "the model server %s does not know the address or the model %q", c.host, c.model).
			hint("Check base_url, which most often ends in /v1, and model.")
	}
	return fail(fault.DeciderProviderFailed, "the model server %s rejected the request: %s", c.host, c.quote(s.Message)).
		hint("Correct what it names, or use another model.")
}

// spendingCap tells a cap on money, which time does not lift, from a limit on
// the rate.
func (s said) spendingCap() bool {
	code, _ := s.Code.(string)
	for _, word := range []string{code, s.Type} {
		if strings.Contains(word, "insufficient_quota") || strings.Contains(word, "billing") {
			return true
		}
	}
	return false
}

// parseSaid reads {"error":{…}}, {"error":"…"} and what validation of FastAPI
// servers sends; of anything else the text is the message.
func parseSaid(raw []byte) said {
	var body struct {
		Error  json.RawMessage `json:"error"`
		Detail json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(raw, &body) != nil {
		return said{Message: string(raw)}
	}
	for _, part := range []json.RawMessage{body.Error, body.Detail} {
		var s said
		if json.Unmarshal(part, &s) == nil && s.Message != "" {
			return s
		}
		if json.Unmarshal(part, &s.Message) == nil && s.Message != "" {
			return s
		}
		if len(part) > 0 {
			return said{Message: string(part)}
		}
	}
	return said{Message: string(raw)}
}

// quote makes the server's words fit for one line: masked, then printable, then
// cut, in that order, so that a cut cannot leave a part of the key.
func (c *client) quote(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, c.key.mask(s))
	words := []rune(strings.Join(strings.Fields(s), " "))
	if len(words) > quotedRunes {
		return string(words[:quotedRunes]) + "…"
	}
	if len(words) == 0 {
		return "it did not say why"
	}
	return string(words)
}

// retryAfter reads the header's seconds or date (RFC 9110, 10.2.3).
func retryAfter(header string) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil && seconds > 0 {
		return time.Duration(min(seconds, 24*60*60)) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// broken judges an error that the connection or the library gave.
func (c *client) broken(ctx context.Context, err error) *failure {
	if f := (*failure)(nil); errors.As(err, &f) {
		return f
	}
	if ctx.Err() != nil {
		return fail(fault.DeciderTimeout, "the model server %s did not answer in time", c.host).because(ctx.Err())
	}
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &certificate) {
		return fail(fault.DeciderProviderFailed, "the certificate of the model server %s cannot be trusted", c.host).because(c.harmless(err)).
			hint("Check base_url, and the certificates of this machine.")
	}
	var name *net.DNSError
	if errors.As(err, &name) && name.IsNotFound {
		return fail(fault.DeciderProviderFailed, "the model server %s is not known by name", c.host).because(c.harmless(err)).
			hint("Check base_url and the network.")
	}
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "dial" {
		return fail(fault.DeciderProviderFailed, "the model server %s cannot be reached", c.host).because(c.harmless(err)).passes().
			hint("Start the server, or check base_url.")
	}
	return c.dropped(err)
}

func (c *client) dropped(err error) *failure {
	return fail(fault.DeciderProviderFailed, "the model server %s dropped the connection", c.host).because(c.harmless(err)).passes()
}

// harmless keeps a cause whose text does not spell the key: what a server sends
// in place of HTTP stands in the error that refuses it.
func (c *client) harmless(err error) error {
	if text := c.key.mask(err.Error()); text != err.Error() {
		return errors.New(text)
	}
	return err
}
