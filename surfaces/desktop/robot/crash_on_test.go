//go:build linux && !nodesktop

package robot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"countersign/surfaces/fault"
)

// patience bounds what must happen by itself; it is no measurement.
const patience = time.Minute

// until waits for what no event tells.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// processOn finds the process of this test on a display.
func processOn(t *testing.T, display string) int {
	t.Helper()
	found := 0
	until(t, "a process on "+display, func() bool {
		all, _ := filepath.Glob("/proc/[0-9]*")
		for _, dir := range all {
			line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
			env, _ := os.ReadFile(filepath.Join(dir, "environ"))
			stat, _ := os.ReadFile(filepath.Join(dir, "stat"))
			_, after, _ := bytes.Cut(stat, []byte(") "))
			fields := bytes.Fields(after)
			if bytes.HasSuffix(line, []byte("\x00"+Subcommand+"\x00")) && bytes.Contains(env, []byte("DISPLAY="+display+"\x00")) &&
				len(fields) > 1 && string(fields[1]) == strconv.Itoa(os.Getpid()) && fields[0][0] != 'Z' {
				found, _ = strconv.Atoi(filepath.Base(dir))
			}
		}
		return found != 0
	})
	return found
}

// person is another program on the display, with a clipboard of its own.
func person(t *testing.T, display string) *clipboard {
	t.Helper()
	xgb.Logger.SetOutput(io.Discard)
	x, err := openDisplay(display)
	if err != nil {
		t.Fatal(err)
	}
	c := newClipboard(x, nil)
	t.Cleanup(func() {
		x.Close()
		<-x.gone
	})
	return c
}

// copies puts a text on the clipboard.
func (c *clipboard) copies(t *testing.T, text string) {
	t.Helper()
	c.mu.Lock()
	c.text, c.holding = text, true
	c.mu.Unlock()
	if !c.own() {
		t.Fatal("the clipboard cannot be had")
	}
}

// down lists the keys that are pressed.
func (x *display) down(t *testing.T) []int {
	t.Helper()
	r, err := xproto.QueryKeymap(x.Conn).Reply()
	if err != nil {
		t.Fatal(err)
	}
	var codes []int
	for code := range 8 * len(r.Keys) {
		if r.Keys[code/8]&(1<<(code%8)) != 0 {
			codes = append(codes, code)
		}
	}
	return codes
}

// unheard is a paste into a program that does not take it.
func unheard(t *testing.T, display string) Request {
	t.Helper()
	return pasteInto(target(t, display, true))
}

// TestClipboardOutlivesTheProcess: what a person had copied can be pasted after
// the process has ended, until they copy something else.
func TestClipboardOutlivesTheProcess(t *testing.T) {
	c, display, _ := robotOn(t)
	p := person(t, display)
	p.copies(t, "a street and a number")
	request := unheard(t, display)
	for range 2 { // the second finds it with the holder of the first
		if r, err := c.Do(t.Context(), request); !r.Restored {
			t.Fatalf("answered %+v, %v", r, err)
		}
	}
	c.Close()
	if got := p.keep(); got.text != "a street and a number" {
		t.Errorf("the clipboard holds %+v", got)
	}
	p.copies(t, "something else")
	if got := person(t, display).keep(); got.text != "something else" {
		t.Errorf("the clipboard holds %+v", got)
	}
}

// TestKilledOverAPaste: the secret is gone from the clipboard with the process,
// and what it held before is back.
func TestKilledOverAPaste(t *testing.T) {
	c, display, _ := robotOn(t)
	p, other := person(t, display), person(t, display)
	p.copies(t, "a street and a number")
	pid, request := processOn(t, display), unheard(t, display)
	failed := make(chan error, 1)
	go func() { // ends with the answer
		_, err := c.Do(t.Context(), request)
		failed <- err
	}()
	<-p.cleared // the secret is staged
	for _, name := range mentions(t, "hunter2-swordfish") {
		t.Errorf("the secret stands in %s", name)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; fault.CodeOf(err) != fault.Internal {
		t.Errorf("answered %v, want INTERNAL", err)
	}
	until(t, "the clipboard is back", func() bool {
		got := other.keep()
		if strings.Contains(got.text, "hunter2-swordfish") {
			t.Fatal("the secret is on the clipboard")
		}
		return got.text == "a street and a number"
	})
}

// mentions lists where all may read how a process was started, and a word is.
func mentions(t *testing.T, word string) []string {
	t.Helper()
	var found []string
	for _, name := range []string{"cmdline", "environ"} {
		all, err := filepath.Glob("/proc/[0-9]*/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range all {
			if b, _ := os.ReadFile(file); bytes.Contains(b, []byte(word)) {
				found = append(found, file)
			}
		}
	}
	return found
}

// TestCancelledPaste: the clipboard is given back at once.
func TestCancelledPaste(t *testing.T) {
	c, display, _ := robotOn(t)
	p, other := person(t, display), person(t, display)
	p.copies(t, "a street and a number")
	request := unheard(t, display)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	failed := make(chan error, 1)
	go func() { // ends with the answer
		_, err := c.Do(ctx, request)
		failed <- err
	}()
	<-p.cleared
	cancel()
	if err := <-failed; fault.CodeOf(err) != fault.Timeout {
		t.Errorf("answered %v, want TIMEOUT", err)
	}
	until(t, "the clipboard is back", func() bool { return other.keep().text == "a street and a number" })
}

// TestKilledOverAKey: the server would repeat a key that is never let go, and
// take what the person types for a chord.
func TestKilledOverAKey(t *testing.T) {
	c, display, _ := robotOn(t)
	x := target(t, display, true)
	pid := processOn(t, display)
	failed := make(chan error, 1)
	go func() { // ends with the answer
		_, err := c.Do(t.Context(), Request{Op: Type, Text: strings.Repeat("A", 100_000), Own: &Own{}, Window: uint32(x.window)})
		failed <- err
	}()
	until(t, "a key is held by a process that stands still", func() bool {
		if len(x.down(t)) == 0 {
			return false
		}
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		if len(x.down(t)) > 0 && stopped(pid) && len(x.down(t)) > 0 {
			return true
		}
		_ = syscall.Kill(pid, syscall.SIGCONT) // it had let go meanwhile
		return false
	})
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; fault.CodeOf(err) != fault.Internal {
		t.Errorf("answered %v, want INTERNAL", err)
	}
	if held := x.down(t); len(held) > 0 {
		t.Errorf("the keys %v are still down", held)
	}
}

func stopped(pid int) bool {
	for end := time.Now().Add(patience); time.Now().Before(end); {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil {
			return false
		}
		if bytes.Contains(stat, []byte(") T ")) {
			return true
		}
	}
	return false
}

// TestKilledBetweenRequests: the next one is served as if nothing had been. A
// look is even when the death was not noticed yet.
func TestKilledBetweenRequests(t *testing.T) {
	c, display, _ := robotOn(t)
	w := uint32(target(t, display, true).window)
	for range 3 {
		pid := processOn(t, display)
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Do(t.Context(), Request{Op: Windows}); err != nil {
			t.Fatal(err)
		}
		pid = processOn(t, display)
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		until(t, "another process", func() bool { return processOn(t, display) != pid })
		if _, err := c.Do(t.Context(), Request{Op: Key, Keys: []string{"a"}, Own: &Own{}, Window: w}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRequestThatWasNotRead: what a dead process had not read was not done, and
// its failure says so.
func TestRequestThatWasNotRead(t *testing.T) {
	name, _ := xvfb(t, "640x480x24")
	p, err := begin(Options{Executable: self(t), Env: []string{"DISPLAY=" + name}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.end)
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-p.dead
	if _, err := p.ask(t.Context(), Request{Op: Key, Keys: []string{"a"}, Own: &Own{}}); !errors.Is(err, ErrUnbegun) {
		t.Errorf("answered %v", err)
	}
}

// TestInputEndsOverTyping: the desk was killed, and its text is not typed to
// the end by a process it left behind.
func TestInputEndsOverTyping(t *testing.T) {
	name, _ := xvfb(t, "640x480x24")
	p, err := begin(Options{Executable: self(t), Env: []string{"DISPLAY=" + name}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.end)
	x := target(t, name, true)
	line, err := json.Marshal(Request{Op: Type, Text: strings.Repeat("a", 100_000), Own: &Own{}, Window: uint32(x.window)}) // five minutes and more
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
	until(t, "it types", func() bool { return len(x.down(t)) > 0 })
	if err := p.in.Close(); err != nil {
		t.Fatal(err)
	}
	var r Reply
	select {
	case got := <-p.replies:
		err = json.Unmarshal(got, &r)
	case <-time.After(patience):
		t.Fatal("it types on")
	}
	if err != nil || r.Code != fault.Timeout || !r.Sent {
		t.Errorf("answered %+v, %v", r, err)
	}
}
