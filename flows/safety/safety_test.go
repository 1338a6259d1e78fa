package safety

import (
	"strings"
	"testing"

	"countersign/surfaces"

	"github.com/google/go-cmp/cmp"
)

func TestA91_FL99_Classify(t *testing.T) {
	for class, labels := range map[Class][]string{
		Payment: {
			"Pay €42.10", "Checkout", "Place your order", // table of 8.1
			"pay", "Pay now", "Place order", "Confirm order", "Buy now", "Confirm and pay", "paying", "buy", "buying",
			"purchase", "purchasing", "Complete order", "Complete purchase", "Make payment", "Submit payment", "placing the order",
			"Proceed to checkout", "PAY-NOW", "paying for the ticket", "Confirm your order", "completing the purchase",
			"P\u200bay now", "Ｐａｙ now",
		},
		Irreversible: {
			"Send", "Delete draft", "Confirm ride", "", // table of 8.1
			"Remove guest details", // table of 8.1
			"publish", "Confirm booking", "Sign out", "submit", "sending the letter", "deleting", "publishing", "submitting",
			"remove", "erase", "discard changes", "overwrite", "Transfer money", "Log out", "Move to trash", "  ", "\u200b",
			"sign-out", "Remove passenger details", "Remove Adult and send", "Remove adult information",
		},
		Reversible: {
			"Payment history", "Check-out date", "Book", "Continue to delivery", // table of 8.1
			"Sender details", "Remove Guest", "Reduce passengers", // table of 8.1
			"Remove Adult", "minus room", "Decrease children", "subtract infant", "select", "Next", "View details", "payment",
			"Check out", "×", "→", "Paid orders", "Resend policy", "signed in",
		},
	} {
		for _, label := range labels {
			if got := Classify(label); got != class {
				t.Errorf("Classify(%q) = %v, want %v", label, got, class)
			}
		}
	}
}

func TestHardToUndo(t *testing.T) {
	for label, want := range map[string]string{
		"Delete": "delete", "Remove item": "remove", "Send": "send", "Purchase": "purchase", "Buy tickets": "buy", "Pay": "pay",
		"Submit": "submit", "Confirm": "confirm", "Overwrite": "overwrite", "Sign out": "sign out", "Erase": "erase",
		"Discard": "discard", "Publish": "publish", "Transfer": "transfer", "Log out": "log out", "Move to Trash": "trash",
		"Remove guest details": "remove",
		"Remove Adult":         "", "Reduce rooms": "", "Checkout": "", "Sender": "", "": "", "Confirmation": "", "Trashy novels": "",
	} {
		got, found := HardToUndo(label)
		if got != want || found != (want != "") {
			t.Errorf("HardToUndo(%q) = %q %v, want %q", label, got, found, want)
		}
	}
}

func TestCheckoutOnly(t *testing.T) {
	for label, want := range map[string]bool{
		"Checkout": true, "Proceed to checkout": true, "checkout (2 items)": true,
		"Checkout and pay": false, "Buy now": false, "Check out": false, "Place order": false, "": false,
	} {
		if got := CheckoutOnly(label); got != want {
			t.Errorf("CheckoutOnly(%q) = %v, want %v", label, got, want)
		}
	}
}

func TestA94_FL98_Names(t *testing.T) {
	for _, row := range []struct {
		phrase, label string
		want          bool
	}{
		{"sending the letter", "Send", true},
		{"the current bill", "Rent", false},
		{"deleting the draft", "Delete", true},
		{"restarting the server", "Art", false},
		{"paying for the booking", "Book", true}, // a tab is exempt at the gate, not here
		{"paying for the booking", "Pay", true},
		{"paying for the booking", "Pay ₹1", false},
		{"submitting the membership form", "Submit", true},
		{"submitting the order", "S", false}, // a size
		{"booking seat a", "A", true},
		{"booking 2 seats", "2", false}, // a number names no act
		{"sending the letter", "", false},
		{"sending the letter", "sending the letter now please", false},
		{"posting the reply", "Post", true},
	} {
		if got := Names(row.phrase, row.label); got != row.want {
			t.Errorf("Names(%q, %q) = %v, want %v", row.phrase, row.label, got, row.want)
		}
	}
}

func TestA46_SignInOnly(t *testing.T) {
	for phrase, want := range map[string]bool{
		"signing in": true, "logging in to the account": true, "log in": true, "login": true, "sign-in": true,
		"logging in with the e-mail": true, "the login": true, "pressing Log in": true,
		"signing up": false, "creating an account": false, "paying or logging in": false, "logging in and paying": false,
		"signing in to pay": false, "logging in to transfer money": false, "signing the contract": false,
		"logging in or registering": false, "signing out": false, "": false, "reviewing the login": false,
		"signing in to the bank to move 500 kroner": false,
	} {
		if got := SignInOnly(phrase); got != want {
			t.Errorf("SignInOnly(%q) = %v, want %v", phrase, got, want)
		}
	}
}

func TestGuardOf(t *testing.T) {
	for guard, phrases := range map[Guard][]string{
		Guards: {
			"paying for the ticket", "submitting the membership form", "sending", "booking the seat", "reserving a table",
			"posting the reply", "sharing the album", "ordering the notebooks", "confirming", "cancelling the trip",
			"transferring money", "installing the app", "uninstalling it", "registering", "unsubscribing", "signing up",
			"creating an account", "create your account", "signing out", "moving it to trash", "open the pay page", "paying or logging in",
			"placing the order", "removing the file",
		},
		SignIn:   {"signing in", "logging in to the account"},
		Harmless: {"open the results", "showing the list", "continue", "the next page", "closing the window", "waiting", "", "scrolling down"},
		Unsure:   {"launching the rocket", "frobnicating"},
	} {
		for _, phrase := range phrases {
			if got := GuardOf(phrase); got != guard {
				t.Errorf("GuardOf(%q) = %v, want %v", phrase, got, guard)
			}
		}
	}
}

func TestCommits(t *testing.T) {
	for text, want := range map[string]bool{
		"send the letter": true, "press Pay now": true, "fill the form and submit it": true, "click the Send button": true,
		"search for trains": false, "open the page of my last order": false, "sign in": false,
	} {
		if got := Commits(text); got != want {
			t.Errorf("Commits(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestActOf(t *testing.T) {
	for _, row := range []struct {
		phrase, label string
		want          Act
	}{
		{"paying for the ticket", "Pay 12.00 EUR", ActPay},
		{"finishing", "Place order", ActPay},
		{"paying for it", "Continue", ActPay},
		{"sending the invitation", "Send", ActSend},
		{"deleting the draft", "Delete", ActDelete},
		{"removing the file", "OK", ActDelete},
		{"publishing the article", "Publish", ActPublish},
		{"posting the reply", "Reply", ActPublish},
		{"submitting the membership form", "Submit", ActConfirm},
		{"booking the seat", "Book", ActConfirm},
		{"launching it", "Go", ActOther},
		{"launching it", "", ActOther},
	} {
		if got := ActOf(row.phrase, row.label); got != row.want {
			t.Errorf("ActOf(%q, %q) = %q, want %q", row.phrase, row.label, got, row.want)
		}
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"Check-out  date": {"check", "out", "date"}, "Pay €42.10": {"pay", "42", "10"}, "card_cvv": {"card", "cvv"},
		"Ünïcode ÄB": {"ünïcode", "äb"}, "so\u00adft": {"soft"},
	} {
		if got := Words(text); !cmp.Equal(got, want) {
			t.Errorf("Words(%q) = %q, want %q", text, got, want)
		}
	}
}

func field(name string, order int) surfaces.Candidate {
	return surfaces.Candidate{Role: "textbox", Name: name, Order: order, Actions: []surfaces.Action{surfaces.CanTypeText}}
}

func button(name string, order int) surfaces.Candidate {
	return surfaces.Candidate{Role: "button", Name: name, Order: order, Actions: []surfaces.Action{surfaces.CanClick}}
}

func text(s string, order int) surfaces.TextNode { return surfaces.TextNode{Text: s, Order: order} }

func desktopDialog(front, says string) surfaces.Screen {
	return surfaces.Screen{Side: surfaces.Desktop, Surface: front, TextNodes: []surfaces.TextNode{text(says, 1)}, Candidates: []surfaces.Candidate{button("OK", 2)}}
}

func TestPaymentEvidence(t *testing.T) {
	autocomplete := field("Nummer", 1)
	autocomplete.Autocomplete = "cc-number"
	placeholder := field("", 1)
	placeholder.Hints = []string{"Card number"}
	silent := surfaces.Candidate{Name: "CVV", Order: 1}
	for _, row := range []struct {
		name   string
		screen surfaces.Screen
		want   string // part of the reason; empty: no evidence
	}{
		{"autocomplete", surfaces.Screen{Candidates: []surfaces.Candidate{autocomplete}}, "Nummer"},
		{"card number", surfaces.Screen{Candidates: []surfaces.Candidate{field("Card number *", 1)}}, "Card number"},
		{"cvv", surfaces.Screen{Candidates: []surfaces.Candidate{field("CVV", 1)}}, "CVV"},
		{"cvc", surfaces.Screen{Candidates: []surfaces.Candidate{field("CVC", 1)}}, "CVC"},
		{"expiry date", surfaces.Screen{Candidates: []surfaces.Candidate{field("Expiry date", 1)}}, "Expiry"},
		{"name on card", surfaces.Screen{Candidates: []surfaces.Candidate{field("Name on card", 1)}}, "Name on card"},
		{"cardholder", surfaces.Screen{Candidates: []surfaces.Candidate{field("Cardholder", 1)}}, "Cardholder"},
		{"upi id", surfaces.Screen{Candidates: []surfaces.Candidate{field("UPI ID", 1)}}, "UPI"},
		{"placeholder", surfaces.Screen{Candidates: []surfaces.Candidate{placeholder}}, "card field"},
		{"neither role nor actions", surfaces.Screen{Candidates: []surfaces.Candidate{silent}}, "CVV"},
		{"A96 passport expiry", surfaces.Screen{Candidates: []surfaces.Candidate{field("Passport expiry date", 1)}}, ""},
		{"visa expiry", surfaces.Screen{Candidates: []surfaces.Candidate{field("Visa expiry date", 1)}}, ""},
		{"a button is no field", surfaces.Screen{Candidates: []surfaces.Candidate{button("Scan card number", 1)}}, ""},
		{"A96 advert beside a name field", surfaces.Screen{
			Candidates: []surfaces.Candidate{field("Name", 1)}, TextNodes: []surfaces.TextNode{text("Save with your credit card", 2)},
		}, ""},
		{"strong words beside a field", surfaces.Screen{
			Candidates: []surfaces.Candidate{field("", 4)}, TextNodes: []surfaces.TextNode{text("Your card number", 1)},
		}, "card number"},
		{"strong words too far off", surfaces.Screen{
			Candidates: []surfaces.Candidate{field("Name", 1), button("a", 2), button("b", 3), button("c", 4), button("d", 5), button("e", 6)},
			TextNodes:  []surfaces.TextNode{text("card number", 7)},
		}, ""},
		{"what a field holds", surfaces.Screen{
			Candidates: []surfaces.Candidate{field("Note", 1)}, TextNodes: []surfaces.TextNode{{Text: "card number", Order: 2, Field: true}},
		}, ""},
		{"paying path and control", surfaces.Screen{Address: "https://shop.test/checkout/review", Candidates: []surfaces.Candidate{button("Place order", 1)}}, "/checkout/review"},
		{"path behind #", surfaces.Screen{Address: "https://shop.test/#/payment?step=2", Candidates: []surfaces.Candidate{button("Pay now", 1)}}, "/payment"},
		{"paying path alone", surfaces.Screen{Address: "https://shop.test/checkout", Candidates: []surfaces.Candidate{button("Continue", 1)}}, ""},
		{"paying control alone", surfaces.Screen{Address: "https://shop.test/cart", Candidates: []surfaces.Candidate{button("Buy now", 1)}}, ""},
		{"paying word in the host", surfaces.Screen{Address: "https://pay.test/home", Candidates: []surfaces.Candidate{button("Buy now", 1)}}, ""},
		{"a dialog that asks to pay", desktopDialog(surfaces.FrontDialog, "Pay 20 EUR to Alpine Rail?"), "Pay 20 EUR"},
		{"an alert that asks to pay", desktopDialog(surfaces.FrontAlert, "Buy it for €3.99"), "Buy it"},
		{"a dialog that only names a price", desktopDialog(surfaces.FrontDialog, "The fare is 20 EUR"), ""},
		{"a dialog that pays no amount", desktopDialog(surfaces.FrontDialog, "Pay attention, 3 files are open"), ""},
		{"a window that asks to pay", desktopDialog(surfaces.FrontWindow, "Pay 20 EUR"), ""},
		{"a page's dialog", surfaces.Screen{Side: surfaces.Browser, Surface: surfaces.FrontDialog, TextNodes: []surfaces.TextNode{text("Pay 20 EUR", 1)}}, ""},
		{"unnamed control on a paying path", surfaces.Screen{Address: "https://shop.test/pay", Candidates: []surfaces.Candidate{button("", 1)}}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			reason, found := PaymentEvidence(&row.screen)
			if found != (row.want != "") || !strings.Contains(reason, row.want) {
				t.Errorf("got %q %v, want %q", reason, found, row.want)
			}
		})
	}
	if _, found := PaymentEvidence(nil); found {
		t.Error("no screen shows a payment")
	}
}

func TestA57_Walls(t *testing.T) {
	for kind, lines := range map[WallKind][]string{
		WallCaptcha: {
			"Complete the CAPTCHA", "reCAPTCHA", "hCaptcha challenge", "Verify you are human", "prove you are a human",
			"Confirm that you are human", "I am not a robot", "I'm not a robot", "Verifying you are human. This may take a few seconds.",
		},
		WallOneTime: {
			"One-time code", "one-time password", "Enter OTP", "Enter the OTP", "OTP sent to +45 20", "Enter the code sent to your phone",
			"Verification code",
		},
		WallPhone:     {"Verify your phone", "Your phone number must be verified"},
		WallTwoFactor: {"Two-factor authentication", "2-Step Verification"},
		WallSignIn: {
			"Sign in to continue", "Signin to continue", "Log in to see prices", "Login to see your orders", "Log-in or sign up", "Login required",
			"Login or sign up using OTP",
		},
	} {
		for _, line := range lines {
			sign, found := FindWall([]string{"Welcome", line})
			if !found || sign.Kind != kind {
				t.Errorf("FindWall(%q) = %v %v, want %v", line, sign, found, kind)
			}
		}
	}
	for kind, want := range map[WallKind]string{
		WallCaptcha: "solve the captcha", WallOneTime: "type the one-time code", WallPhone: "verify the phone",
		WallTwoFactor: "finish two-factor sign-in", WallSignIn: "sign in",
	} {
		for _, w := range walls {
			if w.sign.Kind == kind && w.sign.Reason != want {
				t.Errorf("%s: reason %q, want %q", kind, w.sign.Reason, want)
			}
		}
	}
}

func TestA56_NoWall(t *testing.T) {
	for _, lines := range [][]string{
		{"Log in", "Sign up"},
		{"Log in Sign up"},
		{"Login/Signup"},
		{"Sign in", "Register"},
		{"Security check"},
		{"Forgot password?"},
		{"Sign up for our newsletter"},
		{"Sign out"},
		{"We use cookies", "Accept all", "Reject all"},
		nil,
		{"log in", "to see"}, // two lines are no phrase
		{"capt cha"},
	} {
		if sign, found := FindWall(lines); found {
			t.Errorf("FindWall(%q) = %v, want none", lines, sign)
		}
	}
}

func TestFirstWallOfTheTableWins(t *testing.T) {
	sign, _ := FindWall([]string{"Log in to see prices", "Verification code", "captcha"})
	if sign.Kind != WallCaptcha {
		t.Errorf("got %s, want %s", sign.Kind, WallCaptcha)
	}
}

func FuzzWords(f *testing.F) {
	f.Add("Pay now", "paying")
	f.Add("\xff", "\u200b")
	f.Fuzz(func(t *testing.T, label, phrase string) {
		Classify(label)
		HardToUndo(label)
		Names(phrase, label)
		GuardOf(phrase)
		ActOf(phrase, label)
		FindWall([]string{label, phrase})
		if SignInOnly(phrase) && Classify(phrase) == Payment {
			t.Errorf("%q signs in only and pays", phrase)
		}
	})
}
