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
