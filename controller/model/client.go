package model

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"countersign/controller/task"
	"countersign/surfaces/fault"
)

const (
	dialPatience = 10 * time.Second
	// conversations is how many requests keep a connection to one server: nine
	// framings of a vote, each of which may have a copy on its way.
	conversations = 18
)

// Settings say which model serves a role and where its key is found.
type Settings struct {
	BaseURL    string // of the API, most often ending in /v1
	Model      string // as the server calls it
	APIKeyEnv  string // environment variable that holds the key; empty: see APIKeyFile
	APIKeyFile string // file that holds the key; empty: the server wants none
}

// client speaks to one model of one server. Safe for concurrent use.
type client struct {
	model string
	host  string // of the base address, as people are told it
	key   Key
	plain bool // the connection is not encrypted and leaves this machine

	completions openai.ChatCompletionService
	transport   *http.Transport
	refused     refused
	wait        func(context.Context, time.Duration) error // between tries
}

// newClient reads the key and contacts nobody. Its errors are INVALID_CONFIG.
func newClient(s Settings, env func(string) string) (*client, error) {
	base, err := url.Parse(s.BaseURL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" ||
		base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, fault.New(fault.InvalidConfig, "base_url is no address of a model server").
			WithHint("Give it as http://127.0.0.1:8080/v1, without user, password, query or fragment.")
	}
	key, err := ReadKey(env, s.APIKeyEnv, s.APIKeyFile)
	if err != nil {
		return nil, err
	}
	c := &client{
		model: s.Model, host: base.Host, key: key, plain: base.Scheme == "http" && !loopback(base.Hostname()),
		transport: newTransport(), wait: sleep,
	}
	c.completions = openai.NewChatCompletionService(
		option.WithBaseURL(strings.TrimSuffix(s.BaseURL, "/")+"/"),
		option.WithMaxRetries(0), // the roles have their own rules
		option.WithMiddleware(c.guard),
		option.WithHTTPClient(&http.Client{
			Transport: c.transport,
			CheckRedirect: func(*http.Request, []*http.Request) error {
				return http.ErrUseLastResponse // the configured address alone is contacted
			},
		}),
	)
	return c, nil
}

// newTransport uses no proxy: the texts of a task go where the configuration
// says and nowhere else.
func newTransport() *http.Transport {
	return &http.Transport{
		DialContext:            (&net.Dialer{Timeout: dialPatience}).DialContext,
		TLSHandshakeTimeout:    dialPatience,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    conversations,
		IdleConnTimeout:        90 * time.Second, // the default transport's
		MaxResponseHeaderBytes: 64 << 10,
	}
}

// name is what Describe and the journal show.
func (c *client) name() task.Model { return task.Model{Provider: c.host, Model: c.model} }

// guard stands between the library and the wire: it sets the headers, bounds
// what comes back, and makes every refusal ours before the library keeps the
// request with the key in it.
func (c *client) guard(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	for name := range req.Header {
		if strings.HasPrefix(name, "X-Stainless-") {
			req.Header.Del(name) // the library's report about this machine
		}
	}
	req.Header.Set("User-Agent", "countersign")
	req.Header.Set("Accept", "text/event-stream, application/json")
	if !c.key.none() {
		req.Header.Set("Authorization", c.key.bearer())
	}
	resp, err := next(req)
	if err != nil {
		return nil, err
	}
	resp.Body = &bounded{ReadCloser: resp.Body, left: largestReply}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer func() { _ = resp.Body.Close() }() // its text was read or is not needed
	return nil, c.refusal(resp)
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// String names the model without anything else the client holds.
func (c *client) String() string { return fmt.Sprintf("%s at %s", c.model, c.host) }
