package decider

import (
	"math"
	"strings"
	"testing"

	"countersign/surfaces"
)

func describe(c Control) *surfaces.Description {
	d := surfaces.Describe(&surfaces.Candidate{Role: c.Role, Name: c.Name, Description: c.Description, Value: c.Value, States: c.States, Path: c.Path}, true)
	return &d
}

// The bars of flows.md section 14 that the calibration answers to.
const (
	barAct          = 0.70
	barNamed        = 0.45
	barAgreed       = 0.50
	barIrreversible = 0.85
	barDone         = 0.75
	barAlreadyDone  = 0.85
	barLeansDone    = 0.50
	barStillHolds   = 0.65
	barUnhelpful    = 0.20
)

// TestCalibrationOfControls gives each row of the table that a control can
// earn: which row, how sure, and on which side of which bar.
func TestCalibrationOfControls(t *testing.T) {
	tests := []struct {
		row        grade
		step       string
		control    string
		over, upTo float64
	}{
		{quotedExact, `press "Apply filters"`, `button "Apply filters"`, 0.95, 0.98},
		{quotedWithin, `press "Apply"`, `button "Apply filters"`, barAct, 0.95},
		{namedExact, "open the cart", `link "Cart"`, 0.90, 0.97},
		{namedExact, "add to cart", `button "Add to cart"`, 0.90, 0.97},
		{namedNearly, "open the order history", `link "View order history"`, 0.80, 0.93},
		{wordsInName, "apply the filters", `button "Apply filters to the results"`, barAct, 0.88},
		{nameInWords, "search for trains", `button "Search"`, barAct, 0.88},
		{nameInWords, "continue to delivery", `button "Continue"`, barAct, 0.88},
		{objectOnly, "search for trains", `link "Trains"`, 0, barNamed},
		{objectOnly, "paying for the order", `link "Order details"`, 0, barNamed},
		{halfMatch, "search for trains", `button "Search hotels"`, 0, barNamed},
		{halfMatch, "open the delivery options", `link "Delivery address"`, 0, barNamed},
		{otherNumber, "choose 14 October 2026", `gridcell "15" (15 October 2026)`, 0, barNamed},
		{notQuoted, `press "Apply filters"`, `button "Reset filters"`, 0, barNamed},
		{unrelated, "search for trains", `link "Privacy"`, 0, 0.10},
	}
	for _, tt := range tests {
		t.Run(tt.step+" / "+tt.control, func(t *testing.T) {
			cs := controls(tt.control)
			c := newControl(cs[0].Role, cs[0].Name, cs[0].Description, cs[0].Value, cs[0].States, strings.Join(cs[0].Path, " › "))
			p := purposeOf(tt.step)
			f := read(State{Surface: "window"}).fit(&p, nil, &c)
			if f.grade != tt.row {
				t.Errorf("got row %d, want %d", f.grade, tt.row)
			}
			if f.p < tt.over || f.p > tt.upTo {
				t.Errorf("got %.3f, want %.2f to %.2f", f.p, tt.over, tt.upTo)
			}
			a := ask(t, State{Surface: "window", Controls: cs}, Question{Ask: AskTarget, Subject: tt.step, Options: options(cs)})
			if sure := tt.over >= barNamed; sure != (a.Choice != None) {
				t.Errorf("picked %s at %.2f", a.Choice, a.Probabilities["1"])
			}
			confirm := ask(t, State{Surface: "window", Controls: cs}, Question{Ask: AskConfirm, Subject: tt.step, Options: options(cs)})
			if sure := tt.over >= barNamed; sure != (confirm.P >= barAgreed) {
				t.Errorf("confirmed at %.2f", confirm.P)
			}
		})
	}
}

// TestTwinsNeverClearABar: of two that fit equally well neither is pressed,
// whichever way it is asked.
func TestTwinsNeverClearABar(t *testing.T) {
	for n := 2; n <= 5; n++ {
		for _, step := range []string{"add it to the cart", `press "Add to cart"`, "add to cart"} {
			var lines []string
			for i := range n {
				lines = append(lines, `button "Add to cart" @ main › listitem #`+string(rune('1'+i)))
			}
			cs := controls(lines...)
			state := State{Surface: "window", Controls: cs}
			a := ask(t, state, Question{Ask: AskTarget, Subject: step, Options: options(cs)})
			sum := 0.0
			for key, p := range a.Probabilities {
				sum += p
				if key != None && p >= barNamed {
					t.Errorf("%d twins, %q: %s has %.2f", n, step, key, p)
				}
			}
			if a.Choice != None || math.Abs(sum-1) > 1e-9 {
				t.Errorf("%d twins, %q: picked %s of %v", n, step, a.Choice, a.Probabilities)
			}
			if c := ask(t, state, Question{Ask: AskConfirm, Subject: step, Options: options(cs)[:1]}); c.P >= barNamed {
				t.Errorf("%d twins, %q: confirmed at %.2f", n, step, c.P)
			}
		}
	}
}

// TestVouchedForGood: what is pressed for good fits its phrase, and nothing else
// on the screen does.
func TestVouchedForGood(t *testing.T) {
	tests := []struct {
		phrase string
		screen []string // the first is vouched for
		want   bool
	}{
		{"paying for the order", []string{`button "Pay 4911.00 EUR"`, `link "Back to the cart"`, `textbox "Card number"`}, true},
		{"sending the letter", []string{`button "Send"`, `link "Drafts"`, `link "Sent"`}, true},
		{"sending the mail", []string{`button "Send"`, `button "Discard"`}, true},
		{"submitting the membership", []string{`button "Submit membership"`, `link "Sign in"`}, true},
		{"submitting the form", []string{`button "Submit membership"`, `link "Sign in"`}, true},
		{"placing the order", []string{`button "Place order"`, `link "Order history"`}, true},
		{"placing the order", []string{`button "Pay 4911.00 EUR"`, `link "Back to the cart"`}, true},
		{"paying for the order", []string{`button "Pay 4911.00 EUR"`, `button "Pay later"`}, false},
		{"sending the letter", []string{`button "Send"`, `button "Send to all"`}, false},
		{"sending the letter", []string{`button "Send feedback"`, `link "Drafts"`}, false},
		{"sending the letter", []string{`link "Sent"`, `link "Drafts"`}, false},
		{"deleting the account", []string{`button "Delete draft"`, `link "Account"`}, false},
		{"paying for the order", []string{`link "Order details"`}, false},
		{"paying for the order", []string{`button "Pay"`, `button "Pay"`}, false},
	}
	for _, tt := range tests {
		t.Run(tt.phrase+" / "+strings.Join(tt.screen, ", "), func(t *testing.T) {
			cs := controls(tt.screen...)
			st := State{Surface: "window", Controls: cs}
			q := Question{Ask: AskIs, Subject: tt.phrase, Purpose: "perform: " + tt.phrase, Options: options(cs)[:1]}
			is := ask(t, st, q).P
			q.Ask = AskOnlyNear
			near := ask(t, st, q).P
			if got := (is+1-near)/2 >= barIrreversible; got != tt.want {
				t.Errorf("is %.2f, only near %.2f, want vouched for: %v", is, near, tt.want)
			}
		})
	}
}

// TestCalibrationOrder holds the table against the bars itself.
func TestCalibrationOrder(t *testing.T) {
	over := map[grade]float64{
		quotedExact: 0.95, quotedWithin: barAct, namedExact: barAlreadyDone, namedNearly: barAlreadyDone, wordsInName: barAct,
		nameInWords: barAct, onlyOne: barIrreversible, landed: barAlreadyDone, quietly: barDone, changed: barDone, gone: barAlreadyDone, asStated: barAlreadyDone,
		allStated: barAlreadyDone, allPresent: barAlreadyDone,
	}
	under := map[grade]float64{
		objectOnly: barNamed, halfMatch: barNamed, otherNumber: barNamed, notQuoted: barNamed, twins: barNamed,
		unrelated: 0.10, unfinished: barLeansDone, complained: barLeansDone, astray: barLeansDone, still: barLeansDone, notStarted: 0.10,
		mostPresent: barDone, halfPresent: barStillHolds, nonePresent: 0.10, denied: 0.10,
	}
	for g := range grade(len(calibration)) {
		lo, high := over[g]
		hi, low := under[g]
		if high == low {
			t.Errorf("row %d stands in no bar's list, or in both", g)
		}
		if high && g.p() < lo || low && g.p() >= hi {
			t.Errorf("row %d is at %.2f", g, g.p())
		}
	}
}
