package decider

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"countersign/surfaces/fault"

	"github.com/google/go-cmp/cmp"
)

// controls reads lines such as
//
//	button "Add to cart" [disabled] (description) = value @ main › article "Lamp" #2
func controls(lines ...string) []Control {
	var out []Control
	for _, l := range lines {
		var c Control
		l, path, ok := strings.Cut(l, " @ ")
		if ok {
			c.Path = strings.Split(path, " › ")
		}
		l, c.Value, _ = strings.Cut(l, " = ")
		if head, rest, ok := strings.Cut(l, " ("); ok && strings.HasSuffix(rest, ")") {
			l, c.Description = head, strings.TrimSuffix(rest, ")")
		}
		if head, rest, ok := strings.Cut(l, " ["); ok {
			l, c.States = head, strings.Split(strings.TrimSuffix(rest, "]"), " ")
		}
		c.Role, c.Name = splitLabel(l)
		out = append(out, c)
	}
	return out
}

func options(cs []Control) []Option {
	var out []Option
	for i, c := range cs {
		out = append(out, Option{Key: strconv.Itoa(i + 1), Role: c.Role, Name: c.Name, States: c.States, Description: describe(c)})
	}
	return out
}

func ask(t *testing.T, s State, q Question) Answer {
	t.Helper()
	answers, err := NewEmbedded().Evaluate(context.Background(), Request{State: s, Questions: map[string]Question{"q": q}})
	if err != nil {
		t.Fatal(err)
	}
	a, ok := answers["q"]
	if !ok {
		t.Fatalf("no answer to %s", q.Ask)
	}
	if len(a.Why) == 0 && q.Ask != AskPageKind && a.Choice != None {
		t.Errorf("%s gives no reason: %+v", q.Ask, a)
	}
	return a
}

// chosen is the label of what was picked, or "none".
func chosen(a Answer, cs []Control) string {
	i, err := strconv.Atoi(a.Choice)
	if err != nil {
		return a.Choice
	}
	return cs[i-1].Role + ` "` + cs[i-1].Name + `"`
}

func TestEmbeddedSaysWhatItIs(t *testing.T) {
	var d Decider = NewEmbedded()
	if d.Framings() || d.Name() != "embedded" {
		t.Errorf("got framings %v, name %q", d.Framings(), d.Name())
	}
}

func TestEvaluateStopsWhenWithdrawn(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := NewEmbedded().Evaluate(ctx, Request{})
	if !errors.Is(err, context.Canceled) || fault.CodeOf(err) != fault.DeciderTimeout {
		t.Errorf("got %v", err)
	}
}

func TestUnknownAskHasNoAnswer(t *testing.T) {
	answers, err := NewEmbedded().Evaluate(context.Background(), Request{Questions: map[string]Question{"q": {Ask: "weather"}}})
	if err != nil || len(answers) != 0 {
		t.Errorf("got %v, %v", answers, err)
	}
}

var shopPage = controls(
	`link "Lamp House" @ banner`,
	`link "Cart (1)" @ banner`,
	`searchbox "Search products" @ search`,
	`button "Search" @ search`,
	`link "Desk lamp Orla" @ main › list › listitem #1`,
	`button "Add to cart" @ main › list › listitem "Desk lamp Orla" #1`,
	`link "Floor lamp Runa" @ main › list › listitem #2`,
	`button "Add to cart" @ main › list › listitem "Floor lamp Runa" #2`,
	`checkbox "In stock only" @ complementary "Filters"`,
	`link "Terms" @ contentinfo`,
)

// TestFL30OrderAndKeysPlayNoPart: the same request asked with its options
// reordered and its keys spelled otherwise has the same winner and the same
// probabilities.
func TestFL30OrderAndKeysPlayNoPart(t *testing.T) {
	cards := []Option{
		{Key: "1", Text: "IC 204 · 07:05 · €39.00 · 1 change"},
		{Key: "2", Text: "RE 7 · 09:15 · €19.00 · direct"},
		{Key: "3", Text: "IC 88 · 18:40 · €24.00 · direct"},
	}
	fields := options(controls(`textbox "First name"`, `textbox "Last name"`, `textbox "E-mail"`, `textbox "Phone" (with country code)`))
	tests := []struct {
		name string
		q    Question
	}{
		{"target", Question{Ask: AskTarget, Subject: "search for lamps", Options: options(shopPage)}},
		{"a tie", Question{Ask: AskTarget, Subject: "add it to the cart", Options: options(shopPage)}},
		{"group", Question{Ask: AskGroup, Subject: "add the floor lamp to the cart", Options: options(shopPage)}},
		{"again", Question{Ask: AskAgain, Subject: "open the terms", Options: options(shopPage)}},
		{"slot", Question{Ask: AskSlot, Subject: "email address", Options: fields}},
		{"slot with no field", Question{Ask: AskSlot, Subject: "seat", Options: fields}},
		{"record", Question{Ask: AskRecord, Subject: "the cheapest direct train", Options: cards}},
		{"record with a tie", Question{Ask: AskRecord, Subject: "a direct train", Options: cards}},
		{"list", Question{Ask: AskList, Subject: "the list of trains", Options: []Option{
			{Key: "1", Text: "3: Home; Trains; Help"}, {Key: "2", Text: "6: train IC 204 07:05 €39.00; train RE 7 09:15 €19.00; IC 88"},
		}}},
		{"suggestion", Question{Ask: AskSuggestion, Subject: "Ghent", Purpose: "from", Options: options(controls(
			`option "Ghent"`, `option "Ghent Dampoort"`, `option "Gent"`))}},
		{"dismiss", Question{Ask: AskDismiss, Subject: "open the cart", Options: options(controls(
			`button "Close" @ dialog "Newsletter"`, `button "×" @ dialog "Newsletter"`, `button "Subscribe" @ dialog "Newsletter"`))}},
		{"source", Question{Ask: AskSource, Subject: "the order number", Options: []Option{
			{Key: "1", Text: "Thank you"}, {Key: "2", Text: "Order number LH-20417"}, {Key: "3", Text: "Order 3 more"},
		}}},
		{"move", Question{Ask: AskMove, Subject: "search for lamps", Options: []Option{{Key: "activate", Text: "a"}, {Key: "wait", Text: "w"}, {Key: "stuck", Text: "s"}}}},
		{"page kind", Question{Ask: AskPageKind, Options: []Option{{Key: "results", Text: "results"}, {Key: "payment", Text: "payment"}, {Key: "other", Text: "other"}}}},
	}
	state := State{Surface: "window", Window: "Lamp House", Controls: shopPage, VisibleText: []string{"Lamps", "2 results"}}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, tt := range tests {
		t.Run("FL-30 "+tt.name, func(t *testing.T) {
			want := byText(ask(t, state, tt.q), tt.q.Options)
			for range 10 {
				q := tt.q
				q.Options = append([]Option(nil), tt.q.Options...)
				rng.Shuffle(len(q.Options), func(i, j int) { q.Options[i], q.Options[j] = q.Options[j], q.Options[i] })
				if tt.q.Ask != AskMove && tt.q.Ask != AskPageKind {
					for i := range q.Options {
						q.Options[i].Key = string(rune('A' + i))
					}
				}
				if diff := cmp.Diff(want, byText(ask(t, state, q), q.Options)); diff != "" {
					t.Fatalf("reordered (-first +now):\n%s", diff)
				}
			}
		})
	}
}

// byText is an answer with every key spelled as what it stands for.
func byText(a Answer, options []Option) map[string]string {
	out := map[string]string{"choice": a.Choice}
	for i, o := range options {
		id := fmt.Sprint(o.Role, "|", o.Name, "|", o.Text, "|", o.Description)
		if o.Description != nil {
			id = fmt.Sprint(o.Role, "|", o.Name, "|", o.Text, "|", *o.Description)
		}
		if options[i].Key == a.Choice {
			out["choice"] = id
		}
		out[id] = strconv.FormatFloat(math.Round(a.Probabilities[o.Key]*1e9)/1e9, 'g', -1, 64)
	}
	return out
}
