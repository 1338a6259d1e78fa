package decider

import (
	"slices"
	"testing"
)

// conditionEstimate is what the runtime makes of the three answers (flows.md
// section 6).
func conditionEstimate(t *testing.T, s State, condition string) float64 {
	t.Helper()
	answers := Answers{
		"holds":    ask(t, s, Question{Ask: AskHolds, Subject: condition}),
		"negated":  ask(t, s, Question{Ask: AskNegated, Subject: condition}),
		"coverage": ask(t, s, Question{Ask: AskCoverage, Subject: condition, Options: make([]Option, 5)}),
	}
	c, _ := answers.Calibrated("holds", "negated")
	top, _ := answers.Top("coverage")
	sum := 0.0
	for _, l := range answers["coverage"].Levels {
		sum += l
	}
	if sum < 0.999 || sum > 1.001 {
		t.Errorf("%s: the levels add up to %.3f", condition, sum)
	}
	return Combined(c, top)
}

var (
	resultsState = State{
		Surface: "window", Window: "Trains from Vienna Central · Northline", VisibleText: []string{
			"Vienna Central to Innsbruck Central", "14 October 2027",
			"3 connections found", "IC 204", "07:05 – 11:20", "Direct", "€39.90", "RE 7", "09:15 – 14:02", "1 change", "€29.90",
		},
		Controls: controls(`link "Select" @ main › list "Connections" › listitem "IC 204" #1`, `link "Select" @ main › list "Connections" › listitem "RE 7" #2`,
			`link "Select" @ main › list "Connections" › listitem "IC 88" #3`, `link "Trains" @ banner › navigation "Main" › listitem #1`,
			`link "Help" @ banner › navigation "Main" › listitem #2`),
	}
	formState = State{
		Surface: "window", Window: "Northline trains", VisibleText: []string{"Where are you going?", "Fares from €29.90, seats included."},
		Controls: railPage,
	}
	cartState = State{Surface: "window", Window: "Cart · Lamp House", VisibleText: []string{
		"Your cart", "Desk lamp Orla", "Quantity 2", "Total", "€119.80",
		"Delivery is free",
	}, Controls: cartPage, FieldContents: map[string]string{"Promo code": "SPRING"}}
	emptyState  = State{Surface: "window", Window: "Search · Lamp House", VisibleText: []string{"Results for “chandelier”", "No results. Try a shorter word."}}
	dialogState = State{Surface: "sheet", Window: "Lamp House", VisibleText: []string{"Ten percent off your first order"}, Controls: dialogPage}
	sentState   = State{Surface: "window", Window: "Message sent · Pelican Mail", VisibleText: []string{"Your letter was sent", "Back to the inbox"}}
)

func TestConditions(t *testing.T) {
	tests := []struct {
		state     State
		condition string
		want      bool
	}{
		{resultsState, "a list of trains is showing", true},
		{resultsState, "the list of trains is shown", true},
		{resultsState, "the results are showing", true},
		{resultsState, "trains to Innsbruck are listed", true},
		{resultsState, "trains to Salzburg are listed", false},
		{resultsState, "at least 2 trains are showing", true},
		{resultsState, "more than 5 trains are showing", false},
		{resultsState, "a cookie notice is showing", false},
		{resultsState, `"3 connections found" is showing`, true},
		{resultsState, `"4 connections found" is showing`, false},
		{resultsState, "the trains are for 15 October 2027", false},
		{resultsState, "no results are showing", false},
		{formState, "a list of trains is showing", false},
		{formState, "a cookie notice is showing", true},
		{formState, "a cookie banner is in front", true},
		{formState, "a newsletter dialog is showing", false},
		{formState, "a captcha is showing", false},
		{State{Surface: "window", Window: "Delivery address", Controls: addressForm}, "the delivery address form is showing", true},
		{State{Surface: "window", Window: "Delivery address"}, "the delivery address form is showing", false},
		{formState, "the search trains button is showing", true},
		{cartState, "the cart shows the desk lamp", true},
		{cartState, "the cart contains Desk lamp Orla", true},
		{cartState, "the cart contains the ceiling fan", false},
		{cartState, "the cart is empty", false},
		{cartState, "the cart page is showing", true},
		{cartState, "the payment page is showing", false},
		{cartState, "the total is under €150", true},
		{cartState, "the total is at most 100", false},
		{cartState, "the total is €119.80", true},
		{cartState, "the total is €219.80", false},
		{cartState, "the promo code SPRING is entered", true},
		{cartState, "the cart no longer shows the floor fan", true},
		{cartState, "the cart does not contain the desk lamp", false},
		{emptyState, "a list of chandeliers is showing", false},
		{emptyState, "no results are showing", true},
		{emptyState, "there are no results", true},
		{dialogState, "a newsletter dialog is showing", true},
		{dialogState, "a newsletter popup is in front", true},
		{dialogState, "a cookie notice is showing", false},
		{dialogState, "a dialog is in front", true},
		{cartState, "a dialog is in front", false},
		{sentState, "the mail was sent", true},
		{sentState, `"Your letter was sent" is showing`, true},
		{sentState, "the mail was deleted", false},
		{State{Controls: controls(`radio "Express" [checked] @ group "Delivery"`, `radio "Standard" @ group "Delivery"`)}, "the Express option is selected", true},
		{State{Controls: controls(`radio "Express" [checked] @ group "Delivery"`, `radio "Standard" @ group "Delivery"`)}, "Standard is selected", false},
		{State{Controls: controls(`checkbox "Direct trains only"`)}, "direct trains only is ticked", false},
		{State{Controls: controls(`checkbox "Direct trains only"`)}, "direct trains only is unticked", true},
	}
	for _, tt := range tests {
		t.Run(tt.condition, func(t *testing.T) {
			got := conditionEstimate(t, tt.state, tt.condition)
			if (got >= barDone) != tt.want {
				t.Errorf("got %.2f (%q)", got, read(tt.state).holds(tt.condition).why)
			}
			if !tt.want && got >= barStillHolds {
				t.Errorf("holds on a steady screen: %.2f", got)
			}
		})
	}
}

func TestConditionWithEitherHalf(t *testing.T) {
	if got := conditionEstimate(t, cartState, "the cart or the wish list is showing"); got < barDone {
		t.Errorf("got %.2f", got)
	}
}

// TestConditionWhileThePageWorks: a list that is being fetched is none yet.
func TestConditionWhileThePageWorks(t *testing.T) {
	s := State{Surface: "window", Window: "Trains · Northline", VisibleText: []string{"Looking for connections …", "Trains from Vienna"}}
	for _, condition := range []string{"a list of trains is showing", "the trains are listed"} {
		if got := conditionEstimate(t, s, condition); got >= barStillHolds {
			t.Errorf("%s: got %.2f", condition, got)
		}
	}
}

func TestHappened(t *testing.T) {
	pressed := &LastAction{Op: "click", OK: true, Role: "button", Name: "Send", Changed: true, Window: true}
	tests := []struct {
		name   string
		state  State
		phrase string
		want   bool
	}{
		{"it says so", State{Window: "Message sent", VisibleText: sentState.VisibleText, Last: pressed}, "sending the letter", true},
		{"thanks", State{Window: "Order confirmed", VisibleText: []string{"Thank you, Noa"}, Last: pressed}, "paying for the order", true},
		{"still the form", State{
			Window: "New message", VisibleText: []string{"New message"}, Controls: controls(`button "Send"`),
			Last: &LastAction{Op: "click", OK: true, Role: "button", Name: "Send"},
		}, "sending the letter", false},
		{
			"a refusal",
			State{Window: "Payment", VisibleText: []string{"Your card was declined"}, Last: &LastAction{Op: "click", OK: true, Changed: true, Role: "button", Name: "Pay"}},
			"paying for the order", false,
		},
		{"an error page", State{Window: "Payment", VisibleText: []string{"Something went wrong. Try again later."}, Last: pressed}, "paying for the order", false},
		{"another page refuses", State{Window: "Payment declined", VisibleText: []string{"Your card was declined.", "Reference 77-120"}, Last: pressed}, "paying for the order", false},
		{"another page that says nothing", State{Window: "Home", VisibleText: []string{"Hello"}, Last: pressed}, "sending the letter", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if a := ask(t, tt.state, Question{Ask: AskHappened, Subject: tt.phrase}); (a.P >= barDone) != tt.want {
				t.Errorf("got %.2f (%q)", a.P, a.Why)
			}
			if a := ask(t, tt.state, Question{Ask: AskHolds, Subject: tt.phrase + " has happened"}); (a.P >= barDone) != tt.want {
				t.Errorf("as a condition: %.2f", a.P)
			}
		})
	}
}

func TestReflects(t *testing.T) {
	tests := []struct {
		name   string
		page   []Control
		option string
		want   bool
	}{
		{"selected", controls(`option "Sweden" [selected] @ listbox "Country"`, `option "Norway" @ listbox "Country"`), "Sweden", true},
		{"held", controls(`combobox "Country" = Sweden`), "Sweden", true},
		{"another is", controls(`radio "M" [checked]`, `radio "L"`), "L", false},
		{"none is", controls(`radio "M"`, `radio "L"`), "XL", false},
	}
	t.Run("the widget shows it", func(t *testing.T) {
		s := State{Surface: "window", Controls: controls(`button "14 December 2026" (Travel date)`), Last: &LastAction{
			Op: "click", OK: true,
			Changed: true, Role: "gridcell", Name: "14", Opened: []string{`button "14 December 2026"`},
		}}
		if a := ask(t, s, Question{Ask: AskReflects, Subject: "14 December 2026"}); a.P < barDone {
			t.Errorf("got %.2f", a.P)
		}
	})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := State{Surface: "window", Controls: tt.page}
			answers := Answers{"y": ask(t, s, Question{Ask: AskReflects, Subject: tt.option}), "n": ask(t, s, Question{Ask: AskStrays, Subject: tt.option})}
			if p, _ := answers.Calibrated("y", "n"); (p >= 0.50) != tt.want { // REFLECT_FLOOR
				t.Errorf("got %.2f", p)
			}
		})
	}
}

var trainCards = []Option{
	{Key: "1", Text: "IC 204 · 07:05 – 11:20 · 1 change · €39.90 · Select"},
	{Key: "2", Text: "RE 7 · 09:15 – 14:02 · Direct · €29.90 · Select"},
	{Key: "3", Text: "IC 88 · 13:40 – 17:55 · Direct · €44.00 · Select"},
	{Key: "4", Text: "NJ 5 · 22:10 – 06:30 · 2 changes · €59.00 · Select"},
}

func TestRecord(t *testing.T) {
	for wish, want := range map[string]string{
		"an afternoon train":                         "3",
		"a morning train with at most one change":    None,
		"a direct morning train":                     "2",
		"the cheapest direct train":                  "2",
		"the earliest train with at most one change": "1",
		"after 20:00":                                "4",
		"RE 7":                                       "2",
		"the train with a restaurant car":            None,
	} {
		a := ask(t, State{}, Question{Ask: AskRecord, Subject: wish, Purpose: "the list of trains", Options: trainCards})
		got := a.Choice
		if a.Probabilities[got] < 0.50 {
			got = None
		}
		if got != want {
			t.Errorf("%s: got %s of %v", wish, a.Choice, a.Probabilities)
		}
	}
}

func TestRecordByRating(t *testing.T) {
	cards := []Option{
		{Key: "1", Text: "Mule Long · Rated 4.6 of 5 · €2,890.00"},
		{Key: "2", Text: "Drayman · Rated 4.9 of 5 · €4,990.00"},
		{Key: "3", Text: "Mule Compact · Rated 4.7 of 5 · €2,431.00"},
	}
	if a := ask(t, State{}, Question{Ask: AskRecord, Subject: "highest rated", Options: cards}); a.Choice != "2" || a.Probabilities["2"] < 0.50 {
		t.Errorf("got %s of %v", a.Choice, a.Probabilities)
	}
}

func TestBelongs(t *testing.T) {
	cards := []string{"Cargo bike Ivar €2,450.00", "Cargo bike Dag €2,980.00", "Cargo rack €60.00", "Sponsored Cargo bike Sol €900.00"}
	all := map[string]Question{}
	for i, c := range cards {
		all[string(rune('a'+i))] = Question{Ask: AskBelongs, Subject: "the cargo bikes in the search results", Options: []Option{{Key: "1", Text: c}}}
	}
	answers, err := NewEmbedded().Evaluate(t.Context(), Request{Questions: all})
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]bool{"a": true, "b": true, "c": false, "d": false} {
		if p, _ := answers.P(id); (p >= 0.50) != want {
			t.Errorf("%s: got %.2f", id, p)
		}
	}
	one := Question{Ask: AskBelongs, Subject: "the trains under €40", Options: trainCards[:1]}
	if a := ask(t, State{}, one); a.P < 0.50 {
		t.Errorf("under the limit: %.2f", a.P)
	}
	one.Options = trainCards[2:3]
	if a := ask(t, State{}, one); a.P >= 0.50 {
		t.Errorf("over the limit: %.2f", a.P)
	}
	one.Subject, one.Purpose, one.Options = "the list of trains", "rated 4 stars or more", trainCards[:1]
	if a := ask(t, State{}, one); a.P >= 0.50 {
		t.Errorf("a condition it does not show: %.2f", a.P)
	}
}

func TestList(t *testing.T) {
	lists := []Option{
		{Key: "1", Text: "3 items: Home; Trains; Help"},
		{Key: "2", Text: "4 items: IC 204 train 07:05 €39.90; RE 7 train 09:15; IC 88"},
		{Key: "3", Text: "5 items: Terms; Privacy; Careers"},
	}
	a := ask(t, State{}, Question{Ask: AskList, Subject: "the list of trains", Options: lists})
	if a.Choice != "2" || a.Probabilities["2"] < 0.50 {
		t.Errorf("got %s of %v", a.Choice, a.Probabilities)
	}
}

func TestSource(t *testing.T) {
	texts := []string{"Order confirmed", "Thank you, Noa", "Order number: LH-20417", "Total", "€119.80", "Delivery", "Thursday 12 December", "Help"}
	var pieces []Option
	for i, s := range texts {
		pieces = append(pieces, Option{Key: string(rune('a' + i)), Text: s})
	}
	state := State{Surface: "window", VisibleText: texts}
	for what, want := range map[string]string{"the order number": "c", "the total": "e", "the total price": "e", "the phone number": None} {
		a := ask(t, state, Question{Ask: AskSource, Subject: what, Options: pieces})
		got := a.Choice
		if a.Probabilities[got] < 0.50 { // LOCATE_FLOOR
			got = None
		}
		if got != want {
			t.Errorf("%s: got %s of %v", what, a.Choice, a.Probabilities)
		}
	}
	if i := slices.Index(texts, "Help"); i < 0 {
		t.Fatal("no Help")
	}
}

// What all of a list are need not stand on each of them.
func TestBelongsByKind(t *testing.T) {
	all := map[string]Question{}
	for id, card := range map[string]string{"a": "Harbour House €81", "b": "Station Hotel €97", "c": "Fjord Inn €120"} {
		all[id] = Question{Ask: AskBelongs, Subject: "the list of hotels", Options: []Option{{Key: "1", Text: card}}}
	}
	answers, err := NewEmbedded().Evaluate(t.Context(), Request{Questions: all})
	if err != nil {
		t.Fatal(err)
	}
	for id := range all {
		if p, _ := answers.P(id); p < 0.50 {
			t.Errorf("%s: got %.2f", id, p)
		}
	}
}

func TestQuotedTextThatShowsIsShown(t *testing.T) {
	s := State{Surface: "window", VisibleText: []string{"Guest book", "Thank you for your entry"}}
	for condition, want := range map[string]bool{`"Thank you for your entry" is shown`: true, `the page says "your entry"`: true, `"Thank you for the entry" is shown`: false} {
		if a := ask(t, s, Question{Ask: AskHolds, Subject: condition}); (a.P >= barDone) != want {
			t.Errorf("%s: got %.2f", condition, a.P)
		}
	}
}
