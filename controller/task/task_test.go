package task

import (
	"encoding/json"
	"strings"
	"testing"

	"countersign/flows"
	"countersign/surfaces"

	"github.com/google/go-cmp/cmp"
)

// shapes are the nine lines of tasks.md 1.3 and the statuses they stand for.
func shapes() map[string]Status {
	return map[string]Status{
		`{"state":"running"}`: {State: Running},
		`{"state":"needs_input","fields":[{"name":"phone","why":"step 2 needs ${phone}, which was not supplied","kind":"phone","options":[]}]}`: {
			State: NeedsInput, Fields: []Field{{Name: "phone", Why: "step 2 needs ${phone}, which was not supplied", Kind: "phone", Options: []string{}}},
		},
		`{"state":"needs_approval","action":"sending the invitation","target":"Send","digest":"9c41e0…"}`: {
			State: NeedsApproval, Action: "sending the invitation", Target: "Send", Digest: "9c41e0…",
		},
		`{"state":"needs_human","reason":"solve the captcha"}`: {State: NeedsHuman, Reason: "solve the captcha"},
		`{"state":"checkpoint","kind":"payment","reason":"payment step found (Pay now)","location":"Pay now","summary":"order filled in, total read","continuable":false}`: {
			State: Checkpoint, Kind: CheckpointPayment, Reason: "payment step found (Pay now)", Location: "Pay now",
			Summary: "order filled in, total read",
		},
		`{"state":"needs_plan","guide":"how to write a flow ..."}`: {State: NeedsPlan, Guide: "how to write a flow ..."},
		`{"state":"done","answer":"Finished all 4 steps.","records":{},"result":{"total":"18.40"}}`: {
			State: Done, Answer: "Finished all 4 steps.", Records: map[string]Rows{}, Result: json.RawMessage(`{"total":"18.40"}`),
		},
		`{"state":"failed","step":4,"reason":"no list of results appeared","hint":"name the list the page shows","recoverable":true}`: {
			State: Failed, Step: 4, Reason: "no list of results appeared", Hint: "name the list the page shows", Recoverable: true,
		},
		`{"state":"cancelled"}`: {State: Cancelled},
	}
}

func TestA02_EachStatusIsItsShapeKeyForKey(t *testing.T) {
	for want, status := range shapes() {
		got, err := json.Marshal(status)
		if err != nil || string(got) != want {
			t.Errorf("got %s %v, want %s", got, err, want)
		}
		var back Status
		if err := json.Unmarshal(got, &back); err != nil || !cmp.Equal(back, status) {
			t.Errorf("decoded to %+v %v, want %+v", back, err, status)
		}
	}
}

// Collections are always written, and a result only when there is one.
func TestA02_EmptyParts(t *testing.T) {
	for want, status := range map[string]Status{
		`{"state":"needs_input","fields":[]}`:                                                                   {State: NeedsInput},
		`{"state":"needs_input","fields":[{"name":"a","why":"","kind":"text","options":[]}]}`:                   {State: NeedsInput, Fields: []Field{{Name: "a", Kind: "text"}}},
		`{"state":"done","answer":"","records":{}}`:                                                             {State: Done},
		`{"state":"failed","reason":"","hint":"","recoverable":false}`:                                          {State: Failed},
		`{"state":"checkpoint","kind":"interrupted","reason":"","location":"","summary":"","continuable":true}`: {State: Checkpoint, Kind: CheckpointInterrupted, Continuable: true},
	} {
		if got, err := json.Marshal(status); err != nil || string(got) != want {
			t.Errorf("got %s %v, want %s", got, err, want)
		}
	}
}

func TestA03_ViewWithoutAStep(t *testing.T) {
	view := View{ID: 7, Status: Status{State: Running}, Next: Next(Status{State: Running}, false)}
	out, err := json.Marshal(view)
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(out, &keys); err != nil {
		t.Fatal(err)
	}
	if _, ok := keys["step"]; ok {
		t.Errorf("%s has a step", out)
	}
	if string(keys["id"]) != `"t-7"` {
		t.Errorf("id is %s", keys["id"])
	}
	for _, raw := range []string{`{"id":"t-7","status":{"state":"running"},"step":null}`, `{"id":"t-7","status":{"state":"running"}}`} {
		var got View
		if err := json.Unmarshal([]byte(raw), &got); err != nil || got.Step != nil || got.ID != 7 {
			t.Errorf("%s: %+v %v", raw, got, err)
		}
	}
	view.Step = &CurrentStep{Index: 3, Kind: flows.KindDo, Intent: "set the quantity to 2", Surface: surfaces.Browser}
	out, err = json.Marshal(view)
	if want := `"step":{"index":3,"kind":"do","intent":"set the quantity to 2","surface":"browser"}`; err != nil || !strings.Contains(string(out), want) {
		t.Errorf("%s %v; want %s in it", out, err, want)
	}
}

func TestA09_NoStatusCarriesAPicture(t *testing.T) {
	for _, status := range shapes() {
		out, err := json.Marshal(View{ID: 1, Status: status})
		if err != nil || strings.Contains(string(out), "screenshot") {
			t.Errorf("%s %v", out, err)
		}
	}
}

func TestA04_Next(t *testing.T) {
	open := Status{State: Checkpoint, Continuable: true}
	for _, row := range []struct {
		name   string
		status Status
		holds  bool
		want   []string
	}{
		{"running", Status{State: Running}, true, []string{"AwaitTask", "CancelTask"}},
		{"needs_input", Status{State: NeedsInput}, false, []string{"ContinueTask", "CancelTask"}},
		{"needs_approval", Status{State: NeedsApproval}, true, []string{"ContinueTask", "CancelTask"}},
		{"needs_human", Status{State: NeedsHuman}, true, []string{"ContinueTask", "CancelTask"}},
		{"continuable checkpoint", open, true, []string{"ContinueTask", "CancelTask", "TaskReport"}},
		{"payment, held", Status{State: Checkpoint}, true, []string{"CancelTask", "TaskReport"}},
		{"payment, released", Status{State: Checkpoint}, false, []string{"TaskReport"}},
		{"needs_plan", Status{State: NeedsPlan}, false, []string{"StartTask", "CancelTask"}},
		{"done", Status{State: Done}, false, []string{"TaskReport"}},
		{"cancelled", Status{State: Cancelled}, false, []string{"TaskReport"}},
		{"failed", Status{State: Failed}, false, []string{"TaskReport", "StartTask"}},
	} {
		if got := Next(row.status, row.holds); !cmp.Equal(got, row.want) {
			t.Errorf("%s: got %v, want %v", row.name, got, row.want)
		}
	}
}

func TestA05_IsFinal(t *testing.T) {
	for _, row := range []struct {
		status Status
		want   bool
	}{
		{Status{State: Running}, false},
		{Status{State: NeedsInput}, false},
		{Status{State: NeedsApproval}, false},
		{Status{State: NeedsHuman}, false},
		{Status{State: Checkpoint, Continuable: true}, false},
		{Status{State: Checkpoint, Kind: CheckpointPayment}, true},
		{Status{State: NeedsPlan}, false},
		{Status{State: Done}, true},
		{Status{State: Failed, Recoverable: true}, true},
		{Status{State: Cancelled}, true},
	} {
		if got := row.status.IsFinal(); got != row.want {
			t.Errorf("%s (%s): got %v, want %v", row.status.State, row.status.Kind, got, row.want)
		}
	}
}

func TestTransitions(t *testing.T) {
	all := []State{Running, NeedsInput, NeedsApproval, NeedsHuman, Checkpoint, NeedsPlan, Done, Failed, Cancelled}
	want := map[State]string{ // one letter per state of all, in order
		"":            "ri   p   ",
		Running:       "rianc dfx",
		NeedsInput:    "ri  c  fx",
		NeedsApproval: "ria c   x",
		NeedsHuman:    "ri  c   x",
		Checkpoint:    "ria c   x",
		NeedsPlan:     "        x",
		Done:          "         ",
		Failed:        "         ",
		Cancelled:     "         ",
	}
	for from, row := range want {
		for i, to := range all {
			if got := Allowed(from, to); got != (row[i] != ' ') {
				t.Errorf("%q to %q: %v, want %v", from, to, got, row[i] != ' ')
			}
		}
	}
	payment := Status{State: Checkpoint, Kind: CheckpointPayment}
	if payment.Allows(Running) || payment.Allows(Cancelled) {
		t.Error("something follows a payment checkpoint")
	}
	if !(Status{State: Checkpoint, Continuable: true}).Allows(Running) {
		t.Error("a continuable checkpoint cannot go on")
	}
}

func TestParseID(t *testing.T) {
	for text, want := range map[string]ID{"t-1": 1, " t-42 ": 42} {
		if got, err := ParseID(text); err != nil || got != want {
			t.Errorf("ParseID(%q) = %v %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "1", "t-", "t-0", "t--1", "t-x", "T-1"} {
		if got, err := ParseID(text); err == nil {
			t.Errorf("ParseID(%q) = %v, want an error", text, got)
		}
	}
}
