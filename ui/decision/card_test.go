package decision

import (
	"strings"
	"testing"
	"time"

	"countersign/controller/task"
	"countersign/flows"
)

var start = time.Date(2026, 3, 4, 9, 30, 0, 0, time.UTC)

// askedToPay is an approval of a payment, as the controller would put it.
func askedToPay() Asked {
	e := flows.Evidence{
		Task: "t-4", Step: "4", Side: "browser", Origin: "https://museum.test", Address: "https://museum.test/tickets?day=2",
		Control: flows.EvidenceControl{Role: "button", Name: "Pay now", Path: []string{"Tickets"}},
		Phrase:  "paying for the ticket", Class: "pay", Amount: "2480.00", Currency: "EUR", Payee: "City Museum",
		Form:  []flows.EvidenceField{{Name: "card number", Value: "${card number}"}},
		Words: []string{"Order total 2480.00 EUR", "No refunds"}, AskedAt: start.UnixMilli(),
	}
	digest := e.Digest()
	return Asked{
		View: task.View{
			ID: 4, Title: "Buy the museum day ticket", SinceAt: start.UnixMilli(),
			Status: task.Status{State: task.NeedsApproval, Action: "paying for the ticket", Target: "Pay now", Digest: digest},
			Step:   &task.CurrentStep{Index: 4, Kind: flows.KindStopBefore, Intent: "paying for the ticket"},
			Next:   []string{task.OpContinue, task.OpCancel},
		},
		Report: &task.Report{
			Request:  task.StartRequest{Constraints: task.Constraints{Payment: flows.FillThenApprove}},
			Flow:     []byte(`{"app":"browser","steps":["a","b","c",{"stop_before":"paying for the ticket"}]}`),
			Approval: &task.Approval{Evidence: e, Digest: digest},
		},
	}
}

func askedToSend() Asked {
	a := askedToPay()
	e := &a.Report.Approval.Evidence
	e.Class, e.Amount, e.Currency, e.Payee, e.Control.Name = "send", "", "", "", "Send"
	a.Report.Request.Constraints.Payment = ""
	a.Report.Approval.Digest = e.Digest()
	a.View.Status.Digest = e.Digest()
	return a
}

func asked(s task.Status) Asked {
	return Asked{View: task.View{ID: 7, Title: "x", Status: s, Next: []string{task.OpContinue, task.OpCancel}}}
}

func TestGrammar(t *testing.T) {
	blind := askedToSend()
	blind.Report.Approval.Control.Name = " \u200b"
	unread := askedToPay()
	unread.Report.Approval.Amount = ""
	walled := NewCard(asked(task.Status{State: task.NeedsHuman, Reason: "solve the captcha"}))
	insisting, _, _ := walled.AfterLook(task.Look{Wall: task.WallStillThere}, 0)
	send, pay := NewCard(askedToSend()), NewCard(askedToPay())
	carry := NewCard(asked(task.Status{State: task.Checkpoint, Kind: task.CheckpointSideLost, Continuable: true}))
	outcome := NewCard(asked(task.Status{State: task.Checkpoint, Kind: task.CheckpointOutcomeUnknown, Continuable: true}))
	paid := NewCard(asked(task.Status{State: task.Checkpoint, Kind: task.CheckpointPayment}))
	tests := []struct {
		name string
		card Card
		line string
		want string // "approve", "decline:REASON", "answer:…", "cancel:…", "look", "compose", "forward"; empty: refused
	}{
		{"sign", send, "sign", "approve"},
		{"enter alone", send, "", ""},
		{"space", send, " ", ""},
		{"y", send, "y", ""},
		{"yes", send, "yes", ""},
		{"another case", send, "Sign", ""},
		{"sign and more", send, "sign it", ""},
		{"decline", send, "d", "decline:"},
		{"decline with a reason", send, "d wrong recipient", "decline:wrong recipient"},
		{"a word that begins with d", send, "delete", ""},
		{"pay exactly", pay, "2480.00 EUR", "approve"},
		{"pay by sign", pay, "sign", ""},
		{"pay without currency", pay, "2480.00", ""},
		{"pay with other spacing", pay, "2480.00  EUR", ""},
		{"pay with a space after", pay, "2480.00 EUR ", ""},
		{"pay another amount", pay, "248.00 EUR", ""},
		{"amount unread: the host", NewCard(unread), "museum.test", "approve"},
		{"amount unread: not the amount", NewCard(unread), "2480.00 EUR", ""},
		{"blind is refused", NewCard(blind), "sign", ""},
		{"blind is declined", NewCard(blind), "d", "decline:"},
		{"go", carry, "go", "approve"},
		{"go is not sign", carry, "sign", ""},
		{"end", carry, "d", "decline:"},
		{"happened", outcome, "happened", "answer:happened"},
		{"did not", outcome, "did not", "answer:did_not_happen"},
		{"look", outcome, "look", "answer:look_again"},
		{"outcome takes no go", outcome, "go", ""},
		{"paid", paid, "paid", "cancel:paid"},
		{"not paid", paid, "not paid", "cancel:not_paid"},
		{"payment cannot be declined", paid, "d", ""},
		{"done looks first", walled, "done", "look"},
		{"no insisting before the look", walled, "anyway", ""},
		{"insisting", insisting, "anyway", "answer:done"},
		{"a wall's browser", walled, "o", "forward"},
		{"a payment's browser", paid, "o", "forward"},
		{"no browser to show", send, "o", ""},
		{"plan", NewCard(asked(task.Status{State: task.NeedsPlan})), "flow", "compose"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, refusal := tt.card.Answer(tt.line, 1200)
			if got := spell(a); got != tt.want {
				t.Errorf("Answer(%q) = %q, want %q", tt.line, got, tt.want)
			}
			if (refusal == "") != (tt.want != "") {
				t.Errorf("Answer(%q) refused with %q", tt.line, refusal)
			}
		})
	}
}

func spell(a Answer) string {
	switch a.Verb {
	case Continue:
		if a.Continue.Approve == nil {
			return "answer:" + a.Continue.Answer
		}
		if *a.Continue.Approve {
			return "approve"
		}
		return "decline:" + a.Continue.Answer
	case Cancel:
		return "cancel:" + a.Words
	case LookThen:
		return "look"
	case Compose:
		return "compose"
	case Forward:
		return "forward"
	case NoVerb:
		return ""
	default:
		return ""
	}
}

func TestAnswerCarriesDigestAndTimeShown(t *testing.T) {
	asked := askedToPay()
	a, _ := NewCard(asked).Answer("2480.00 EUR", 4321)
	if a.Continue.Digest != asked.View.Status.Digest || a.Continue.ShownMS != 4321 {
		t.Errorf("got digest %q, shown %d ms", a.Continue.Digest, a.Continue.ShownMS)
	}
}

func TestEvidenceNotReadIsNotAnswered(t *testing.T) {
	for name, change := range map[string]func(*Asked){
		"no report":        func(a *Asked) { a.Report = nil },
		"an older digest":  func(a *Asked) { a.View.Status.Digest = strings.Repeat("ab", 32) },
		"no open approval": func(a *Asked) { a.Report.Approval = nil },
	} {
		a := askedToSend()
		change(&a)
		c := NewCard(a)
		if _, refusal := c.Answer("sign", 0); refusal == "" || c.Complete() {
			t.Errorf("%s: a card without its evidence was answered", name)
		}
	}
}

func TestArming(t *testing.T) {
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	tests := []struct {
		name string
		run  func(Arming) Arming
		want bool
	}{
		{"after a second", func(a Arming) Arming { return a.Seen().Tick(at(1000)) }, true},
		{"too early", func(a Arming) Arming { return a.Seen().Tick(at(999)) }, false},
		{"last line not seen", func(a Arming) Arming { return a.Tick(at(5000)) }, false},
		{"D2 a key 10 ms after it appears", func(a Arming) Arming { return a.Seen().Key(at(10)).Tick(at(10)) }, false},
		{"a key 200 ms ago", func(a Arming) Arming { return a.Seen().Key(at(900)).Tick(at(1100)) }, false},
		{"a key 300 ms ago", func(a Arming) Arming { return a.Seen().Key(at(900)).Tick(at(1200)) }, true},
		{"keys once ready change nothing", func(a Arming) Arming { return a.Seen().Tick(at(1000)).Key(at(1010)).Tick(at(1020)) }, true},
		{"disarmed", func(a Arming) Arming { return a.Seen().Tick(at(1000)).Disarm(at(1500)).Seen().Tick(at(2400)) }, false},
		{"disarmed, then a second later", func(a Arming) Arming { return a.Seen().Tick(at(1000)).Disarm(at(1500)).Seen().Tick(at(2500)) }, true},
		{"disarmed, last line to be seen again", func(a Arming) Arming { return a.Seen().Tick(at(1000)).Disarm(at(1500)).Tick(at(9000)) }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.run(NewArming(at(0))).Ready(); got != tt.want {
				t.Errorf("ready = %v, want %v", got, tt.want)
			}
		})
	}
	if (Arming{}).Seen().Tick(at(90000)).Ready() {
		t.Error("an arming without a card became ready")
	}
}

func TestD3FiftyKeysWhileItAppears(t *testing.T) {
	a := NewArming(start).Seen()
	now := start
	for range 50 {
		now = now.Add(40 * time.Millisecond)
		if a = a.Key(now).Tick(now); a.Ready() {
			t.Fatalf("ready %v after it appeared, between keys", now.Sub(start))
		}
	}
	if !a.Tick(now.Add(QuietFor)).Ready() {
		t.Error("not ready once it is quiet")
	}
}

func TestWords(t *testing.T) {
	list := words()
	seen := map[string]bool{}
	for _, w := range list {
		if seen[w] || len(w) < 4 || len(w) > 7 {
			t.Errorf("word %q: repeated, or not of 4 to 7 letters", w)
		}
		seen[w] = true
	}
	if len(list) != wordCount {
		t.Fatalf("%d words, want %d", len(list), wordCount)
	}
	for digest, want := range map[string]string{
		"000000ff": list[0] + " " + list[0],
		"fffffc00": list[2047] + " " + list[2047],
		"002000":   list[1] + " " + list[0],
		"000004":   list[0] + " " + list[1],
		"":         "", "zzzzzz": "",
	} {
		if got := Words(digest); got != want {
			t.Errorf("Words(%q) = %q, want %q", digest, got, want)
		}
	}
}

// TestD1 compares a hostile card with the harmless one: the rows that are ours
// stay, row for row.
func TestD1HostileNameStaysInItsRow(t *testing.T) {
	for _, hostile := range []string{"Send\rREADY", "Send\x1b]52;c;eA==\x07", "Send\x1b[2J", "\u202eSend", "Send\n› READY", "Send\u009b2J"} {
		a := askedToSend()
		a.Report.Approval.Control.Name = hostile
		a.Report.Approval.Words = []string{hostile}
		tame, wild := NewCard(askedToSend()), NewCard(a)
		var labels [2][]string
		for i, c := range []Card{tame, wild} {
			for _, r := range c.rows {
				if r.Role != Quote {
					labels[i] = append(labels[i], r.Label)
				}
				if strings.ContainsAny(r.Text, "\r\n\x1b\u009b\u202e") {
					t.Errorf("%q reaches a row as %q", hostile, r.Text)
				}
			}
		}
		if strings.Join(labels[0], "|") != strings.Join(labels[1], "|") || tame.Title() != wild.Title() {
			t.Errorf("%q changes the rows that are ours:\n%v\n%v", hostile, labels[0], labels[1])
		}
	}
}

func TestD4AndD5VoidSignatureShowsBoth(t *testing.T) {
	for name, d := range map[string]flows.Difference{
		"D4 amount":  {Field: "amount", Signed: "12.00 EUR", Now: "99.00 EUR"},
		"D5 control": {Field: "control", Signed: `button "Send"`, Now: `button "Delete"`},
	} {
		a := askedToPay()
		a.Report.Approval.Differs = []flows.Difference{d}
		shown := strings.Join(NewCard(a).Lines(), "\n")
		if !strings.Contains(shown, d.Signed) || !strings.Contains(shown, d.Now) {
			t.Errorf("%s: the card shows not both of %q and %q:\n%s", name, d.Signed, d.Now, shown)
		}
	}
}

func TestCardOrder(t *testing.T) {
	shown := strings.Join(NewCard(askedToPay()).Lines(), "\n")
	at := 0
	for _, part := range []string{"PAY  t-4", "origin", "page", "control", "amount", "2480.00 EUR", "payee", "flow says", "task", "step", "4 of 4", "typed", "${card number}", "The page says:", "“Order total 2480.00 EUR”", "digest"} {
		i := strings.Index(shown[at:], part)
		if i < 0 {
			t.Fatalf("%q is missing or out of order in\n%s", part, shown)
		}
		at += i
	}
}

func TestPunycodeIsShown(t *testing.T) {
	a := askedToSend()
	a.Report.Approval.Origin = "https://xn--pple-43d.com"
	if shown := strings.Join(NewCard(a).Lines(), "\n"); !strings.Contains(shown, "xn--pple-43d.com") || !strings.Contains(shown, "looks like   аpple.com") {
		t.Errorf("both forms of the host should be shown:\n%s", shown)
	}
}

func TestNothingIsCut(t *testing.T) {
	a := askedToPay()
	a.Report.Approval.Address = "https://museum.test/" + strings.Repeat("long-path/", 30)
	var text strings.Builder
	for _, r := range NewCard(a).Rows(40) {
		text.WriteString(r.Text)
	}
	if got := strings.Count(text.String(), "long-path/"); got != 30 {
		t.Errorf("%d of 30 parts of the address are shown", got)
	}
}

// Another site than the page's own is said before anything else; the page's own
// is not.
func TestTheCardWarnsOfAnotherSite(t *testing.T) {
	tests := []struct {
		destination string
		warns       []string // beside the warning itself
	}{
		{"", nil},
		{"https://museum.test/pay", nil},
		{"https://museum.test?x", nil},
		{"javascript:void(0)", nil},
		{"https://museum.test.evil.test/pay", []string{"goes to      https://museum.test.evil.test/pay"}},
		{"http://museum.test/pay", []string{"goes to      http://museum.test/pay"}},
		{"https://museum.test:8443/pay", []string{"goes to      https://museum.test:8443/pay"}},
		{"https://museum.test@evil.test/", []string{"goes to      https://museum.test@evil.test/"}},
		{"https://xn--mseum-kva.test/", []string{"goes to      https://xn--mseum-kva.test/", "looks like   müseum.test"}},
		{"mailto:someone@evil.test", []string{"goes to      mailto:someone@evil.test"}},
	}
	for _, tt := range tests {
		a := askedToSend()
		a.Report.Approval.Destination = tt.destination
		lines := NewCard(a).Lines()
		if warned := strings.Contains(lines[1], "not go to the site"); warned != (tt.warns != nil) {
			t.Errorf("%q: warned %v:\n%s", tt.destination, warned, strings.Join(lines, "\n"))
		}
		for i, want := range tt.warns {
			if i+2 >= len(lines) || lines[i+2] != want {
				t.Errorf("%q: line %d is %q, want %q", tt.destination, i+2, lines[i+2], want)
			}
		}
	}
}

// Both values of a field stand in one row where there is room, else one above
// the other; nothing is cut, and no name of the page is a label of ours.
func TestDifferencesStandSideBySide(t *testing.T) {
	a := askedToSend()
	long := strings.Repeat("long ", 40)
	a.Report.Approval.Differs = []flows.Difference{
		{Field: "payee", Signed: "City Museum", Now: "Somebody else"},
		{Field: "form: Message to the one who gets it", Signed: "six", Now: long},
		{Field: "amount", Signed: "", Now: "9.00 EUR"},
	}
	c := NewCard(a)
	shape := func(width int) (rows []string) {
		for _, r := range c.Rows(width) {
			if text := r.String(); len([]rune(text)) > width {
				t.Errorf("at %d: %q is cut", width, text)
			}
			if r.Role == Differ || r.Role == Heading {
				rows = append(rows, strings.TrimRight(r.String(), " "))
			}
		}
		return rows
	}
	wide := shape(120)
	want := []string{
		"             signed                                    now",
		"payee        “City Museum”                             “Somebody else”",
	}
	for i := range want {
		if wide[i] != want[i] {
			t.Errorf("row %d is\n%q, want\n%q", i, wide[i], want[i])
		}
	}
	if got := strings.Join(wide, " "); strings.Count(got, "long") != 40 || !strings.Contains(got, "typed        Message to the one who gets it = “six”") || !strings.Contains(got, "(nothing)") {
		t.Errorf("not everything is shown:\n%s", strings.Join(wide, "\n"))
	}
	narrow := shape(60)
	if narrow[0] != "payee        signed “City Museum”" || narrow[1] != "             now    “Somebody else”" {
		t.Errorf("narrow:\n%s", strings.Join(narrow, "\n"))
	}
	if got := strings.Join(narrow, " "); strings.Count(got, "long") != 40 {
		t.Errorf("not everything is shown:\n%s", got)
	}
}

// The age is always told, and when a question declines itself.
func TestAgeAndDeadline(t *testing.T) {
	a := askedToSend()
	if got, want := NewCard(a).Age(start.Add(42*time.Second)), "asked 42s ago"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	a.Report.Request.Constraints.ApprovalDeadlineMS = 120_000
	if got, want := NewCard(a).Age(start.Add(42*time.Second)), "asked 42s ago · declined in 1m"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := NewCard(asked(task.Status{State: task.NeedsHuman})).Age(start); got != "" {
		t.Errorf("a question without a time is %q old", got)
	}
}

// A quiet look that finds the control no more warns, as one does that finds it
// changed.
func TestThePageChangedSinceAsked(t *testing.T) {
	for name, tt := range map[string]struct {
		look task.Look
		want []string
	}{
		"a field":    {task.Look{Differs: []flows.Difference{{Field: "payee", Signed: "a", Now: "b"}}}, []string{"The page changed since you were asked:", "before “a”", "now    “b”"}},
		"no control": {task.Look{Missed: "nothing answers to\x1b[2J it"}, []string{"The page changed since you were asked: ", "nothing answers to it⌫4"}},
	} {
		a := askedToSend()
		a.Look = &tt.look
		shown := strings.Join(NewCard(a).Lines(), "\n")
		for _, want := range tt.want {
			if !strings.Contains(shown, want) {
				t.Errorf("%s: %q is missing in\n%s", name, want, shown)
			}
		}
		if NewCard(a).Same(NewCard(askedToSend())) {
			t.Errorf("%s: a card that was ready would stay so", name)
		}
	}
}

func TestABoxIsReadAsOne(t *testing.T) {
	a := askedToSend()
	e := &a.Report.Approval.Evidence
	e.Form = []flows.EvidenceField{{Name: "Newsletter", Value: "checked: true"}, {Name: "Gift", Value: "checked: false"}}
	a.Report.Approval.Differs = []flows.Difference{{Field: "form: Gift", Signed: "checked: true", Now: "checked: false"}}
	a.Report.Approval.Digest = e.Digest()
	a.View.Status.Digest = e.Digest()
	shown := strings.Join(NewCard(a).Lines(), "\n")
	for _, want := range []string{"☑ Newsletter  (ticked)", "☐ Gift  (not ticked)", "signed Gift = ticked", "now    Gift = not ticked"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is missing in\n%s", want, shown)
		}
	}
}

// The wait's own word stands before the title: it is not said twice.
func TestTitlesOfWhatIsDoneByHand(t *testing.T) {
	for reason, want := range map[string]string{"solve the captcha": "CAPTCHA", "sign in": "SIGN-IN", "read the page's mind": "YOUR TURN"} {
		if got := NewCard(asked(task.Status{State: task.NeedsHuman, Reason: reason})).Title(); got != want {
			t.Errorf("%s: %s, want %s", reason, got, want)
		}
	}
	pay := NewCard(asked(task.Status{State: task.Checkpoint, Kind: task.CheckpointPayment}))
	if pay.Kind() != PaidByHand || pay.Title() != "PAYMENT" {
		t.Errorf("a payment by hand is headed %s", pay.Title())
	}
}
