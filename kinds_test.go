//go:build linux

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/flows/safety"
	"countersign/surfaces"
	"countersign/surfaces/desktop/desktoptest"
)

// rows are the records that a task saved as a list.
func (s *seat) rows(id task.ID, name string) []map[string]string {
	s.Helper()
	raw, err := json.Marshal(s.report(id).Records[name])
	if err != nil {
		s.Fatal(err)
	}
	var rows []map[string]string
	if err := json.Unmarshal(raw, &rows); err != nil {
		s.Fatalf("%s holds %s", name, raw)
	}
	return rows
}

// A flat list of a program is a list: zenity's rows have nothing around them.
func TestFL84_ListsOnTheDesktop(t *testing.T) {
	s, _ := program(t, "zenity", "--list", "--title=Trains", "--column=Train", "--text=Trains to Innsbruck",
		"AR 512, 49.00 EUR", "AR 530, 29.00 EUR", "AR 604, 61.50 EUR")
	v := s.start(`{
		"app": "zenity",
		"steps": [
			{ "extract": { "what": "the list of trains", "into": "trains" } },
			{ "pick": { "from": "the list of trains", "by": "lowest price", "into": "train" } }
		]
	}`, nil)
	s.is(v, task.Done)
	if rows := s.rows(v.ID, "trains"); len(rows) != 3 || !strings.Contains(rows[1]["price"], "29") {
		t.Errorf("extracted %v", rows)
	}
	if steps := s.report(v.ID).Steps; len(steps) != 2 || !strings.Contains(steps[1].Note, "AR 530") {
		t.Errorf("picked: %+v", steps)
	}
}

// Every kind of step on programs, and a shortcut in the spelling of this side.
func TestKindsOnTheDesktop(t *testing.T) {
	file := filepath.Join(t.TempDir(), "letter.txt")
	if err := os.WriteFile(file, []byte("Dear Noa,\nyour order number is LH-20417.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, d := program(t, "zenity", "--text-info", "--title=Letter", "--filename="+file)
	desktoptest.Script(t, d, desktoptest.Form)
	readable(t, d, "form")
	v := s.start(`{
		"app": "form",
		"steps": [
			{ "enter": { "name": "Mira Olsen" } },
			{ "choose": { "what": "colour", "option": "Green" } },
			"tick \"Terms\"",
			{ "verify": "\"pressed 0 times\" is showing" },
			{ "if": { "condition": "\"pressed 7 times\" is showing", "then": ["press \"Remove\""], "else": ["press \"Count\""] } },
			{ "repeat_until": { "condition": "\"pressed 3 times\" is showing", "steps": ["press \"Count\""], "max": 4 } },
			{ "wait_for": "\"pressed 3 times\" is showing" },
			{ "open": "zenity" },
			{ "read": { "what": "order number", "into": "number" } },
			{ "open": "form" },
			{ "enter": { "name": "${number}" } },
			{ "verify": "the name is LH-20417" },
			{ "open": "mousepad" },
			"find text",
			{ "verify": "a search box is showing" }
		]
	}`, nil)
	s.is(v, task.Done)
}

// What a dialog asks to be pressed is signed for, and pressed once.
func TestGuardOnADialog(t *testing.T) {
	s, _ := program(t, "zenity", "--question", "--title=Forum", "--text=Publish the letter to the members?", "--ok-label=Publish", "--cancel-label=Not yet")
	v := s.start(`{ "app": "zenity", "steps": [{ "stop_before": "publishing the letter" }] }`, nil)
	s.is(v, task.NeedsApproval)
	r := s.report(v.ID)
	if e := r.Approval; e.Class != safety.ActPublish || e.Side != surfaces.Desktop || e.Origin != "zenity: Forum" || len(e.Words) == 0 || e.Words[0] != "Publish the letter to the members?" {
		t.Errorf("to be signed: %+v", e.Evidence)
	}
	if len(r.Artifacts) != 1 || r.Approval.Picture != r.Artifacts[0].SHA256 {
		t.Errorf("the card has the picture %q, the task %+v", r.Approval.Picture, r.Artifacts)
	}
	v = s.sign(v, "")
	s.is(v, task.Done)
	if got := s.outcome(v.ID, "1"); got != flows.OutcomeDone {
		t.Errorf("the guard ended %s", got)
	}
}

// A plain step may not press what a guard is for, nor what has no name.
func TestWhatIsGatedOnADialog(t *testing.T) {
	tests := []struct {
		name, step string
		args       []string
	}{
		{"a press that cannot be taken back", `"press \"Delete\""`, []string{"--text=Delete all notes?", "--ok-label=Delete"}},
		{"a control without a name", `{ "stop_before": "sending it" }`, []string{"--text=Send it?", "--ok-label= "}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, d := program(t, "")
			p := desktoptest.Run(t, d, "zenity", append([]string{"--question", "--title=Notes", "--cancel-label=Back"}, tt.args...)...)
			v := s.start(`{ "app": "zenity", "steps": [`+tt.step+`] }`, nil)
			if v.Status.State == task.Done {
				s.tell(v.ID)
				t.Error("it was done")
			}
			if !p.Alive() {
				t.Error("the dialog was answered")
			}
		})
	}
}

// A dialog that asks to pay is a payment, whatever its button says.
func TestPaymentOnADialog(t *testing.T) {
	ask := []string{"--question", "--title=Tickets", "--text=Pay 20 EUR to Alpine Rail?", "--ok-label=OK", "--cancel-label=Back"}
	const steps = `{ "app": "zenity", "steps": [{ "stop_before": "confirming by pressing \"OK\"" }] }`
	t.Run("is stopped in front of", func(t *testing.T) {
		s, _ := program(t, "zenity", ask...)
		v := s.start(steps, nil)
		s.is(v, task.Checkpoint)
		if v.Status.Kind != task.CheckpointPayment {
			t.Errorf("a checkpoint of kind %s", v.Status.Kind)
		}
	})
	t.Run("is signed with its amount", func(t *testing.T) {
		s, d := program(t, "")
		p := desktoptest.Run(t, d, "zenity", ask...)
		v := s.start(steps, func(r *task.StartRequest) {
			r.Constraints.Payment, r.Constraints.Origins = flows.FillThenApprove, []string{"https://rail.test"}
		})
		s.is(v, task.NeedsApproval)
		if e := s.report(v.ID).Approval; e.Class != safety.ActPay || e.Amount != "20" && e.Amount != "20.00" || e.Currency != "EUR" {
			t.Errorf("to be signed: %+v", e.Evidence)
		}
		if !p.Alive() {
			t.Fatal("paid before anybody signed")
		}
		s.is(s.sign(v, "20 EUR"), task.Done)
	})
}
