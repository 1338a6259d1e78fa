package flows

import (
	"context"
	"fmt"
	"testing"

	"countersign/flows/decider"
	"countersign/surfaces"
)

// instant is a language model that answers at once.
type instant struct{}

func (instant) Complete(context.Context, decider.Prompt) (decider.Completion, error) {
	return decider.Completion{Text: `{"done": 0.01, "not_done": 0.99, "progress": [{"key":"unrelated","p":1}], "blocked": 0.02, "helped": 0.99,
		"move": [{"key":"activate","p":0.97},{"key":"wait","p":0.03}], "shortcut": [{"key":"none","p":1}], "page_kind": [{"key":"results","p":1}]}`}, nil
}

func (instant) Name() string { return "instant" }

// BenchmarkDecisionSevenVotes is one judgement of a crowded page in seven
// framings: everything of a decision but the model's own time.
func BenchmarkDecisionSevenVotes(b *testing.B) {
	screen := &surfaces.Screen{Side: surfaces.Browser, App: "browser", Surface: surfaces.FrontWindow, Window: "Results"}
	for i := range 120 {
		screen.Candidates = append(screen.Candidates, surfaces.Candidate{Role: "link", Name: fmt.Sprintf("Product number %d with a longer name", i), Path: []string{"main", `list "Search results"`, fmt.Sprintf("listitem #%d", i)}})
	}
	for i := range 60 {
		screen.Context = append(screen.Context, fmt.Sprintf("A line of text about product %d that costs €%d.90", i, i))
	}
	r := newRun(nil, decider.NewModel(instant{}), Request{Brief: Brief{Goal: "find product number 77"}})
	s := &step{run: r, path: "1", report: &StepReport{}}
	l := &loop{text: "open product number 77", acted: true}
	b.ReportAllocs()
	for b.Loop() {
		r.callsLeft = defaultVotes
		if v, err := s.judge(b.Context(), l, screen); err != nil || v.move != moveActivate {
			b.Fatal(v, err)
		}
	}
}
