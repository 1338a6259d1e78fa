package demosite

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"countersign/surfaces/fault"
)

// DefaultDelay is how long a page takes to answer when Options.Delay is zero:
// about what a near server of a real site takes.
const DefaultDelay = 100 * time.Millisecond

const (
	portTries       = 200 // ports looked at from Options.Listen upwards
	closeTimeout    = 2 * time.Second
	readHeaderLimit = 10 * time.Second
)

// Options say where the sites listen and how fast they answer.
type Options struct {
	// Listen is a loopback address with a port: the sites take that port and
	// the free ones above it. Empty, or with port 0: any free ports.
	Listen string
	// Delay is waited before each page answers; zero is DefaultDelay, negative
	// is none.
	Delay time.Duration
	// Hostile adds the site "hostile", whose pages misbehave on purpose.
	Hostile bool
}

// Sites are the running sites. Safe for concurrent use.
type Sites struct {
	addresses map[string]string
	tally     *tally
	servers   []*http.Server
	cancel    context.CancelFunc
	serving   sync.WaitGroup
}

// Start serves the sites until Close. Requests still open end with ctx.
// INVALID_USAGE: the address to listen on cannot be used.
func Start(ctx context.Context, o Options) (*Sites, error) {
	builders := siteBuilders(o.Hostile)
	listeners, err := listen(o.Listen, len(builders))
	if err != nil {
		return nil, err
	}
	s := &Sites{addresses: map[string]string{}, tally: &tally{}}
	for i, b := range builders {
		s.addresses[b.name] = "http://" + listeners[i].Addr().String()
	}
	ctx, s.cancel = context.WithCancel(ctx)
	for i, b := range builders {
		server := &http.Server{
			Handler:           s.handler(b, o.Delay),
			BaseContext:       func(net.Listener) context.Context { return ctx },
			ReadHeaderTimeout: readHeaderLimit,
		}
		s.servers = append(s.servers, server)
		l := listeners[i]
		s.serving.Go(func() { _ = server.Serve(l) }) // ended by Close, which waits for it
	}
	return s, nil
}

// Addresses gives each site's address by name: shop, rail, mail, library, bank,
// seats, and hostile where asked for. The map is the caller's own.
func (s *Sites) Addresses() map[string]string { return maps.Clone(s.addresses) }

// CountsAddress is where the counts can be read as JSON.
func (s *Sites) CountsAddress() string { return s.addresses["shop"] + "/_counts" }

// Counts is what was done to the sites so far.
func (s *Sites) Counts() Counts { return s.tally.read() }

// Close ends every open request, stops serving and waits until it has.
func (s *Sites) Close() error {
	s.cancel()
	ctx, done := context.WithTimeout(context.Background(), closeTimeout)
	defer done()
	var all error
	for _, server := range s.servers {
		if err := server.Shutdown(ctx); err != nil {
			all = errors.Join(all, err, server.Close())
		}
	}
	s.serving.Wait()
	return all
}

func (s *Sites) handler(b builder, delay time.Duration) http.Handler {
	mux := http.NewServeMux()
	b.routes(&site{name: b.name, pages: parsePages(b.name), tally: s.tally, addresses: s.addresses}, mux)
	root := http.NewServeMux()
	root.Handle("/", delayed(delay, mux))
	root.Handle("GET /static/", static())
	root.Handle("GET /_counts", s.tally)
	return root
}

// delayed lets a page answer after a while, as one from a real server does.
func delayed(delay time.Duration, next http.Handler) http.Handler {
	if delay == 0 {
		delay = DefaultDelay
	}
	if delay < 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t := time.NewTimer(delay)
		defer t.Stop()
		select {
		case <-t.C:
			next.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	})
}

// listen opens n loopback ports, from the given one upwards or any free ones.
func listen(address string, n int) ([]net.Listener, error) {
	host, port, err := splitLoopback(address)
	if err != nil {
		return nil, err
	}
	var open []net.Listener
	for try := 0; len(open) < n; try++ {
		l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
		if err == nil {
			open = append(open, l)
		}
		if err != nil && (port == 0 || try >= portTries || port >= 65535) {
			for _, l := range open {
				_ = l.Close()
			}
			return nil, fault.Wrap(fault.InvalidUsage, err, "the demo sites cannot listen on "+host).
				WithHint("Give a free port of this machine, such as --listen 127.0.0.1:8100.")
		}
		if port != 0 {
			port++
		}
	}
	return open, nil
}

func splitLoopback(address string) (host string, port int, err error) {
	if address == "" {
		return "127.0.0.1", 0, nil
	}
	bad := fault.Newf(fault.InvalidUsage, "%q is no loopback address with a port", address).
		WithHint("Write it as 127.0.0.1:8100; the demo sites serve this machine only.")
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, bad
	}
	ip := net.ParseIP(host)
	port, err = strconv.Atoi(text)
	if ip == nil || !ip.IsLoopback() || err != nil || port < 0 || port > 65535 {
		return "", 0, bad
	}
	return host, port, nil
}
