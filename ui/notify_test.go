package ui

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"countersign/controller/task"
	"countersign/ui/theme"
)

// waits puts a task that begins to wait for a person.
func (b bench) waits(id task.ID, title string) {
	status := task.Status{State: task.NeedsHuman, Reason: "sign in"}
	b.desk.Put(task.View{ID: id, Title: title, Status: status, Revision: 30, SinceAt: time.Now().UnixMilli(), Next: task.Next(status, true)})
}

func (b bench) seconds(n int) {
	for range n {
		b.Wait(time.Second)
	}
}

func TestD18NotificationThroughTmux(t *testing.T) {
	const told = "t-7 BY HAND"
	for name, tt := range map[string]struct {
		o    Options
		want string
	}{
		"nothing asked for": {Options{}, ""},
		"bell alone":        {Options{Bell: true}, "\a"},
		"plain":             {Options{Bell: true, Notify: true}, "\a\x1b]9;countersign: " + told + "\x1b\\\x1b]777;notify;countersign;" + told + "\x1b\\"},
		"through tmux": {
			Options{Bell: true, Notify: true, Tmux: true},
			"\a\x1bPtmux;\x1b\x1b]9;countersign: " + told + "\x1b\x1b\\\x1b\\\x1bPtmux;\x1b\x1b]777;notify;countersign;" + told + "\x1b\x1b\\\x1b\\",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			o := tt.o
			o.Out = &out
			with(t, "empty", usual, o, theme.Plain(), func(b bench) {
				b.waits(7, "A title\x1b]52;c;eA==\x07 from elsewhere")
				b.Wait(200 * time.Millisecond)
				if got := out.String(); got != tt.want {
					t.Errorf("wrote %q, want %q", got, tt.want)
				}
			})
		})
	}
}

// Waits that begin close together ring once, and those not told yet are told
// together, unless they were answered meanwhile.
func TestBellIsRateLimited(t *testing.T) {
	var out bytes.Buffer
	with(t, "empty", usual, Options{Bell: true, Notify: true, Out: &out}, theme.Plain(), func(b bench) {
		for id := range task.ID(8) {
			b.waits(id+1, "x")
			b.Wait(110 * time.Millisecond)
		}
		if n := strings.Count(out.String(), "\a"); n != 1 {
			t.Fatalf("%d bells for eight waits in a second, want 1", n)
		}
		b.desk.Put(task.View{ID: 2, Status: task.Status{State: task.Done}, Revision: 31})
		out.Reset()
		b.seconds(4)
		if got := out.String(); strings.Count(got, "\a") != 1 || !strings.Contains(got, "]9;countersign: t-3 BY HAND, t-4 BY HAND, t-5 BY HAND, t-6 BY HAND, 2 more\x1b") {
			t.Errorf("told %q, want the six that still wait", got)
		}
		out.Reset()
		b.seconds(60)
		if out.Len() != 0 {
			t.Errorf("told again: %q", out.String())
		}
	})
}

// The same task asking something else rings again; the same question does not.
func TestBellForAnotherQuestion(t *testing.T) {
	var out bytes.Buffer
	with(t, "empty", usual, Options{Bell: true, Out: &out}, theme.Plain(), func(b bench) {
		status := task.Status{State: task.NeedsHuman, Reason: "sign in"}
		v := task.View{ID: 1, Status: status, Next: task.Next(status, true)}
		for i := range 3 {
			v.SinceAt = time.Now().UnixMilli()
			for range 3 {
				v.Revision++
				b.desk.Put(v)
				b.seconds(3)
			}
			if n := strings.Count(out.String(), "\a"); n != i+1 {
				t.Fatalf("%d bells for %d questions", n, i+1)
			}
		}
	})
}
