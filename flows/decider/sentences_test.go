package decider

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"countersign/surfaces"
)

// sentencePage is one page of testdata/sentences with what is asked of it.
//
//	== name
//	: surface dialog
//	: text A visible line
//	key role "name" [states] (description) = value @ path ; card words ; near words ; under words ; at x,y,w,h
//	? sentence => key, or none
//	~ sentence => key, not found yet: nothing must be pressed for it
type sentencePage struct {
	name   string
	state  State
	keys   []string // of the controls
	rows   [][2]string
	misses int // rows not found yet
}

func sentencePages(t testing.TB, file string) []sentencePage {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "sentences", file))
	if err != nil {
		t.Fatal(err)
	}
	var pages []sentencePage
	for n, l := range strings.Split(string(raw), "\n") {
		p := &sentencePage{}
		if len(pages) > 0 {
			p = &pages[len(pages)-1]
		}
		mark, rest, _ := strings.Cut(l, " ")
		switch mark {
		case "":
		case "==":
			pages = append(pages, sentencePage{name: rest, state: State{Surface: surfaces.FrontWindow}})
		case ":":
			key, value, _ := strings.Cut(rest, " ")
			if key == "surface" {
				p.state.Surface = value
			} else {
				p.state.VisibleText = append(p.state.VisibleText, value)
			}
		case "?":
			sentence, want, ok := strings.Cut(rest, " => ")
			if !ok {
				t.Fatalf("%s:%d: no answer", file, n+1)
			}
			p.rows = append(p.rows, [2]string{sentence, want})
		case "~":
			sentence, _, _ := strings.Cut(rest, " => ")
			p.rows = append(p.rows, [2]string{sentence, None})
			p.misses++
		default:
			p.keys = append(p.keys, mark)
			c := sentenceControl(t, rest)
			c.At = len(p.keys)
			p.state.Controls = append(p.state.Controls, c)
		}
	}
	for i := range pages {
		pages[i].fillCards()
	}
	return pages
}

func sentenceControl(t testing.TB, l string) Control {
	t.Helper()
	parts := strings.Split(l, " ; ")
	c := controls(parts[0])[0]
	for _, part := range parts[1:] {
		key, value, _ := strings.Cut(part, " ")
		switch key {
		case "card":
			c.Card = value
		case "near":
			c.Near = value
		case "under":
			c.Under = value
		case "at":
			var box [4]float64
			for i, s := range strings.Split(value, ",") {
				n, err := strconv.ParseFloat(s, 64)
				if err != nil {
					t.Fatal(err)
				}
				box[i] = n
			}
			c.Box = surfaces.Bounds{X: box[0], Y: box[1], Width: box[2], Height: box[3]}
		default:
			t.Fatalf("unknown mark %q", key)
		}
	}
	return c
}

// fillCards gives the members of a numbered container without a card of its own
// the names of its links, as the runtime does.
func (p *sentencePage) fillCards() {
	words := map[string]string{}
	item := func(c Control) string {
		for i := len(c.Path) - 1; i >= 0; i-- {
			if strings.Contains(c.Path[i], "#") {
				return strings.Join(c.Path[:i+1], "\x00")
			}
		}
		return ""
	}
	for _, c := range p.state.Controls {
		if c.Role == "link" && item(c) != "" {
			words[item(c)] = strings.TrimSpace(words[item(c)] + " " + c.Name)
		}
	}
	for i := range p.state.Controls {
		if c := &p.state.Controls[i]; c.Card == "" {
			c.Card = words[item(*c)]
		}
	}
}

// options are the page's controls as the runtime offers them.
func (p sentencePage) options() []Option {
	os := options(p.state.Controls)
	for i := range os {
		os[i].At = i + 1
	}
	return os
}

// found is the key of the control that a step would press: the one chosen,
// when the bars of flows.md section 14 let it be used.
func (p sentencePage) found(t testing.TB, sentence string) (string, Answer) {
	t.Helper()
	offered := p.options()
	ask := func(q Question) Answer {
		got, err := NewEmbedded().Evaluate(t.Context(), Request{State: p.state, Questions: map[string]Question{"q": q}})
		if err != nil {
			t.Fatal(err)
		}
		return got["q"]
	}
	a := ask(Question{Type: Choice, Ask: AskTarget, Subject: sentence, Purpose: "click to accomplish: " + sentence, Options: offered})
	if a.Choice == None {
		return None, a
	}
	at, err := strconv.Atoi(a.Choice)
	if err != nil {
		t.Fatal(err)
	}
	if a.Probabilities[a.Choice] < barAct {
		sure := ask(Question{Type: Noul, Ask: AskConfirm, Subject: sentence, Purpose: "click to accomplish: " + sentence, Options: offered[at-1 : at]})
		if sure.P < barAgreed {
			return None, a
		}
	}
	return p.keys[at-1], a
}

// TestSentences holds what is found on small pages of every kind against what
// a person would press, and none where a person would ask.
func TestSentences(t *testing.T) {
	files, err := filepath.Glob("testdata/sentences/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	for _, path := range files {
		file := filepath.Base(path)
		hits, all := 0, 0
		for _, page := range sentencePages(t, file) {
			hits -= page.misses
			for _, row := range page.rows {
				all++
				t.Run(file+"/"+page.name+": "+row[0], func(t *testing.T) {
					got, a := page.found(t, row[0])
					if got != row[1] {
						t.Errorf("got %s at %s (%q), want %s", got, sureness(a), a.Why, row[1])
						return
					}
					hits++
				})
			}
		}
		t.Logf("%s: %d of %d", file, hits, all)
	}
}

func sureness(a Answer) string { return fmt.Sprintf("%.2f", a.Probabilities[a.Choice]) }
