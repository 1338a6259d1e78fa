package cli

import (
	"slices"
	"testing"

	"countersign/flows"
	"countersign/surfaces"
)

func TestReasonsOfAStep(t *testing.T) {
	step := flows.StepReport{
		Step: "2", Kind: flows.KindDo, Text: "follow Jon", Why: "pressed button \"Follow\", the screen changed", Confidence: 0.84,
		Actions: []flows.ActionNote{
			{Op: "click", Target: &surfaces.Target{Role: "button", Name: "Follow\x1b[2J"}, OK: true, Why: "follow, jon"},
			{Op: "press", OK: true},
		},
	}
	got := reasonsOf(step)
	want := []string{`click button "Follow\x1b[2J", found by follow, jon`, "press", `judged by pressed button "Follow", the screen changed (84% sure)`}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
