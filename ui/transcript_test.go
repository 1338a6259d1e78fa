//go:build linux

package ui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/ui/uitest"
)

// recorded is a sitting of which a transcript is kept.
type recorded struct {
	*sitting
	b strings.Builder
}

// notes keeps the screen that want accepts, below what the person just did. The
// row that tells of it for a while is left out.
func (r *recorded) notes(did string, want ...string) {
	r.t.Helper()
	r.until(strings.Join(want, ", "), func(shown string) bool {
		for _, w := range want {
			if !strings.Contains(shown, w) {
				return false
			}
		}
		return true
	})
	r.calm()
	r.mu.Lock()
	shown := strings.TrimSpace(r.screen.String())
	r.mu.Unlock()
	r.b.WriteString("──── " + did + "\n" + shown[:strings.LastIndexByte(shown, '\n')] + "\n\n")
}

// calm waits until nothing has been written for a while.
func (r *recorded) calm() {
	for {
		select {
		case <-r.more:
		case <-time.After(300 * time.Millisecond):
			return
		}
	}
}

// goesOn makes an answered task of the fake go on, as a controller would.
func goesOn(desk *controllertest.Desk, since int64) {
	moved := func(id task.ID, s task.Status, summary string) (task.View, error) {
		views, _ := desk.ListTasks(context.Background()) // the fake's never fails
		for _, v := range views {
			if v.ID == id {
				v.Status, v.Summary, v.Revision, v.SinceAt = s, summary, v.Revision+1, since
				v.Next = task.Next(s, true)
				desk.Put(v)
				return v, nil
			}
		}
		return task.View{}, nil
	}
	desk.OnContinue = func(req task.ContinueRequest) (task.View, error) {
		if req.Approve != nil && !*req.Approve {
			return moved(req.ID, task.Status{State: task.Cancelled}, "Declined; nothing was pressed.")
		}
		return moved(req.ID, task.Status{State: task.Running}, "Going on.")
	}
}

// TestSessionTranscript is a person's session at the terminal, key by key: a
// payment signed, a deletion declined, a secret typed, a captcha passed, records
// exported. Ages stand still: everything has waited for days.
func TestSessionTranscript(t *testing.T) {
	t.Parallel()
	const secret = "hu7sh"
	began := time.Now().Add(-longAgo)
	desk := uitest.Scene("session", began)
	goesOn(desk, began.UnixMilli())
	desk.SetLook(4, task.Look{Wall: task.WallGone, Address: "http://127.0.0.1:4106/seats"})
	folder := t.TempDir()
	r := &recorded{sitting: sit(t, desk, usual, Options{ExportDir: folder})}
	r.notes("the desk as it opens", "5 tasks", "Finished all 4 steps", "tab to answer")

	r.goTo("PAY")
	r.types("2480.00 EUR")
	r.notes("the amount is typed", "› 2480.00 EUR", "READY")
	r.send("\r")
	r.notes("enter: the payment is signed", "Going on.")

	r.goTo("DELETE")
	r.types("d not these")
	r.notes("declined, with a reason", "› d not these", "READY")
	r.send("\r")
	r.notes("enter: the deletion is declined", "Declined; nothing was pressed.")

	r.goTo("VALUES")
	for _, k := range secret {
		r.send(string(k))
		r.calm() // nothing shows that it came
	}
	r.notes("a secret is typed", "typed without echo")
	r.send("\r")
	r.until("the value taken", func(shown string) bool { return !strings.Contains(shown, "VALUES") })

	r.goTo("CAPTCHA")
	r.types("done")
	r.notes("the captcha was passed in the browser", "› done", "READY")
	r.send("\r")
	r.notes("enter: the wall is looked for, and gone", "nothing waits")

	r.send("G")
	r.calm()
	r.send("k")
	r.calm()
	r.send("4")
	r.notes("the records of the task that is done", "departure")
	r.send("\t") // into them
	r.calm()
	r.send("e")
	r.has("saved ")
	golden.RequireEqual(t, r.b.String()+"──── e: the records are saved\n"+exported(t, folder))
	if strings.Contains(r.b.String(), secret) {
		t.Error("the transcript holds the secret")
	}
	a := desk.Answers()
	if len(a) != 4 || a[0].Approve == nil || !*a[0].Approve || a[1].Approve == nil || *a[1].Approve || a[2].Inputs["password"] != secret {
		t.Errorf("answered %+v", a)
	}
}

// goTo presses space until the card of that title is ready to be answered.
func (r *recorded) goTo(title string) {
	r.t.Helper()
	r.send("\x1b")
	r.calm()
	for range 5 {
		r.send(" ")
		r.calm()
		r.mu.Lock()
		there := strings.Contains(r.screen.String(), "  "+title+" ━")
		r.mu.Unlock()
		if there {
			break
		}
		r.send("\x1b")
		r.calm()
	}
	r.has("  " + title + " ━")
	if title != "VALUES" {
		r.has("READY")
	}
}

// exported is every file saved, below its name.
func exported(t *testing.T, folder string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, p := range paths {
		raw, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(filepath.Base(p) + "\n" + string(raw))
	}
	return b.String()
}
