package flows_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"countersign/flows"
	"countersign/flows/flowstest"
	"countersign/flows/safety"
	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/surfacetest"
)

// sender is a mail form whose Send button says so when pressed.
func sender(label string) func() *surfacetest.Page {
	return page(append(surfacetest.Form("f", surfacetest.Field("To"), surfacetest.Password("Password")),
		surfacetest.Form("f", &surfacetest.Element{Role: "button", Name: label, OnClick: func(a *surfacetest.App) { a.Add(surfacetest.Text("it went out")) }})...)...)
}

// happens scripts a guard that finds label and whose press is believed at p.
func (s *stage) happens(label string, p float64) {
	s.d.On("target", flowstest.Pick(label, 0.9)).On("holds", flowstest.P(p))
}

func guard(phrase string) flows.Step { return step(flows.KindStopBefore, phrase) }

func TestFL93_A37_GuardWithoutPermission(t *testing.T) {
	on(t, sender("Send"), func(s *stage) {
		s.req.Task = "t-1"
		s.happens("Send", 0.9)
		res := s.run(guard("sending the letter"))
		s.wantStop(res, flows.Stopped)
		s.wantOutcome(res, 0, flows.OutcomeGated)
		s.wantClicks("", 0)
		e := res.Pending
		if e == nil || e.Control.Name != "Send" || e.Class != safety.ActSend || e.Task != "t-1" || e.Step != "1" || e.Origin != "https://site.test" {
			t.Errorf("pending %+v", e)
		}
		if len(e.Form) != 2 || e.Form[0].Name != "To" {
			t.Errorf("form %+v, want the two fields of the control's form", e.Form)
		}
	})
}

func TestFL93_HarmlessLookingGuardGatesToo(t *testing.T) {
	on(t, sender("Go on"), func(s *stage) {
		s.happens("Go on", 0.9)
		s.wantStop(s.run(guard("booking the room")), flows.Stopped)
		s.wantClicks("", 0)
	})
}

func TestBlindWithoutAVisibleName(t *testing.T) {
	for name, want := range map[string]bool{
		"": true, "  ": true, "\u200b": true, "\u3164": true, "\u2800": true, "\ufe0f\u2060": true,
		"Send": false, "×": false, "送": false, "\u200bOK": false,
	} {
		e := flows.Evidence{Control: flows.EvidenceControl{Role: "button", Name: name}}
		if got := e.Blind(); got != want {
			t.Errorf("Blind(%+q) = %v, want %v", name, got, want)
		}
	}
}

// A card form makes a payment of whatever its button says.
func TestConfirmOnACardFormIsAPayment(t *testing.T) {
	card := page(append(surfacetest.Form("f", surfacetest.Field("Card number")),
		surfacetest.Form("f", &surfacetest.Element{Role: "button", Name: "Confirm"})...)...)
	on(t, card, func(s *stage) {
		s.happens("Confirm", 0.9)
		res := s.run(guard("confirming the booking"))
		s.wantStop(res, flows.Stopped)
		if res.Pending == nil || res.Pending.Class != safety.ActPay {
			t.Errorf("pending %+v, want the class pay", res.Pending)
		}
	})
}

func TestFL94_A51_AllowDestructiveNeverPays(t *testing.T) {
	pay := "Pay ₹900"
	on(t, sender(pay), func(s *stage) {
		s.req.AllowDestructive = true
		s.happens(pay, 0.9)
		res := s.run(guard("finishing the order"))
		s.wantStop(res, flows.Stopped)
		s.wantClicks("", 0)
		if res.Pending.Amount != "900" || res.Pending.Currency != "INR" {
			t.Errorf("amount %q %q, want 900 INR", res.Pending.Amount, res.Pending.Currency)
		}
	})
	on(t, sender(pay), func(s *stage) {
		s.req.AllowDestructive, s.req.PaymentApproved = true, true
		s.happens(pay, 0.9)
		res := s.run(guard("finishing the order"))
		s.wantOutcome(res, 0, flows.OutcomeDone)
		s.wantClicks(`button "Pay ₹900"`, 1)
	})
}

func TestFL94_AnotherAmountGatesAgain(t *testing.T) {
	on(t, sender("Pay ₹900"), func(s *stage) {
		s.happens("Pay ₹900", 0.9)
		signed := *s.run(guard("finishing the order")).Pending
		signed.Amount = "700"
		s.req.Approved, s.req.PaymentApproved = &signed, true
		res := s.run(guard("finishing the order"))
		s.wantStop(res, flows.Stopped)
		s.wantClicks("", 0)
		if len(res.Differs) != 1 || res.Differs[0].Field != "amount" || res.Differs[0].Now != "900 INR" {
			t.Errorf("differs %+v", res.Differs)
		}
	})
}

func TestA44_TheFormChangedSinceSigning(t *testing.T) {
	on(t, sender("Send"), func(s *stage) {
		s.happens("Send", 0.9)
		signed := s.run(guard("sending the letter")).Pending
		s.fake.Do(func(a *surfacetest.App) { a.Find("To").Value = "somebody.else@x.test" })
		s.req.Approved = signed
		res := s.run(guard("sending the letter"))
		s.wantStop(res, flows.Stopped)
		s.wantClicks("", 0)
		if len(res.Differs) != 1 || res.Differs[0].Field != "form: To" {
			t.Errorf("differs %+v, want the field To", res.Differs)
		}
	})
}

// A44: where the press leads is signed too, and asked about again when only
// that has changed.
func TestA44_TheDestinationChangedSinceSigning(t *testing.T) {
	on(t, sender("Send"), func(s *stage) {
		s.happens("Send", 0.9)
		s.with(map[string]string{"pin": "77 31/a", "cvv": "423"})
		s.fake.Do(func(a *surfacetest.App) { a.Find("Send").Destination = "/send?to=mira&pin=77+31%2Fa#top" })
		signed := s.run(guard("sending the letter")).Pending
		if want := "https://site.test/send?to=mira&pin=${pin}"; signed.Destination != want || signed.LeavesSite() {
			t.Fatalf("destination %q, leaves the site: %v, want %q", signed.Destination, signed.LeavesSite(), want)
		}
		s.fake.Do(func(a *surfacetest.App) { a.Find("Send").Destination = "https://site.test.evil.test/423/send?cvv=900" })
		s.req.Approved = signed
		res := s.run(guard("sending the letter"))
		s.wantStop(res, flows.Stopped)
		s.wantClicks("", 0)
		want := flows.Difference{Field: "destination", Signed: signed.Destination, Now: "https://site.test.evil.test/${cvv}/send?cvv=${secret}"}
		if len(res.Differs) != 1 || res.Differs[0] != want || !res.Pending.LeavesSite() {
			t.Errorf("differs %+v, want %+v", res.Differs, want)
		}
	})
}

// A44: a control in a frame of another site is signed for as one of that site.
func TestA44_AFrameOfAnotherSiteIsNamed(t *testing.T) {
	on(t, sender("Send"), func(s *stage) {
		s.happens("Send", 0.9)
		s.fake.Do(func(a *surfacetest.App) {
			a.Find("Send").Frame, a.Find("Send").Destination = "https://pay.test/form", "https://pay.test/send"
		})
		signed := s.run(guard("sending the letter")).Pending
		if signed.Origin != "https://pay.test" || signed.Address != "https://pay.test/form" || signed.LeavesSite() {
			t.Fatalf("origin %q, address %q, leaves the site: %v", signed.Origin, signed.Address, signed.LeavesSite())
		}
		s.fake.Do(func(a *surfacetest.App) { a.Find("Send").Frame = "https://pay.test.evil.test/form" })
		s.req.Approved = signed
		res := s.run(guard("sending the letter"))
		s.wantStop(res, flows.Stopped)
		s.wantClicks("", 0)
		want := flows.Difference{Field: "origin", Signed: "https://pay.test", Now: "https://pay.test.evil.test"}
		if len(res.Differs) == 0 || res.Differs[0] != want {
			t.Errorf("differs %+v, want %+v", res.Differs, want)
		}
	})
}

// Evidence stored before the destination was part of it still has the digest
// that was signed then.
func TestStoredEvidenceWithoutADestinationKeepsItsDigest(t *testing.T) {
	const stored = `{"task":"t-1","step":"2","side":"browser","origin":"https://site.test","control":{"role":"button","name":"Send","path":["main"]},"class":"send"}`
	var e flows.Evidence
	if err := json.Unmarshal([]byte(stored), &e); err != nil {
		t.Fatal(err)
	}
	if got, want := e.Digest(), "288230a8506a96fd3d637cb210c46d7f71c31324e1a9d57653fbd7f1218628eb"; got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
	now := e
	now.Destination = "https://site.test/send"
	if now.Digest() == e.Digest() {
		t.Error("the destination is not in the digest")
	}
}

func TestApprovedIsPressedOnceInOrder(t *testing.T) {
	on(t, sender("Send"), func(s *stage) {
		s.happens("Send", 0.9)
		signed := s.run(guard("sending the letter")).Pending
		s.req.Approved = signed
		var order []string
		s.req.AroundPress = func(e flows.Evidence) (func(bool), error) {
			if e.Digest() != signed.Digest() || s.fake.Count("click", "") != 0 {
				t.Error("the hook must come with the signed evidence, before the input")
			}
			order = append(order, "intended")
			return func(delivered bool) {
				if !delivered || s.fake.Count("click", "") != 1 {
					t.Error("sent must be told right after the input, as delivered")
				}
				order = append(order, "sent")
			}, nil
		}
		res := s.run(guard("sending the letter"))
		s.wantStop(res, flows.Completed)
		s.wantClicks(`button "Send"`, 1)
		if !slices.Equal(order, []string{"intended", "sent"}) || !res.Pressed {
			t.Errorf("order %v, pressed %v", order, res.Pressed)
		}
	})
}

func TestA39_PermissionIsForOnePress(t *testing.T) {
	on(t, sender("Send"), func(s *stage) {
		s.happens("Send", 0.9)
		signed := s.run(guard("sending the letter")).Pending
		s.req.Approved, s.req.AllowDestructive = signed, true
		res := s.run(guard("sending the letter"), guard("sending the letter"))
		s.wantStop(res, flows.Stopped)
		s.wantOutcome(res, 1, flows.OutcomeGated)
		s.wantClicks(`button "Send"`, 1)
	})
}

func TestHookErrorPressesNothing(t *testing.T) {
	on(t, sender("Send"), func(s *stage) {
		s.req.AllowDestructive = true
		s.happens("Send", 0.9)
		s.req.AroundPress = func(flows.Evidence) (func(bool), error) { return nil, fault.New(fault.StoreFull, "no room left") }
		res := s.run(guard("sending the letter"))
		s.wantStop(res, flows.StepFailed)
		s.wantClicks("", 0)
		if res.Code != fault.StoreFull || res.Pressed {
			t.Errorf("code %q, pressed %v", res.Code, res.Pressed)
		}
	})
}

func TestBlindControlIsNeverPressed(t *testing.T) {
	on(t, page(&surfacetest.Element{Role: "button", Description: "an icon"}), func(s *stage) {
		s.req.AllowDestructive, s.req.PaymentApproved = true, true
		s.d.On("target", flowstest.Pick("1", 0.9))
		res := s.run(guard("sending the letter"))
		s.wantStop(res, flows.Stopped)
		s.wantClicks("", 0)
		if !res.Pending.Blind() {
			t.Errorf("pending %+v is not blind", res.Pending)
		}
	})
}

func TestBudgetIsCheckedBeforeTheHook(t *testing.T) {
	on(t, sender("Send"), func(s *stage) {
		s.req.AllowDestructive, s.req.MaxActions = true, 1 // the launch
		s.happens("Send", 0.9)
		s.req.AroundPress = func(flows.Evidence) (func(bool), error) {
			t.Error("intended was recorded for a press that cannot be sent")
			return nil, nil
		}
		s.wantStop(s.run(guard("sending the letter")), flows.OutOfAction)
	})
}

func TestFL96_AfterCheckUnderTheBarFails(t *testing.T) {
	on(t, sender("Send"), func(s *stage) {
		s.req.AllowDestructive = true
		s.happens("Send", 0.5)
		res := s.run(guard("sending the letter"))
		s.wantStop(res, flows.StepFailed)
		s.wantClicks(`button "Send"`, 1)
		if !res.Pressed {
			t.Error("a press that was sent is not reported")
		}
	})
}

func TestPressThatFailedIsNotRetried(t *testing.T) {
	on(t, sender("Send"), func(s *stage) {
		s.req.AllowDestructive = true
		s.happens("Send", 0.9)
		s.fake.FailNext("click", surfaces.Fail("click", fault.Timeout, "no answer"))
		told := []bool{}
		s.req.AroundPress = func(flows.Evidence) (func(bool), error) {
			return func(delivered bool) { told = append(told, delivered) }, nil
		}
		res := s.run(guard("sending the letter"))
		s.wantStop(res, flows.StepFailed)
		s.wantClicks("", 0)
		if !slices.Equal(told, []bool{true}) || res.Code != fault.Timeout {
			t.Errorf("told %v with code %q: a press that may have landed counts as sent", told, res.Code)
		}
	})
}

func TestA46_SignInGuardGatesNothing(t *testing.T) {
	on(t, sender("Send"), func(s *stage) {
		s.wantOutcome(s.run(guard("signing in")), 0, flows.OutcomeAlreadyDone)
		if len(s.d.Requests()) != 0 {
			t.Error("a question was asked")
		}
		s.happens("Send", 0.9)
		s.wantStop(s.run(guard("paying or logging in")), flows.Stopped)
	})
}

func TestA50_AllowedIsPressedWithoutAPause(t *testing.T) {
	on(t, sender("Send"), func(s *stage) {
		s.req.AllowDestructive = true
		s.happens("Send", 0.9)
		s.wantStop(s.run(guard("sending the letter")), flows.Completed)
		s.wantClicks(`button "Send"`, 1)
	})
}

func TestA92_UnnamedInADialog(t *testing.T) {
	for _, tt := range []struct {
		inDialog bool
		clicks   int
	}{{true, 0}, {false, 1}} {
		on(t, page(), func(s *stage) {
			s.fake.Do(func(a *surfacetest.App) {
				icon := []*surfacetest.Element{{Role: "button"}}
				if tt.inDialog {
					a.Open(&surfacetest.Layer{Name: "Sure?", Elements: icon})
				} else {
					a.Add(icon...)
				}
			})
			s.d.On("target", flowstest.Pick("1", 0.95)).On("move", flowstest.Key("activate"), flowstest.Key("stuck"))
			s.run(do("go on"))
			s.wantClicks("", tt.clicks)
		})
	}
}

func TestA94_GuardPhraseNamesTheControl(t *testing.T) {
	for label, clicks := range map[string]int{"Book": 0, "Boo": 0, "Ook": 1} {
		on(t, page(dead(label)), func(s *stage) {
			s.d.On("target", flowstest.Pick(label, 0.95)).On("move", flowstest.Key("activate"), flowstest.Key("stuck"))
			s.run(do("look around"), guard("booking the room"))
			s.wantClicks("", clicks)
		})
	}
}

func TestFL58_GateRefusesAndNothingIsLearned(t *testing.T) {
	on(t, page(dead("Delete draft")), func(s *stage) {
		s.d.On("target", flowstest.Pick("Delete draft", 0.95))
		res := s.run(do("tidy up"))
		s.wantStop(res, flows.StepFailed)
		s.wantClicks("", 0)
		if res.Refused == nil || res.RefusedFor != "irreversible" || len(res.Learned) != 0 {
			t.Errorf("refused %+v for %q, learned %v", res.Refused, res.RefusedFor, res.Learned)
		}
	})
}

func TestFL97_A52_A95_PaymentScreen(t *testing.T) {
	card := surfacetest.Field("Card number")
	card.Complete = "cc-number"
	build := page(card, dead("Continue"), &surfacetest.Element{Role: "radio", Name: "Visa"})
	on(t, build, func(s *stage) {
		s.d.On("target", flowstest.Pick("Continue", 0.95))
		res := s.run(do("go on"))
		s.wantStop(res, flows.StepFailed)
		s.wantClicks("", 0)
		if res.RefusedFor != "payment" {
			t.Errorf("refused for %q", res.RefusedFor)
		}
		s.wantNote(res, "payment")
	})
	on(t, build, func(s *stage) {
		s.d.On("target", flowstest.Pick("Visa", 0.95)).On("move", flowstest.Key("activate"), flowstest.Key("stuck"))
		s.run(do("take visa"))
		s.wantClicks(`radio "Visa"`, 1)
	})
}

func TestFL98_A93_TabsNearAGuard(t *testing.T) {
	for _, tt := range []struct {
		tab    string
		clicks int
	}{{"Book", 1}, {"Pay ₹1", 0}} {
		on(t, page(&surfacetest.Element{Role: "tab", Name: tt.tab}, dead("Other")), func(s *stage) {
			s.d.On("target", flowstest.Pick(tt.tab, 0.95)).On("move", flowstest.Key("activate"), flowstest.Key("stuck"))
			s.run(do("show the other fares"), guard("paying for the booking"))
			s.wantClicks(`tab "`+tt.tab+`"`, tt.clicks)
		})
	}
}

// A box to type in commits nothing by being pressed, whatever a guard speaks of.
func TestAGuardNamesNoField(t *testing.T) {
	on(t, page(surfacetest.Field("Date"), dead("Other")), func(s *stage) {
		s.d.On("target", flowstest.Pick("Date", 0.95)).On("move", flowstest.Key("activate"), flowstest.Key("stuck"))
		s.run(do("open the date"), guard("submitting the date"))
		s.wantClicks(`textbox "Date"`, 1)
	})
}

func TestReturnCannotPressAGuardedButton(t *testing.T) {
	on(t, sender("Send"), func(s *stage) {
		s.d.On("slot_1", flowstest.Pick("To", 0.9)).On("move", flowstest.Key("shortcut"), flowstest.Key("stuck")).On("shortcut", flowstest.Pick("confirm", 0.95))
		s.run(enter("to", "mira@x.test"), do("press Enter"))
		if got := s.fake.Count("press", "return"); got != 0 {
			t.Errorf("Return was pressed %d times in a form whose button sends", got)
		}
	})
}

func TestEvidenceReadsAgainAndPressesNothing(t *testing.T) {
	on(t, sender("Send"), func(s *stage) {
		s.happens("Send", 0.9)
		signed := s.run(do("x"), guard("sending the letter"))
		_ = signed
		acts := len(s.fake.Acts())
		e, seen, err := flows.NewRunner(s.d).Evidence(s.Context(), s.fake, s.req, "2")
		if err != nil || e.Control.Name != "Send" || e.Step != "2" || seen == nil {
			t.Fatalf("evidence %+v, seen %v, %v", e, seen, err)
		}
		if len(s.fake.Acts()) != acts {
			t.Error("something was done")
		}
		s.fake.Do(func(a *surfacetest.App) { a.Remove("Send") })
		if _, seen, err := flows.NewRunner(s.d).Evidence(s.Context(), s.fake, s.req, "2"); err == nil || seen == nil {
			t.Errorf("a control that is gone: %v, seen %v", err, seen)
		}
		if _, _, err := flows.NewRunner(s.d).Evidence(s.Context(), s.fake, s.req, "1"); !errors.Is(err, fault.New(fault.InvalidRequest, "")) {
			t.Errorf("a step that is no guard: %v", err)
		}
	})
}

func TestA42_NestedGuardKeepsItsPath(t *testing.T) {
	on(t, sender("Send"), func(s *stage) {
		s.d.On("holds", flowstest.P(1)).On("negated", flowstest.P(0)).On("coverage", flowstest.Top(1)).On("target", flowstest.Pick("Send", 0.9))
		s.req.FirstStep = 3
		nested := flows.Step{Kind: flows.KindIf, Condition: "a form shows", Then: []flows.Step{guard("sending the letter")}}
		first := s.run(nested)
		s.wantStop(first, flows.Stopped)
		if first.Pending.Step != "3.1" || first.Failed != "3.1" {
			t.Fatalf("evidence of step %q, stopped at %q", first.Pending.Step, first.Failed)
		}
		s.req.Approved = first.Pending
		res := s.run(guard("sending the letter"))
		s.wantStop(res, flows.Completed)
		if res.Steps[0].Step != "3.1" {
			t.Errorf("run alone it is step %q", res.Steps[0].Step)
		}
	})
}

func TestEvidenceAmountAndPayee(t *testing.T) {
	tests := []struct {
		name          string
		lines         []string
		label         string
		amount, payee string
	}{
		{"the name wins", []string{"Total: €10.00"}, "Pay €42.10", "42.10 EUR", ""},
		{"the only total", []string{"Subtotal €8.00", "Total €10.00", "Pay to: Halden Cycles"}, "Order", "10.00 EUR", "Halden Cycles"},
		{"the cell beside", []string{"Total", "€10.00"}, "Order", "10.00 EUR", ""},
		{"two totals are unread", []string{"Total €10.00", "Amount due €12.00"}, "Order", "", ""},
		{"no currency is unread", []string{"Total 10"}, "Order", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var elements []*surfacetest.Element
			for _, l := range tt.lines {
				elements = append(elements, surfacetest.Text(l))
			}
			on(t, page(append(elements, dead(tt.label))...), func(s *stage) {
				s.d.On("target", flowstest.Pick(tt.label, 0.9))
				e := s.run(guard("placing the order")).Pending
				if got := strings.TrimSpace(e.Amount + " " + e.Currency); got != tt.amount || e.Payee != tt.payee {
					t.Errorf("amount %q, payee %q", got, e.Payee)
				}
			})
		})
	}
}

func TestScriptDialogSaysWhatItsOKDoes(t *testing.T) {
	for _, tt := range []struct {
		text   string
		clicks int
	}{{"Welcome back", 1}, {"Delete it for good?", 0}, {"Pay €40 now?", 0}} {
		on(t, page(button("Go")), func(s *stage) {
			s.fake.Do(func(a *surfacetest.App) { a.Alert(tt.text, nil, nil) })
			s.d.On("target", flowstest.Pick("OK", 0.95)).On("move", flowstest.Key("activate"), flowstest.Key("stuck"))
			s.run(do("press OK"))
			s.wantClicks(`button "OK"`, tt.clicks)
		})
	}
}

func TestCodeInAPortIsNotMaskedForTheBrowser(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.with(map[string]string{"cvv": "423"})
		s.fake.Serve("http://127.0.0.1:8423/", page(button("Go")))
		s.wantStop(s.run(step(flows.KindBrowse, "http://127.0.0.1:8423/")), flows.Completed)
		if s.fake.Count("navigate", "http://127.0.0.1:8423/") != 1 {
			t.Errorf("acts %+v", s.fake.Acts())
		}
	})
}

func TestServerErrorFailsTheBrowse(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.fake.Serve("https://down.test/", func() *surfacetest.Page { return &surfacetest.Page{Title: "Oops", Status: 500} })
		res := s.run(step(flows.KindBrowse, "https://down.test/"))
		if res.Code != fault.PageError || !strings.Contains(res.Reason, "500") {
			t.Errorf("code %q, reason %q", res.Code, res.Reason)
		}
	})
}

func TestBrowseSaysThatAPageIsStillLoading(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.fake.Serve("https://slow.test/", func() *surfacetest.Page {
			return &surfacetest.Page{Title: "Slow", Loading: true, Elements: []*surfacetest.Element{button("Go")}}
		})
		res := s.run(step(flows.KindBrowse, "https://slow.test/"))
		s.wantStop(res, flows.Completed)
		if note := res.Steps[0].Note; note != "showing Slow, which is still loading" {
			t.Errorf("the step says %q", note)
		}
	})
}

// After a restart the page still holds what was typed, while the fact given
// again may differ from it, or be missing: the value is withheld all the same.
func TestSecretsNoFactHoldsAreWithheld(t *testing.T) {
	form := surfacetest.Form("f", surfacetest.Field("Security code"), surfacetest.Field("Notes"), surfacetest.Field("To"), dead("Send"))
	on(t, page(form...), func(s *stage) {
		s.happens("Send", 0.9)
		s.fake.Do(func(a *surfacetest.App) {
			a.Find("Security code").Value, a.Find("Notes").Value, a.Find("To").Value = "739", "4242 4242 4242 4242", "mira@x.test"
		})
		s.run(guard("sending the letter"))
		e, seen, err := flows.NewRunner(s.d).Evidence(s.Context(), s.fake, s.req, "1")
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"${secret}", "${secret}", "mira@x.test"}
		for i, w := range want {
			if i >= len(e.Form) || e.Form[i].Value != w || i >= len(seen.Fields) || seen.Fields[i].Value != w {
				t.Fatalf("evidence %+v, look %+v, want %q", e.Form, seen.Fields, want)
			}
		}
	})
}
