package decider

import (
	"slices"
	"testing"
)

// estimate is what the runtime makes of the judge's answers (flows.md 7.2).
func estimate(t *testing.T, s State, step string) float64 {
	t.Helper()
	answers := Answers{
		"done":     ask(t, s, Question{Ask: AskDone, Subject: step}),
		"not_done": ask(t, s, Question{Ask: AskNotDone, Subject: step}),
		"progress": ask(t, s, Question{Ask: AskProgress, Subject: step, Options: make([]Option, 5)}),
	}
	c, _ := answers.Calibrated("done", "not_done")
	top, _ := answers.Top("progress")
	return Combined(c, top)
}

func TestDoneBeforeActing(t *testing.T) {
	tests := []struct {
		name  string
		step  string
		state State
		want  bool
	}{
		{"a search form is no search", "search for trains", State{Window: "Search trains", Controls: railPage}, false},
		{"a link to it is not it", "open the cart", State{Window: "Lamp House", Controls: shopPage}, false},
		{"the title says it", "open the cart", State{Window: "Cart · Lamp House", Controls: cartPage}, true},
		{"a tick is there", `tick "Direct trains only"`, State{Controls: controls(`checkbox "Direct trains only" [checked]`)}, true},
		{"a tick is missing", `tick "Direct trains only"`, State{Controls: controls(`checkbox "Direct trains only"`)}, false},
		{"chosen already", "select the Express option", State{Controls: controls(`radio "Express" [checked]`, `radio "Standard"`)}, true},
		{"another is chosen", "select the Express option", State{Controls: controls(`radio "Express"`, `radio "Standard" [checked]`)}, false},
		{"no cookie notice", "accept the cookie notice", State{Surface: "window", Controls: shopPage}, true},
		{"a cookie notice", "accept the cookie notice", State{Surface: "window", Controls: railPage}, false},
		{"something new", "create a new note", State{Window: "Note", Controls: controls(`button "New note"`)}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := estimate(t, tt.state, tt.step); (got >= barAlreadyDone) != tt.want {
				t.Errorf("got %.2f", got)
			}
		})
	}
}

func TestDoneAfterActing(t *testing.T) {
	press := func(label string, more LastAction) *LastAction {
		more.Role, more.Name = splitLabel(label)
		more.Op, more.OK = "click", true
		return &more
	}
	tests := []struct {
		name string
		step string
		last *LastAction
		text []string
		want bool
	}{
		{"another page", "search for trains", press(`button "Search trains"`, LastAction{Changed: true, Window: true}), nil, true},
		{"the button's verb alone", "search for trains", press(`button "Search"`, LastAction{Changed: true}), nil, true},
		{"a product page", "open the desk lamp", press(`link "Desk lamp Orla"`, LastAction{Changed: true, Window: true}), nil, true},
		{"quoted", `press "Add to cart"`, press(`button "Add to cart"`, LastAction{Changed: true}), []string{"1 item in your cart"}, true},
		{"the notice went", "accept the cookie notice", press(`button "Accept all cookies"`, LastAction{Changed: true, Gone: []string{`button "Accept all cookies"`}}), nil, true},
		{"the verb and where it goes", "add the bike to the basket", press(`button "Add to cart"`, LastAction{Changed: true, Window: true}), nil, true},
		{"a row's button", "open the invoice of Initech", press(`button "Open"`, LastAction{Changed: true, Window: true, Path: []string{"table", `row "INV-9 Initech €1,220.00" #4`}}), nil, true},
		{"another row's button", "edit Alan Turing", press(`button "Delete"`, LastAction{Changed: true, Path: []string{"table", `row "Alan Turing" #2`}}), nil, false},
		{"nothing changed", "search for trains", press(`button "Search trains"`, LastAction{}), nil, false},
		{"a complaint", "continue to payment", press(`button "Continue"`, LastAction{Changed: true}), []string{"Please enter your city"}, false},
		{"an old complaint", "continue to payment", press(`button "Continue"`, LastAction{Changed: true, Said: []string{"Payment"}}), []string{"All fields are required", "Payment"}, true},
		{"the next stage asks", "continue to payment", press(`button "Continue"`, LastAction{
			Changed: true, Said: []string{"Please enter your card"},
			Opened: []string{`textbox "Card number"`},
		}), nil, true},
		{"something else was pressed", "search for trains", press(`link "Help"`, LastAction{Changed: true, Window: true}), nil, false},
		{"a way out of the way", "search for trains", press(`button "Close"`, LastAction{Changed: true}), nil, false},
		{"only opened", "sort by price", press(`button "Sort"`, LastAction{Changed: true, Opened: []string{`option "Price, lowest first"`, `option "Rating"`}}), nil, false},
		{"the key it names", "press Enter", &LastAction{Op: "press", Name: "return", OK: true, Changed: true, Window: true}, nil, true},
		{"another key", "search for trains", &LastAction{Op: "press", Name: "escape", OK: true, Changed: true}, nil, false},
		{"only waited", "search for trains", &LastAction{Op: "wait", OK: true, Changed: true}, nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := State{Surface: "window", Controls: railPage, VisibleText: tt.text, Last: tt.last}
			got := estimate(t, s, tt.step)
			if (got >= barDone) != tt.want {
				t.Errorf("got %.2f", got)
			}
			if !tt.want && got >= barLeansDone {
				t.Errorf("leans to done: %.2f", got)
			}
			if h := ask(t, s, Question{Ask: AskHelped, Subject: tt.step}); h.P < barUnhelpful {
				t.Errorf("helped: %.2f", h.P)
			}
		})
	}
}

func TestDoneAfterAWaitRemembersThePress(t *testing.T) {
	press := &LastAction{Op: "click", Role: "button", Name: "Search trains", OK: true, Sure: 0.94}
	s := State{
		Surface: "window", Controls: railPage, Last: &LastAction{Op: "wait", OK: true, Changed: true},
		Chosen: []*LastAction{press}, RecentActions: []string{"step 3 (enter): done", `pressing button "Search trains"`, "appeared: link \"IC 204\""},
	}
	if got := estimate(t, s, "search for trains"); got < barDone {
		t.Errorf("got %.2f", got)
	}
	s.Last.Changed = false
	if got := estimate(t, s, "search for trains"); got < barDone {
		t.Errorf("chosen surely, and quiet: %.2f", got)
	}
	press.Sure = 0.5
	if got := estimate(t, s, "look up the trains to Graz"); got >= barDone {
		t.Errorf("pressed for want of better, and quiet: %.2f", got)
	}
	s.Chosen = nil
	if got := estimate(t, s, "search for trains"); got >= barDone {
		t.Errorf("another step's press: %.2f", got)
	}
}

// TestProgressNeverFallsByItself: a fall of a quarter makes the runtime undo.
func TestProgressNeverFallsByItself(t *testing.T) {
	level := func(last *LastAction) float64 {
		a := ask(t, State{Controls: railPage, Last: last}, Question{Ask: AskProgress, Subject: "search for trains", Options: make([]Option, 5)})
		l, _ := Answers{"p": a}.Level("p")
		return l
	}
	states := []*LastAction{
		nil,
		{Op: "wait", OK: true},
		{Op: "click", OK: true, Role: "link", Name: "Help"},
		{Op: "click"},
		{Op: "click", OK: true, Role: "link", Name: "Help", Changed: true, Window: true},
	}
	for i, a := range states {
		for j, b := range states {
			if fall := level(a) - level(b); fall >= 0.25 {
				t.Errorf("from %d to %d it falls by %.2f", i, j, fall)
			}
		}
	}
}

func TestHelpedSeesAnErrorPage(t *testing.T) {
	s := State{Window: "Page not found", Last: &LastAction{Op: "click", OK: true, Changed: true, Window: true, Role: "link", Name: "Help"}}
	if a := ask(t, s, Question{Ask: AskHelped, Subject: "open the help"}); a.P >= barUnhelpful {
		t.Errorf("got %.2f", a.P)
	}
}

func TestBlocked(t *testing.T) {
	banner := append(slices.Clone(shopPage), controls(`button "Accept" @ popover "Cookies"`, `button "Reject" @ popover "Cookies"`)...)
	tests := []struct {
		name    string
		step    string
		surface string
		page    []Control
		want    bool
	}{
		{"nothing in front", "open the cart", "window", shopPage, false},
		{"a banner at the foot", "open the cart", "window", banner, false},
		{"a dialog over the step's control", "open the cart", "sheet", dialogPage, true},
		{"the dialog is what the step is about", "close the newsletter dialog", "sheet", dialogPage, false},
		{"the step's control is in the dialog", "subscribe to the newsletter", "sheet", dialogPage, false},
		{"another step", "search for trains", "sheet", dialogPage, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := ask(t, State{Surface: tt.surface, Controls: tt.page}, Question{Ask: AskBlocked, Subject: tt.step})
			if (a.P >= 0.70) != tt.want { // BLOCKED
				t.Errorf("got %.2f (%q)", a.P, a.Why)
			}
		})
	}
}

func TestDismiss(t *testing.T) {
	tests := []struct {
		name string
		page []Control
		want string
	}{
		{"close rather than subscribe", dialogPage, "2"},
		{"reject rather than accept", controls(`button "Accept all" @ dialog "Cookies"`, `button "Necessary only" @ dialog "Cookies"`, `link "Policy" @ dialog "Cookies"`), "2"},
		{"a cross", controls(`button "Get the app" @ popover`, `button "×" @ popover`), "2"},
		{"not now", controls(`button "Install" @ dialog`, `button "Not now" @ dialog`), "2"},
		{"only consent", controls(`button "Got it" @ dialog "Cookies"`), "1"},
		{"nothing but Escape", controls(`button "Subscribe" @ dialog "Newsletter"`), "escape"},
		{"a close outside is not meant", controls(`button "Close" @ main`, `button "OK" @ dialog`), "2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			offered := append(options(tt.page), Option{Key: "escape", Text: "press Escape"})
			a := ask(t, State{Surface: "sheet", Controls: tt.page}, Question{Ask: AskDismiss, Subject: "open the cart", Options: offered})
			if a.Choice != tt.want {
				t.Errorf("got %s of %v", a.Choice, a.Probabilities)
			}
		})
	}
}

func TestMove(t *testing.T) {
	every := []Option{{Key: "activate"}, {Key: "expand"}, {Key: "scroll"}, {Key: "shortcut"}, {Key: "wait"}, {Key: "finished"}, {Key: "stuck"}}
	noWait := slices.DeleteFunc(slices.Clone(every), func(o Option) bool { return o.Key == "wait" })
	pressed := &LastAction{Op: "click", OK: true, Changed: true, Window: true, Role: "button", Name: "Search trains"}
	tests := []struct {
		name    string
		step    string
		state   State
		offered []Option
		want    string
	}{
		{"a control serves", "search for trains", State{Controls: railPage}, every, "activate"},
		{"done", "search for trains", State{Controls: railPage, Last: pressed}, every, "finished"},
		{"the page refuses", "sign in", State{Controls: controls(`button "Sign in"`), Last: &LastAction{
			Op: "click", OK: true, Changed: true, Role: "button",
			Name: "Sign in", Said: []string{"The password is not correct."},
		}}, every, "stuck"},
		{"a slow answer", "search for trains", State{Controls: railPage, Last: &LastAction{Op: "click", OK: true, Role: "button", Name: "Search trains"}}, every, "wait"},
		{"the page works", "open the timetable of line 7", State{Controls: railPage, VisibleText: []string{"Loading…"}}, every, "wait"},
		{"nothing yet", "open the lost property page", State{Controls: railPage}, every, "wait"},
		{"nothing after waiting", "open the lost property page", State{Controls: railPage, Last: &LastAction{Op: "wait", OK: true}}, noWait, "scroll"},
		{"nothing after scrolling", "open the lost property page", State{Controls: railPage, Last: &LastAction{Op: "scroll", OK: true}}, noWait, "stuck"},
		{"a key is named", "press Enter", State{Controls: railPage}, every, "shortcut"},
		{"back", "go back", State{Controls: railPage}, every, "shortcut"},
		{"back by a link", "go back to the inbox", State{Controls: controls(`link "Back to inbox"`)}, every, "activate"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.state.Surface = "window"
			if a := ask(t, tt.state, Question{Ask: AskMove, Subject: tt.step, Options: tt.offered}); a.Choice != tt.want {
				t.Errorf("got %s (%q)", a.Choice, a.Why)
			}
		})
	}
}

func TestShortcut(t *testing.T) {
	keys := []Option{{Key: "new_item"}, {Key: "reply"}, {Key: "back"}, {Key: "confirm"}, {Key: "dismiss"}}
	for step, want := range map[string]string{
		"press Enter": "confirm", "go back": "back", "press Escape": "dismiss", "search for trains": None,
		"create a new note": "new_item", "pay for the order": None,
	} {
		if a := ask(t, State{Controls: railPage}, Question{Ask: AskShortcut, Subject: step, Options: keys}); a.Choice != want {
			t.Errorf("%s: got %s", step, a.Choice)
		}
	}
}

func TestPageKind(t *testing.T) {
	kinds := []Option{{Key: "search form"}, {Key: "results"}, {Key: "payment"}, {Key: "confirmation"}, {Key: "captcha"}, {Key: "other"}}
	for title, want := range map[string]string{"Payment · Shop": "payment", "Verify you are human": "captcha", "Order confirmed": "confirmation", "About us": "other"} {
		if a := ask(t, State{Window: title}, Question{Ask: AskPageKind, Options: kinds}); a.Choice != want {
			t.Errorf("%s: got %s of %v", title, a.Choice, a.Probabilities)
		}
	}
}
