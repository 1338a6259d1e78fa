package remote

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/surfaces/fault"
)

const (
	// readPatience bounds how long a request may take to arrive.
	readPatience = 30 * time.Second
	// callPatience bounds one call and its reply; the longest is AwaitTask with
	// its 60 s (tasks.md 2.4).
	callPatience = 2 * time.Minute
	// closePatience is how long Close lets calls under way finish.
	closePatience = time.Second
)

// Server serves one desk on one listener, until Close.
type Server struct {
	desk  controller.Desk
	hello Hello
	calls map[string]call
	http  *http.Server
	done  chan struct{} // closed when serving has ended

	closing context.Context // ends with Close; streams and waits end with it
	end     context.CancelFunc
}

// Serve answers on l, which it closes in the end, with what the desk answers.
// Program is the version of the program, for the person. The desk must outlive
// the server.
func Serve(l net.Listener, desk controller.Desk, program string) *Server {
	s := &Server{desk: desk, done: make(chan struct{})}
	s.hello = Hello{Versions: []string{version}, PID: os.Getpid(), Version: program}
	s.calls = s.operations()
	s.closing, s.end = context.WithCancel(context.Background()) //nolint:gosec // Close ends it
	s.http = &http.Server{
		Handler: s, ReadHeaderTimeout: readPatience, ReadTimeout: readPatience, WriteTimeout: callPatience,
		IdleTimeout: 2 * idlePatience, MaxHeaderBytes: 16 << 10,
		ErrorLog: log.New(io.Discard, "", 0), // it would quote what arrived
	}
	go func() { // ends with Close
		defer close(s.done)
		if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.Printf("the local socket is served no more: %v", err)
		}
	}()
	return s
}

// Close tells every watcher that the desk closes, lets calls under way finish
// for a moment, and removes the socket. Idempotent.
func (s *Server) Close() error {
	s.end()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.closing), closePatience)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = s.http.Close()
	}
	<-s.done
	return err
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if v := recover(); v != nil {
			// What panicked may hold a value: only its kind and place are kept.
			log.Printf("%.40q panicked with a %T\n%s", r.URL.Path, v, debug.Stack())
			reply(w, http.StatusInternalServerError, failure(fault.New(fault.Internal, "the desk met a bug of its own")))
		}
	}()
	if r.URL.Path == "/" {
		reply(w, http.StatusOK, success(s.hello))
		return
	}
	spoken, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	run, known := s.calls[name]
	switch {
	case spoken != version:
		reply(w, http.StatusNotFound, failure(s.foreign("this desk speaks "+version+" and not %.20q", spoken)))
	case name == opWatch && r.Method == http.MethodPost:
		s.watch(w, r)
	case !known && name != opWatch:
		reply(w, http.StatusNotFound, failure(s.foreign("this desk has no operation %.40q", name)))
	case r.Method != http.MethodPost:
		reply(w, http.StatusMethodNotAllowed, failure(fault.Newf(fault.InvalidRequest, "%s is called with POST", name)))
	default:
		s.answer(w, r, run)
	}
}

// foreign is the error of a caller that speaks another version.
func (s *Server) foreign(format string, word string) *fault.Error {
	return fault.Newf(fault.InvalidRequest, format, word).
		WithHint("Use the version of countersign that the desk was started with, " + s.hello.Version + ".")
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, run call) {
	raw, err := body(w, r)
	if err != nil {
		reply(w, http.StatusBadRequest, failure(err))
		return
	}
	ctx, cancel := s.untilClosing(r.Context(), run.waits)
	defer cancel()
	data, err := run.do(ctx, raw)
	if err != nil && s.closing.Err() != nil && errors.Is(err, context.Canceled) {
		err = s.gone()
	}
	if err != nil {
		reply(w, http.StatusBadRequest, failure(err))
		return
	}
	reply(w, http.StatusOK, success(data))
}

// untilClosing ends a call that only waits when the server closes.
func (s *Server) untilClosing(ctx context.Context, waits bool) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if !waits {
		return ctx, cancel
	}
	stop := context.AfterFunc(s.closing, cancel)
	return ctx, func() { stop(); cancel() }
}

func (s *Server) gone() *fault.Error { return gone(s.hello.PID, nil) }

// body reads a request. Once it is read the connection has no deadline to read
// by: one that passed during a long call would end it (net/http keeps reading,
// to notice a caller that left).
func body(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, task.MaxRequestBytes))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return nil, fault.Newf(fault.InvalidRequest, "the request is larger than %d MiB", task.MaxRequestBytes>>20)
	}
	if err != nil {
		return nil, fault.Wrap(fault.InvalidRequest, err, "the request ends too early")
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // a dead connection shows when it is written to
	return raw, nil
}

// reply writes one envelope. A caller that has left hears nothing.
func reply(w http.ResponseWriter, status int, value any) {
	b, err := json.Marshal(value)
	if err != nil {
		status = http.StatusInternalServerError
		b, _ = json.Marshal(failure(fault.New(fault.Internal, "the reply cannot be written as JSON"))) // it can
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(b, '\n'))
}
