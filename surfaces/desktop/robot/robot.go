// Package robot is the process that owns robotgo and the connection to the X
// display: an X error, or a display that goes away, ends the process that holds
// it, and that must never be the desk. It speaks lines of JSON over its
// standard streams, one reply per request, and ends with its input. No other
// package may import robotgo.
package robot

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"countersign/surfaces/fault"
)

// Subcommand is the hidden command of the same binary that runs Serve.
const Subcommand = "robot"

const (
	maxLine   = 1 << 20         // one request or reply, in bytes
	endWithin = 2 * time.Second // from the end of its input, or the kill, to the end of the process
)

// Display is what the process can drive.
type Display struct {
	Found  bool   `json:"found"`
	Name   string `json:"name,omitempty"`   // as DISPLAY names it
	Width  int    `json:"width,omitempty"`  // pixels
	Height int    `json:"height,omitempty"` // pixels
	Reason string `json:"reason,omitempty"` // why there is none, in plain words
}

type request struct {
	Op string `json:"op"`
}

type reply struct {
	OK      bool       `json:"ok"`
	Display *Display   `json:"display,omitempty"`
	Code    fault.Code `json:"code,omitempty"`
	Message string     `json:"message,omitempty"`
}

// Serve answers requests until the input ends. It is the whole process: the
// error is of its streams, and a failure to do what was asked is a reply.
func Serve(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	write := json.NewEncoder(out)
	for lines.Scan() {
		if err := write.Encode(answer(lines.Bytes())); err != nil {
			return fault.Wrap(fault.Internal, err, "the desktop process cannot answer")
		}
	}
	if err := lines.Err(); err != nil {
		return fault.Wrap(fault.Internal, err, "the desktop process cannot read what it is asked")
	}
	return nil
}

func answer(line []byte) reply {
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		return reply{Code: fault.InvalidArgs, Message: "this line is no request"}
	}
	if r.Op != "probe" {
		return reply{Code: fault.InvalidArgs, Message: fmt.Sprintf("no operation %q", r.Op)}
	}
	d := look()
	return reply{OK: true, Display: &d}
}

// Probe starts executable, which must run Serve under Subcommand, asks what it
// can drive and ends it. A display that cannot be had is no error.
// PLATFORM_NOT_SUPPORTED: the process ended without an answer. TIMEOUT: ctx
// ended first.
func Probe(ctx context.Context, executable string) (Display, error) {
	cmd := exec.CommandContext(ctx, executable, Subcommand)
	cmd.WaitDelay = endWithin
	cmd.Stdin = strings.NewReader(`{"op":"probe"}` + "\n")
	var out, said limited
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if ctx.Err() != nil {
		return Display{}, fault.Wrap(fault.Timeout, ctx.Err(), "the desktop process did not answer in time")
	}
	var r reply
	if decoded := json.Unmarshal(out.Bytes(), &r); decoded != nil {
		cause := errors.Join(err, decoded, errors.New(strings.TrimSpace(said.String())))
		return Display{}, fault.Wrap(fault.PlatformNotSupported, cause, "the desktop process ended without an answer")
	}
	if !r.OK || r.Display == nil {
		return Display{}, fault.New(fault.Internal, "the desktop process refused to look: "+r.Message)
	}
	return *r.Display, nil
}

// limited keeps the first maxLine bytes of what a process says.
type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	l.Buffer.Write(p[:min(len(p), maxLine-l.Len())])
	return len(p), nil
}
