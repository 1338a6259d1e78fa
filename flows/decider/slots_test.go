package decider

import "testing"

var (
	addressForm = controls(
		`textbox "Full name" @ main › form`, `textbox "E-mail" @ main › form`, `textbox "Phone (optional)" @ main › form`,
		`textbox "Street and number" @ main › form`, `textbox "Postal code" @ main › form`, `textbox "City" @ main › form`,
		`combobox "Country" @ main › form`, `searchbox "Search bikes and parts" @ search`, `textbox "Your e-mail" @ dialog "Newsletter"`,
	)
	cardForm = controls(
		`textbox "Card number" @ main › form`, `textbox "Name on card" @ main › form`, `textbox "Expiry date (MM/YY)" @ main › form`,
		`textbox "Security code" (three digits on the back) @ main › form`,
	)
	nameForm = controls(
		`textbox "First name" @ group "Passenger 1"`, `textbox "Last name" @ group "Passenger 1"`,
		`textbox "First name" @ group "Passenger 2"`, `textbox "Last name" @ group "Passenger 2"`,
		`textbox "Date of birth" (DD-MM-YYYY) @ group "Passenger 1"`,
	)
	journeyForm = controls(`combobox "From"`, `combobox "To"`, `textbox "Departure date"`, `textbox "Return date"`, `spinbutton "Adults"`)
	leavingForm = controls(`combobox "Leaving from"`, `combobox "Going to"`, `textbox "When"`)
	faultForm   = controls(`textbox "Where is it"`, `textarea "What was it about?"`)
	letterForm  = controls(`textbox "To"`, `textbox "Cc"`, `textbox "Subject"`, `textarea "Message"`)
)

func TestSlot(t *testing.T) {
	const none = None
	tests := []struct {
		form []Control
		slot string
		want string
	}{
		{addressForm, "full name", "1"},
		{addressForm, "name", "1"},
		{addressForm, "e-mail", "2"},
		{addressForm, "email address", "2"},
		{addressForm, "phone number", "3"},
		{addressForm, "mobile", "3"},
		{addressForm, "street", "4"},
		{addressForm, "street and number", "4"},
		{addressForm, "zip code", "5"},
		{addressForm, "postcode", "5"},
		{addressForm, "city", "6"},
		{addressForm, "town", "6"},
		{addressForm, "country", "7"},
		{addressForm, "search bikes and parts", "8"},
		{addressForm, "search", "8"},
		{addressForm, "newsletter e-mail", "9"},
		{addressForm, "company", none},
		{addressForm, "date of birth", none},

		{faultForm, "where is it", "1"},
		{faultForm, "what was it about", "2"},
		{faultForm, "where", "1"},
		{faultForm, "who", none},

		{cardForm, "card number", "1"},
		{cardForm, "name on card", "2"},
		{cardForm, "cardholder name", "2"},
		{cardForm, "expiry", "3"},
		{cardForm, "expiration date", "3"},
		{cardForm, "cvv", "4"},
		{cardForm, "cvc", "4"},
		{cardForm, "security code", "4"},
		{cardForm, "phone number", none},
		{cardForm, "promo code", none},

		{nameForm, "first name of passenger 1", "1"},
		{nameForm, "passenger 2 last name", "4"},
		{nameForm, "first name", none},
		{nameForm, "date of birth", "5"},
		{nameForm, "birth date", "5"},

		{journeyForm, "from", "1"},
		{journeyForm, "origin", "1"},
		{journeyForm, "to", "2"},
		{journeyForm, "destination", "2"},
		{journeyForm, "departure date", "3"},
		{journeyForm, "return date", "4"},
		{journeyForm, "date", none},
		{journeyForm, "adults", "5"},
		{leavingForm, "departure station", "1"},
		{journeyForm, "arrival city", "2"},
		{leavingForm, "from", "1"},
		{leavingForm, "origin", "1"},
		{leavingForm, "destination", "2"},
		{leavingForm, "travel date", "3"},

		{letterForm, "to", "1"},
		{letterForm, "recipient", "1"},
		{letterForm, "subject", "3"},
		{letterForm, "message", "4"},
		{letterForm, "body", "4"},
		{letterForm, "text of the message", "4"},
		{letterForm, "text", "4"},
	}
	for _, tt := range tests {
		t.Run(tt.slot, func(t *testing.T) {
			a := ask(t, State{Surface: "window", Controls: tt.form}, Question{Ask: AskSlot, Subject: tt.slot, Options: options(tt.form)})
			got := a.Choice
			if a.Probabilities[got] < 0.40 { // SLOT_FLOOR
				got = none
			}
			if got != tt.want {
				t.Errorf("got %s of %v (%q), want %s", got, a.Probabilities, a.Why, tt.want)
			}
		})
	}
}

func TestAsks(t *testing.T) {
	state := State{Surface: "window", Controls: addressForm, VisibleText: []string{"Where should we send it?", "Gift wrapping is free"}}
	for slot, want := range map[string]bool{"city": true, "email": true, "gift wrapping": true, "passport number": false, "company": false} {
		if a := ask(t, state, Question{Ask: AskAsks, Subject: slot}); (a.P >= 0.35) != want { // NOT_ASKED
			t.Errorf("%s: got %.2f", slot, a.P)
		}
	}
}

func TestFieldErrors(t *testing.T) {
	tests := []struct {
		name  string
		state State
		slot  string
		want  bool
	}{
		{"a quiet form", State{Controls: addressForm, VisibleText: []string{"Delivery address", "All fields are required"}}, "city", false},
		{"its own text names it", State{Controls: addressForm, VisibleText: []string{"Please enter a valid postal code"}}, "postcode", true},
		{"another field is named", State{Controls: addressForm, VisibleText: []string{"Please enter a valid postal code"}}, "city", false},
		{"its description complains", State{Controls: controls(`textbox "City" (This field is required)`)}, "city", true},
		{"a hint is none", State{Controls: controls(`textbox "City" (as on your card)`)}, "city", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if a := ask(t, tt.state, Question{Ask: AskError, Subject: tt.slot}); (a.P >= 0.70) != tt.want { // FIELD_ERROR
				t.Errorf("got %.2f (%q)", a.P, a.Why)
			}
		})
	}
}

func TestOpens(t *testing.T) {
	for line, want := range map[string]bool{
		`button "Add a promo code"`: true, `link "Promo code?"`: true, `button "Add to cart"`: false,
		`link "Codes of conduct"`: false, `textbox "Promo code"`: false,
	} {
		cs := controls(line)
		a := ask(t, State{Controls: cs}, Question{Ask: AskOpens, Subject: "promo code", Options: options(cs)})
		if (a.P >= 0.80) != want { // OPENER_FLOOR
			t.Errorf("%s: got %.2f", line, a.P)
		}
	}
}

func TestSuggestion(t *testing.T) {
	tests := []struct {
		name, text, slot string
		rows             []Control
		want             string
	}{
		{"exact", "Ghent", "from", controls(`option "Ghent"`, `option "Ghent Dampoort"`), "1"},
		{"the only completion", "Vienna Cen", "from", controls(`option "Vienna Central"`, `option "Linz Central"`), "1"},
		{"more is said", "Pune", "city", controls(`option "Pune, Maharashtra"`, `option "Puno, Peru"`), "1"},
		{"two that complete it", "Pune", "", controls(`option "Pune Junction"`, `option "Pune Airport"`), None},
		{"the slot tells", "Pune", "airport", controls(`option "Pune Junction"`, `option "Pune Airport"`), "2"},
		{"only similar", "Puna", "city", controls(`option "Pune Junction"`), None},
		{"another place", "Ghent", "city", controls(`option "Genk"`, `option "Geneva"`), None},
		{"part of the text", "Central Station Oslo Norway", "from", controls(`option "Oslo"`, `option "Bergen"`), None},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := ask(t, State{}, Question{Ask: AskSuggestion, Subject: tt.text, Purpose: tt.slot, Options: options(tt.rows)})
			got := a.Choice
			if a.Probabilities[got] < 0.50 { // SUGGESTION_FLOOR
				got = None
			}
			if got != tt.want {
				t.Errorf("got %s of %v, want %s", got, a.Probabilities, tt.want)
			}
		})
	}
}

// A slot that says no more than "the text box" is the one there is.
func TestTheOnlyField(t *testing.T) {
	one := []Control{{Role: "textbox"}, {Role: "button", Name: "Save"}}
	two := append([]Control{{Role: "textbox"}}, one...)
	named := []Control{{Role: "textbox", Name: "Message"}, {Role: "button", Name: "Send"}}
	for i, row := range []struct {
		page []Control
		slot string
		want string
	}{{one, "text box", "1"}, {one, "the input field", "1"}, {one, "name", None}, {two, "text box", None}, {named, "text box", "1"}, {named, "name", None}} {
		q := Question{Type: Choice, Ask: AskSlot, Subject: row.slot, Options: options(row.page)}
		if a := ask(t, State{Surface: "window", Controls: row.page}, q); a.Choice != row.want {
			t.Errorf("row %d: %q is %s of %v", i, row.slot, a.Choice, a.Probabilities)
		}
	}
}

// Of fields without a name the place among them tells.
func TestTheFieldAtAPlace(t *testing.T) {
	page := []Control{{Role: "textbox", At: 1}, {Role: "button", Name: "Find", At: 2}, {Role: "textbox", At: 3}, {Role: "textbox", Name: "Second name", At: 4}}
	for slot, want := range map[string]string{
		"first text box": "1", "2nd field": "3", "the last input": "4", "third textbox": "4", "fourth text box": None, "second name": "4", "text box": None,
	} {
		offer := options(page)
		for i := range offer {
			offer[i].At = i + 1
		}
		q := Question{Type: Choice, Ask: AskSlot, Subject: slot, Options: offer}
		if a := ask(t, State{Surface: "window", Controls: page}, q); a.Choice != want {
			t.Errorf("%q is %s of %v", slot, a.Choice, a.Probabilities)
		}
	}
}

// Of two fields of one name the heading above tells.
func TestFieldUnderItsHeading(t *testing.T) {
	page := []Control{{Role: "textbox", Name: "Street", Under: "Billing address", At: 1}, {Role: "textbox", Name: "Street", Under: "Shipping address", At: 2}}
	for slot, want := range map[string]string{"shipping street": "2", "billing street": "1"} {
		offer := options(page)
		offer[0].At, offer[1].At = 1, 2
		q := Question{Type: Choice, Ask: AskSlot, Subject: slot, Options: offer}
		if a := ask(t, State{Surface: "window", Controls: page}, q); a.Choice != want {
			t.Errorf("%q is %s of %v", slot, a.Choice, a.Probabilities)
		}
	}
}

// The second Edit button is the second that shows, also under a table's head.
func TestOrdinalOfAControl(t *testing.T) {
	page := []Control{
		{Role: "button", Name: "Edit", Path: []string{`row "Smith" #2`}}, {Role: "button", Name: "Edit", Path: []string{`row "Jones" #3`}}, {Role: "button", Name: "Edit", Path: []string{`row "Ortega" #4`}},
	}
	q := Question{Type: Choice, Ask: AskTarget, Subject: "press the second Edit button", Options: options(page)}
	if a := ask(t, State{Surface: "window", Controls: page}, q); a.Choice != "2" {
		t.Errorf("got %s of %v", a.Choice, a.Probabilities)
	}
}
