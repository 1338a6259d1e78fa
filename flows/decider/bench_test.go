package decider

import (
	"fmt"
	"testing"
)

func bigRequest() Request {
	s := State{Surface: "window", Window: "Results"}
	for i := range 120 {
		s.Controls = append(s.Controls, Control{Role: "link", Name: fmt.Sprintf("Product number %d with a longer name", i), Path: []string{"main", `list "Search results"`, fmt.Sprintf("listitem #%d", i)}})
	}
	for i := range 60 {
		s.VisibleText = append(s.VisibleText, fmt.Sprintf("A line of text about product %d that costs €%d.90", i, i))
	}
	qs := map[string]Question{}
	for _, a := range []Ask{AskDone, AskNotDone, AskProgress, AskBlocked, AskMove, AskShortcut, AskPageKind, AskHelped} {
		qs[string(a)] = Question{Ask: a, Subject: "open the product number 77", Options: []Option{{Key: "activate"}, {Key: "wait"}, {Key: "other"}, {Key: "stuck"}}}
	}
	return Request{State: s, Questions: qs}
}

// BenchmarkJudge is one judgement of a crowded page.
func BenchmarkJudge(b *testing.B) {
	req := bigRequest()
	for b.Loop() {
		if _, err := NewEmbedded().Evaluate(b.Context(), req); err != nil {
			b.Fatal(err)
		}
	}
}

// ground800 is the first request of grounding on a page of 800 controls: 40
// groups of 20 and the region, as the runtime asks them.
func ground800(subject string) Request {
	s := State{Surface: "window", Window: "Results"}
	for i := range 800 {
		s.Controls = append(s.Controls, Control{
			Role: [...]string{"link", "button", "checkbox"}[i%3], Name: fmt.Sprintf("%s number %d of the %s", [...]string{"Open", "Remove", "Choose", "Compare"}[i%4], i, [...]string{"lamp", "kettle", "chair", "garden table"}[i/4%4]),
			Path: []string{"main", `list "Search results"`, fmt.Sprintf("listitem #%d", i/4+1)}, Card: fmt.Sprintf("Lamp %d €%d.90 in stock", i/4, i), At: i + 1,
		})
	}
	qs := map[string]Question{"region": {Type: Choice, Ask: AskRegion, Subject: subject, Purpose: "click to accomplish: " + subject, Options: []Option{
		{Key: "1", Text: "banner: 12 controls, such as link \"Home\""}, {Key: "2", Text: "main: 788 controls, such as link \"Open number 1\""},
	}}}
	all := options(s.Controls)
	for i := range all {
		all[i].At = i + 1
	}
	for i := 0; i < len(all); i += 20 {
		qs[fmt.Sprintf("group_%d", i/20+1)] = Question{Type: Choice, Ask: AskGroup, Subject: subject, Purpose: "click to accomplish: " + subject, Options: all[i : i+20]}
	}
	return Request{State: s, Questions: qs}
}

// BenchmarkGround800 is one such request: on a screen never seen, and on one
// whose texts were read before, as at every later look of a step.
func BenchmarkGround800(b *testing.B) {
	for _, subject := range []string{"press the compare button of kettle 277", "remove the garden table", "sign in"} {
		req := ground800(subject)
		evaluate := func(b *testing.B, d *Embedded) {
			if _, err := d.Evaluate(b.Context(), req); err != nil {
				b.Fatal(err)
			}
		}
		b.Run("new/"+subject, func(b *testing.B) {
			for b.Loop() {
				evaluate(b, NewEmbedded())
			}
		})
		b.Run("again/"+subject, func(b *testing.B) {
			d := NewEmbedded()
			evaluate(b, d)
			for b.Loop() {
				evaluate(b, d)
			}
		})
	}
}
