package theme

import (
	"testing"

	"countersign/controller/task"
)

// Without colour the three waits still differ, by word and by glyph.
func TestD15WaitsDifferByWord(t *testing.T) {
	words, glyphs := map[string]bool{}, map[string]bool{}
	for _, s := range []task.Status{{State: task.NeedsApproval}, {State: task.NeedsInput}, {State: task.NeedsHuman}} {
		v := task.View{Status: s}
		th := New(Options{NoColor: true})
		words[th.State(v).Render(StateWord(v))] = true
		glyphs[StateGlyph(v)] = true
	}
	if len(words) != 3 || len(glyphs) != 3 {
		t.Errorf("words %v, glyphs %v: want three of each", words, glyphs)
	}
}

func TestWaitOf(t *testing.T) {
	tests := []struct {
		name   string
		status task.Status
		next   []string
		want   Wait
	}{
		{"approval", task.Status{State: task.NeedsApproval}, nil, Decide},
		{"carry on", task.Status{State: task.Checkpoint, Kind: task.CheckpointInterrupted, Continuable: true}, nil, Decide},
		{"values", task.Status{State: task.NeedsInput}, nil, Type},
		{"plan", task.Status{State: task.NeedsPlan}, nil, Type},
		{"wall", task.Status{State: task.NeedsHuman}, nil, ByHand},
		{"payment", task.Status{State: task.Checkpoint, Kind: task.CheckpointPayment}, []string{task.OpCancel, task.OpReport}, ByHand},
		{"payment, released", task.Status{State: task.Checkpoint, Kind: task.CheckpointPayment}, []string{task.OpReport}, NoWait},
		{"running", task.Status{State: task.Running}, nil, NoWait},
		{"done", task.Status{State: task.Done}, nil, NoWait},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := WaitOf(task.View{Status: tt.status, Next: tt.next}); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestLightBackground(t *testing.T) {
	for value, want := range map[string]bool{"": false, "15;0": false, "0;15": true, "0;default;15": true, "0;7": true, "12;8": false, "15": false} {
		if got := LightBackground(value); got != want {
			t.Errorf("LightBackground(%q) = %v, want %v", value, got, want)
		}
	}
}

// What was said in front of a payment stands where "stopped" would.
func TestAPaymentSpokenOf(t *testing.T) {
	for answer, want := range map[string]string{"": "■ stopped", task.Paid: "✓ paid", task.NotPaid: "■ unpaid"} {
		v := task.View{Status: task.Status{State: task.Checkpoint, Kind: task.CheckpointPayment}, Paid: answer, Next: []string{task.OpReport}}
		if held := WaitOf(task.View{Status: v.Status, Paid: answer, Next: []string{task.OpCancel}}); (held == ByHand) != (answer == "") {
			t.Errorf("%q and the browser still held: waits %v", answer, held)
		}
		if got := StateGlyph(v) + " " + StateWord(v); got != want {
			t.Errorf("%q: %s, want %s", answer, got, want)
		}
	}
}
