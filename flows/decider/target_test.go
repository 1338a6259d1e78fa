package decider

import "testing"

var (
	railPage = controls(
		`link "Northline" @ banner`, `link "Timetables" @ banner › navigation "Main"`, `link "Trains" @ banner › navigation "Main"`,
		`link "Search" @ banner › navigation "Main"`,
		`combobox "From" @ main › form "Plan your journey"`, `combobox "To" @ main › form "Plan your journey"`,
		`button "Travel date" [collapsed] @ main › form "Plan your journey"`,
		`combobox "Adults" = 1 @ main › form "Plan your journey"`,
		`checkbox "Direct trains only" @ main › form "Plan your journey"`,
		`button "Search trains" @ main › form "Plan your journey"`,
		`button "Reject all cookies" @ region "Cookie notice"`, `button "Accept all cookies" @ region "Cookie notice"`,
		`link "Help" @ contentinfo`,
	)
	cartPage = controls(
		`link "Cart (2)" @ banner`, `button "minus" @ main › listitem "Desk lamp Orla" #1`, `button "+" @ main › listitem "Desk lamp Orla" #1`,
		`button "Remove" @ main › listitem "Desk lamp Orla" #1`, `button "Remove" @ main › listitem "Floor lamp Runa" #2`,
		`link "Continue shopping" @ main`, `button "Proceed to checkout" @ main`, `textbox "Promo code" @ main`, `button "Apply" @ main`,
	)
	mailPage = controls(
		`button "Compose" @ navigation`, `link "Inbox (3)" @ navigation`, `link "Sent" @ navigation`, `link "Drafts" @ navigation`,
		`searchbox "Search mail" @ search`, `checkbox "Select all" @ toolbar`, `button "Archive" @ toolbar`, `button "Delete" @ toolbar`,
		`button "Reply" @ main`, `button "Forward" @ main`, `link "Saturday market" @ main › row #1`, `link "Invoice 2201" @ main › row #2`,
	)
	inboxPage = controls(
		`link "Mira Okafor Saturday market 09:12" @ main › list › listitem #1`, `link "Fernwood Library Your reservation is ready Yesterday" @ main › list › listitem #2`,
		`link "Jonas Weber Minutes of the house meeting Mon" @ main › list › listitem #3`, `link "Compose" @ navigation`,
	)
	fieldPage = controls(`textbox "A"`, `textbox "B"`, `textbox "C"`, `textarea "Remarks"`, `checkbox "I agree"`, `button "Send"`)
	paintPage = controls(`button "green"`, `button "blue"`, `link "Help"`)
	okPage    = controls(
		`textbox "Full name" @ dialog "Membership"`, `textbox "PIN" @ dialog "Membership"`, `button "Cancel" @ dialog "Membership"`,
		`button "OK" @ dialog "Membership"`,
	)
	dialogPage = controls(
		`link "Cart" [covered] @ banner`, `button "Close" @ dialog "Newsletter"`, `button "Subscribe" @ dialog "Newsletter"`,
		`textbox "E-mail" @ dialog "Newsletter"`, `button "Close" [covered] @ main › region "Sale"`,
	)
)

// TestTarget holds the picks against what a person would press on such pages,
// and the refusals against what a person would ask about.
func TestTarget(t *testing.T) {
	tests := []struct {
		page []Control
		step string
		want string
	}{
		{railPage, "search for trains", `button "Search trains"`},
		{fieldPage, "click on the third text box", `textbox "C"`},
		{fieldPage, "focus into the 2nd input textbox", `textbox "B"`},
		{fieldPage, "focus on the text area", `textarea "Remarks"`},
		{fieldPage, "click the text box", `none`}, // which of three
		{fieldPage, "click the check box", `checkbox "I agree"`},
		{paintPage, "Click on the green box.", `button "green"`},
		{paintPage, "click on the blue tile", `button "blue"`},
		{paintPage, "click on the red tile", `none`},
		{mailPage, "sending the letter", "none"}, // "Sent" is a folder
		{mailPage, "perform: deleting the letter", `button "Delete"`},
		{mailPage, "open the sent mail", `link "Sent"`},
		{railPage, "start the search", `none`},
		{railPage, `press "Search trains"`, `button "Search trains"`},
		{railPage, "find trains", `button "Search trains"`},
		{railPage, "open the timetables", `link "Timetables"`},
		{railPage, "reject the cookies", `button "Reject all cookies"`},
		{railPage, "accept the cookie notice", `button "Accept all cookies"`},
		{railPage, "decline all cookies", `button "Reject all cookies"`},
		{railPage, "show direct trains only", `checkbox "Direct trains only"`},
		{railPage, "tick direct trains", `checkbox "Direct trains only"`},
		{railPage, "open the travel date picker", `button "Travel date"`},
		{railPage, "go to help", `link "Help"`},
		{railPage, "buy a ticket", "none"},
		{railPage, "open the lost property page", "none"},
		{railPage, `press "Buy now"`, "none"},

		{okPage, `perform: submitting the membership by pressing "OK"`, `button "OK"`},
		{okPage, `perform: submitting the membership by pressing "Send"`, "none"},
		{okPage, "perform: submitting the membership", "none"}, // nothing says that OK does
		{okPage, `submitting "OK"`, "none"},

		{shopPage, "open the cart", `link "Cart (1)"`},
		{shopPage, "go to the basket", `link "Cart (1)"`},
		{shopPage, "search for lamps", `button "Search"`},
		{shopPage, "open the desk lamp", `link "Desk lamp Orla"`},
		{shopPage, "open Floor lamp Runa", `link "Floor lamp Runa"`},
		{shopPage, "add the floor lamp to the cart", `button "Add to cart"`},
		{shopPage, `add "Desk lamp Orla" to the cart`, `button "Add to cart"`},
		{shopPage, "add the second lamp to the cart", `button "Add to cart"`},
		{shopPage, "add a lamp to the cart", "none"},
		{shopPage, "open a lamp", "none"},
		{shopPage, "show only what is in stock", `checkbox "In stock only"`},
		{shopPage, "pay for the order", "none"},

		{cartPage, "continue to checkout", `button "Proceed to checkout"`},
		{cartPage, "check out", `button "Proceed to checkout"`},
		{cartPage, "continue shopping", `link "Continue shopping"`},
		{cartPage, "remove the floor lamp", `button "Remove"`},
		{cartPage, "remove an item", "none"},
		{cartPage, "apply the promo code", `button "Apply"`},
		{cartPage, "increase the quantity of the desk lamp", `button "+"`},

		{mailPage, "write a new mail", `button "Compose"`},
		{mailPage, "compose a message", `button "Compose"`},
		{mailPage, "open the inbox", `link "Inbox (3)"`},
		{mailPage, "reply to the message", `button "Reply"`},
		{mailPage, "forward the message", `button "Forward"`},
		{mailPage, "open the mail about the Saturday market", `link "Saturday market"`},
		{mailPage, "open the sent folder", `link "Sent"`},
		{inboxPage, "open the mail from Fernwood Library", `link "Fernwood Library Your reservation is ready Yesterday"`},
		{inboxPage, "open the message about the house meeting", `link "Jonas Weber Minutes of the house meeting Mon"`},
		{inboxPage, "open the mail from the library in Oslo", "none"},
		{inboxPage, "open a mail", "none"},
		{mailPage, "open invoice 2203", "none"},
		{mailPage, "deleting the draft", `button "Delete"`},
		{mailPage, "publishing the post", "none"},

		{dialogPage, "close the newsletter dialog", `button "Close"`},
		{dialogPage, "close the popup", `button "Close"`},
	}
	for _, tt := range tests {
		t.Run(tt.step, func(t *testing.T) {
			surface := "window"
			if tt.page[0].Name == "Cart" {
				surface = "sheet"
			}
			a := ask(t, State{Surface: surface, Controls: tt.page}, Question{Ask: AskTarget, Subject: tt.step, Options: options(tt.page)})
			if got := chosen(a, tt.page); got != tt.want {
				t.Errorf("got %s at %.2f (%q), want %s", got, a.Probabilities[a.Choice], a.Why, tt.want)
			}
		})
	}
}

// TestTargetTellsCardsApart: look-alikes are told by the card they stand on.
func TestTargetTellsCardsApart(t *testing.T) {
	for step, want := range map[string]string{
		"add the floor lamp to the cart":    "8",
		`add "Desk lamp Orla" to the cart`:  "6",
		"add the second lamp to the cart":   "8",
		"add the last lamp to the cart":     "8",
		"add the first product to the cart": "6",
	} {
		a := ask(t, State{Surface: "window", Controls: shopPage}, Question{Ask: AskTarget, Subject: step, Options: options(shopPage)})
		if a.Choice != want {
			t.Errorf("%s: got %s at %v", step, a.Choice, a.Probabilities)
		}
	}
}

// TestTargetOption: the words of an option decide, what it is an option of
// breaks ties.
func TestTargetOption(t *testing.T) {
	cs := controls(`radio "M" @ group "Size"`, `radio "L" @ group "Size"`, `radio "XL" @ group "Size"`, `option "Sweden" @ listbox "Country"`,
		`option "Sweden" @ listbox "Billing country"`, `gridcell "14" (14 October 2026)`, `gridcell "14" (14 November 2026)`,
		`gridcell "4" (4 October 2026)`)
	tests := []struct{ option, of, want string }{
		{"M", "size", "1"},
		{"L", "size", "2"},
		{"XL", "", "3"},
		{"XXL", "size", None},
		{"14 October 2026", "travel date", "6"},
		{"2026-11-14", "travel date", "7"},
		{"4 October 2026", "date", "8"},
		{"5 October 2026", "date", None},
		{"Sweden", "billing country", "5"},
	}
	for _, tt := range tests {
		a := ask(t, State{Surface: "window", Controls: cs}, Question{Ask: AskTarget, Subject: tt.option, Purpose: tt.of, Options: options(cs)})
		if a.Choice != tt.want {
			t.Errorf("%s of %s: got %s of %v", tt.option, tt.of, a.Choice, a.Probabilities)
		}
	}
}

// TestTargetByDescription: a page's own label of a control counts as a name.
func TestTargetByDescription(t *testing.T) {
	cs := controls(`button "Choose a day" [collapsed] (Travel date)`, `button "Search trains"`, `link "Passes"`, `combobox "Adults"`)
	for _, step := range []string{"open the choices of travel date", "open the travel date", "choose the travel date"} {
		a := ask(t, State{Surface: "window", Controls: cs}, Question{Ask: AskTarget, Subject: step, Options: options(cs)})
		if a.Choice != "1" || a.Probabilities["1"] < barAct {
			t.Errorf("%s: got %s of %v", step, a.Choice, a.Probabilities)
		}
	}
}

// TestTargetByCard: where nothing names the items of a list, their words do.
func TestTargetByCard(t *testing.T) {
	cs := controls(`checkbox "Done" @ main › list "Todos" › listitem #1`, `button "Delete" @ main › list "Todos" › listitem #1`,
		`checkbox "Done" @ main › list "Todos" › listitem #2`, `button "Delete" @ main › list "Todos" › listitem #2`)
	for i, text := range []string{"Water the plants", "Water the plants", "Buy milk", "Buy milk"} {
		cs[i].Card = text
	}
	for step, want := range map[string]string{"tick Buy milk as done": "3", "deleting the todo Buy milk": "4", "tick Water the plants": "1", "tick it as done": None} {
		a := ask(t, State{Surface: "window", Controls: cs}, Question{Ask: AskTarget, Subject: step, Options: options(cs)})
		if a.Choice != want {
			t.Errorf("%s: got %s of %v", step, a.Choice, a.Probabilities)
		}
	}
}

func TestRegion(t *testing.T) {
	regions := []Option{{Key: "1", Text: `navigation "Main": 4 controls, such as link "Trains"`}, {Key: "2", Text: `form "Plan your journey": 6 controls, such as combobox "From"`}}
	if a := ask(t, State{}, Question{Ask: AskRegion, Subject: "open the timetables", Options: regions}); a.Choice != None {
		t.Errorf("a region that is not named: got %s", a.Choice)
	}
	footer := append(regions, Option{Key: "3", Text: `contentinfo: 3 controls, such as link "Contact", link "Library rules"`})
	if a := ask(t, State{}, Question{Ask: AskRegion, Subject: `tick "I accept the library rules"`, Options: footer}); a.Choice != None {
		t.Errorf("a region that shares a word with the step: got %s of %v", a.Choice, a.Probabilities)
	}
	if a := ask(t, State{}, Question{Ask: AskRegion, Subject: "open the journey plan", Options: regions}); a.Choice != "2" {
		t.Errorf("a region that is named: got %s of %v", a.Choice, a.Probabilities)
	}
}
