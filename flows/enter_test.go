package flows_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"countersign/flows"
	"countersign/flows/flowstest"
	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/surfacetest"
)

func TestFL59_SurerSlotGetsTheField(t *testing.T) {
	on(t, page(surfacetest.Field("A"), surfacetest.Field("B")), func(s *stage) {
		s.d.On("slot_1", flowstest.Spread(map[string]float64{"B": 0.6, "A": 0.41})).On("slot_2", flowstest.Spread(map[string]float64{"B": 0.8, "A": 0.1}))
		s.wantOutcome(s.run(enter("one", "first", "two", "second")), 0, flows.OutcomeDone)
		s.fake.Do(func(a *surfacetest.App) {
			if a.Value("A") != "first" || a.Value("B") != "second" {
				t.Errorf("A holds %q, B %q", a.Value("A"), a.Value("B"))
			}
		})
	})
}

func TestFL60_UnderTheFloorIsDropped(t *testing.T) {
	on(t, page(surfacetest.Field("A")), func(s *stage) {
		s.d.On("slot_1", flowstest.Pick("A", 0.39))
		s.wantStop(s.run(enter("one", "first")), flows.StepFailed)
		if s.fake.Count("type_text", "") != 0 {
			t.Error("typed at 0.39")
		}
	})
}

func TestFL61_DeafFieldIsPasted(t *testing.T) {
	deaf := surfacetest.Field("Name")
	deaf.Deaf = true
	on(t, page(deaf), func(s *stage) {
		s.d.On("slot_1", flowstest.Pick("Name", 0.9))
		res := s.run(enter("name", "Noa"))
		s.wantOutcome(res, 0, flows.OutcomeDone)
		if !strings.Contains(res.Steps[0].Note, "name (paste)") {
			t.Errorf("note %q", res.Steps[0].Note)
		}
	})
}

func TestFL62_TokensCountUnverified(t *testing.T) {
	to := surfacetest.Field("To")
	to.OnInput = func(a *surfacetest.App, _ string) { a.Find("To").Value = "\uFFFC, \uFFFC" }
	on(t, page(to), func(s *stage) {
		s.d.On("slot_1", flowstest.Pick("To", 0.9))
		s.wantOutcome(s.run(enter("recipients", "a@x.test, b@x.test")), 0, flows.OutcomeDone)
		if s.fake.Count("paste", "") != 0 {
			t.Error("a token field was pasted into")
		}
	})
}

func TestFL63_NeitherPathLands(t *testing.T) {
	stubborn := surfacetest.Field("Name")
	stubborn.OnInput = func(a *surfacetest.App, _ string) { a.Find("Name").Value = "nothing of the kind" }
	on(t, page(stubborn), func(s *stage) {
		s.d.On("slot_1", flowstest.Pick("Name", 0.9))
		res := s.run(enter("name", "Noa"))
		if res.Code != fault.TextNotDelivered {
			t.Errorf("code %q (%s)", res.Code, res.Reason)
		}
	})
}

func TestFL64_QuotedMailRemains(t *testing.T) {
	body := &surfacetest.Element{Role: "textbox", Name: "Body", Value: "> quoted mail", Actions: []surfaces.Action{surfaces.CanClick, surfaces.CanTypeText}}
	body.OnInput = func(a *surfacetest.App, text string) { a.Find("Body").Value = text + "\n> quoted mail" }
	on(t, page(body), func(s *stage) {
		s.d.On("slot_1", flowstest.Pick("Body", 0.9))
		s.wantOutcome(s.run(enter("message", "Hello")), 0, flows.OutcomeDone)
		if s.fake.Count("type_text", "") != 0 || s.fake.Count("paste", "") != 1 {
			t.Error("a body that takes no plain set must be pasted into at the caret")
		}
	})
}

func TestFL65_ARowThatTakesNoTextIsStruckOff(t *testing.T) {
	row := &surfacetest.Element{Role: "row", Name: "Row", Actions: []surfaces.Action{surfaces.CanClick, surfaces.CanSetValue}}
	on(t, page(row, surfacetest.Field("Name")), func(s *stage) {
		s.fake.FailNext("type_text", surfaces.Fail("type_text", fault.NotATextField, "takes no text"))
		s.d.On("slot_1", flowstest.Pick("Row", 0.9), flowstest.Pick("Name", 0.9))
		s.wantOutcome(s.run(enter("name", "Noa")), 0, flows.OutcomeDone)
		s.wantClicks(`row "Row"`, 0)
		if got := s.d.Asked("slot_1"); len(got[1].Options) != 1 {
			t.Errorf("after the refusal %d fields are offered, want 1", len(got[1].Options))
		}
	})
}

// completing is a box that shows rows after a while.
func completing(role, name string, after time.Duration, rows ...string) *surfacetest.Element {
	box := &surfacetest.Element{Role: role, Name: name, InputType: "text"}
	box.OnInput = func(a *surfacetest.App, _ string) {
		show := func(a *surfacetest.App) {
			for _, row := range rows {
				a.Remove(row)
				a.Add(surfacetest.In(`listbox "Suggestions"`, &surfacetest.Element{
					Role: "option", Name: row,
					OnClick: func(a *surfacetest.App) { a.Find(name).Value = row },
				})...)
			}
		}
		if after == 0 {
			show(a)
			return
		}
		a.Later(after, show)
	}
	return box
}

func TestFL66_EqualRowNeedsNoQuestion(t *testing.T) {
	on(t, page(completing("combobox", "Station", 0, "Pune", "Pune West")), func(s *stage) {
		s.d.On("slot_1", flowstest.Pick("Station", 0.9))
		s.run(enter("station", "Pune"))
		s.wantClicks(`option "Pune"`, 1)
		if len(s.d.Asked("suggestion")) != 0 {
			t.Error("an equal row was asked about")
		}
	})
}

func TestFL67_UnsureRowStays(t *testing.T) {
	for _, tt := range []struct {
		p      float64
		clicks int
	}{{0.45, 0}, {0.55, 1}} {
		on(t, page(completing("combobox", "Station", 0, "Pune Junction")), func(s *stage) {
			s.d.On("slot_1", flowstest.Pick("Station", 0.9)).On("suggestion", flowstest.Pick("Pune Junction", tt.p))
			s.wantOutcome(s.run(enter("station", "Pune")), 0, flows.OutcomeDone)
			s.wantClicks("", tt.clicks)
		})
	}
}

func TestFL68_SearchBoxKeepsItsText(t *testing.T) {
	on(t, page(completing("searchbox", "Search", 0, "rice cooker")), func(s *stage) {
		s.d.On("slot_1", flowstest.Pick("Search", 0.9)).On("suggestion", flowstest.Pick("rice cooker", 0.99))
		s.run(enter("search", "rice"))
		s.wantClicks("", 0)
	})
	on(t, page(completing("searchbox", "Search", 0, "Show all results for rice")), func(s *stage) {
		s.d.On("slot_1", flowstest.Pick("Search", 0.9))
		s.run(enter("search", "rice"))
		s.wantClicks(`option "Show all results for rice"`, 1)
	})
}

func TestFL69_LatePlacesAreFound(t *testing.T) {
	on(t, page(completing("combobox", "From", 1700*time.Millisecond, "Pune Junction")), func(s *stage) {
		s.d.On("slot_1", flowstest.Pick("From", 0.9)).On("suggestion", flowstest.Pick("Pune Junction", 0.9))
		start := time.Now()
		s.run(enter("from", "Pune"))
		s.wantClicks(`option "Pune Junction"`, 1)
		if took := time.Since(start); took > 2500*time.Millisecond {
			t.Errorf("took %v, want the wait to end with the change", took)
		}
	})
}

func TestFL70_SecretIsNeitherAskedNorCompleted(t *testing.T) {
	on(t, page(completing("combobox", "Account number", 0, "12345678")), func(s *stage) {
		s.with(map[string]string{"account number": "12345678"})
		s.d.On("slot_1", flowstest.Pick("Account number", 0.9)).On("suggestion", flowstest.Pick("1", 0.99))
		s.wantOutcome(s.run(enter("account number", "${account number}")), 0, flows.OutcomeDone)
		s.wantClicks("", 0)
		if len(s.d.Asked("suggestion")) != 0 {
			t.Error("rows that a secret opened were asked about")
		}
	})
}

func TestFL71_FlaggedTwiceFails(t *testing.T) {
	on(t, page(surfacetest.Field("Phone")), func(s *stage) {
		s.d.On("slot_1", flowstest.Pick("Phone", 0.9)).On("error_*", flowstest.P(0.75))
		res := s.run(enter("phone", "123"))
		s.wantStop(res, flows.StepFailed)
		s.wantNote(res, "phone")
		if got := s.fake.Count("type_text", ""); got != 2 {
			t.Errorf("entered %d times, want 2", got)
		}
	})
}

func TestFL72_SlotsNotAskedFor(t *testing.T) {
	on(t, page(surfacetest.Field("Name")), func(s *stage) {
		s.d.On("slot_1", flowstest.Pick("Name", 0.9)).On("asks_1", flowstest.P(0.2)).On("asks_2", flowstest.P(0.2))
		s.wantOutcome(s.run(enter("name", "Noa", "fax", "1")), 0, flows.OutcomeDone)
	})
	on(t, page(surfacetest.Field("Name")), func(s *stage) {
		s.d.On("asks_*", flowstest.P(0.2))
		res := s.run(enter("telex", "Noa", "fax", "1"))
		s.wantStop(res, flows.StepFailed)
		s.wantNote(res, "telex", "fax")
	})
}

func TestFL73_DateInTheFieldsLayout(t *testing.T) {
	birth := surfacetest.Field("Date of birth")
	birth.Hints = []string{"DD-MM-YYYY"}
	on(t, page(birth), func(s *stage) {
		s.d.On("slot_1", flowstest.Pick("Date of birth", 0.9))
		s.run(enter("date of birth", "1998-03-24"))
		s.fake.Do(func(a *surfacetest.App) {
			if got := a.Value("Date of birth"); got != "24-03-1998" {
				t.Errorf("typed %q", got)
			}
		})
	})
}

// monthPage shows a calendar of bare numbers that pages forward.
func monthPage(headings ...string) func() *surfacetest.Page {
	return func() *surfacetest.Page {
		at := 0
		heading := surfacetest.Text(headings[0])
		p := &surfacetest.Page{Title: "Calendar", Elements: []*surfacetest.Element{
			heading,
			surfacetest.Button("next month", func(*surfacetest.App) { at = min(at+1, len(headings)-1); heading.Name = headings[at] }),
		}}
		for _, n := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"} {
			p.Elements = append(p.Elements, surfacetest.In(`grid "Days"`, &surfacetest.Element{
				Role: "gridcell", Name: n,
				OnClick: func(a *surfacetest.App) { a.Add(surfacetest.Text("chose " + n + " of " + heading.Name)) },
			})...)
		}
		return p
	}
}

func TestFL74_PagingStopsAtTheHeading(t *testing.T) {
	on(t, monthPage("August 2026", "September 2026", "October 2026", "November 2026"), func(s *stage) {
		res := s.run(flows.Step{Kind: flows.KindChoose, What: "travel date", Option: "14 October 2026"})
		s.wantOutcome(res, 0, flows.OutcomeDone)
		s.wantClicks(`button "next month"`, 2)
		s.wantClicks(`gridcell "14"`, 1)
	})
}

// A month before the one that shows is paged back to, and a month that is passed
// by is not looked for beyond.
func TestCalendarPagesBack(t *testing.T) {
	backwards := func(headings ...string) func() *surfacetest.Page {
		return func() *surfacetest.Page {
			p := monthPage(headings...)()
			p.Elements[1].Name = "previous month"
			return p
		}
	}
	on(t, backwards("August 2026", "Jul 2026", "June 2026", "May 2026"), func(s *stage) {
		s.wantOutcome(s.run(choose("travel date", "14 June 2026")), 0, flows.OutcomeDone)
		s.wantClicks(`button "previous month"`, 2)
		s.wantClicks(`gridcell "14"`, 1)
	})
	on(t, backwards("August 2026", "June 2026"), func(s *stage) {
		res := s.run(choose("travel date", "14 July 2026"))
		s.wantStop(res, flows.StepFailed)
		s.wantNote(res, "goes past the month")
	})
	on(t, monthPage("August 2026"), func(s *stage) {
		res := s.run(choose("travel date", "14 July 2026"))
		s.wantStop(res, flows.StepFailed)
		s.wantNote(res, "cannot be paged back")
	})
}

func TestFL21_A74_SecretsLeaveNowhere(t *testing.T) {
	const card = "4111111111111111"
	field := surfacetest.Field("Card number")
	field.Complete = "cc-number"
	field.OnInput = func(a *surfacetest.App, text string) {
		a.Add(surfacetest.Text("you typed 4111 1111 1111 1111"), surfacetest.Text("and "+text))
	}
	on(t, page(field), func(s *stage) {
		s.with(map[string]string{"card number": card})
		s.req.Payment, s.req.Trace = flows.FillThenApprove, true
		s.d.On("slot_1", flowstest.Pick("Card number", 0.9)).On("move", flowstest.Key("stuck"))
		res := s.run(enter("card number", "${card number}"), do("look at ${card number}"))
		s.fake.Do(func(a *surfacetest.App) {
			if a.Value("Card number") != card {
				t.Errorf("the field holds %q", a.Value("Card number"))
			}
		})
		if len(res.SecretFields) != 1 || res.SecretFields[0].Name != "Card number" || res.SecretFields[0].Role != "textbox" {
			t.Errorf("a secret was typed at %+v", res.SecretFields)
		}
		everything := dump(res, s.told.steps, s.told.seen, s.told.exchanges, s.d.Requests())
		for _, leak := range []string{card, "4111 1111 1111 1111"} {
			if strings.Contains(everything, leak) {
				t.Errorf("%q left the run", leak)
			}
		}
		if !strings.Contains(everything, "${card number}") {
			t.Error("FL-18 the echoed secret is not shown by its name")
		}
		if got := s.d.Asked("done"); len(got) == 0 || got[0].Subject != "look at ${card number}" {
			t.Error("FL-22 a secret outside enter must stay literal")
		}
		fields := s.told.seen[len(s.told.seen)-1].Fields
		if !slices.Contains(fields, flows.SeenField{Label: "Card number", Value: "${card number}"}) {
			t.Errorf("fields as seen: %v", fields)
		}
	})
}

func TestFL22_APlainStepTypesNoSecret(t *testing.T) {
	on(t, page(surfacetest.Field("Password")), func(s *stage) {
		s.with(map[string]string{"password": "hunter2"})
		s.d.On("slot_1", flowstest.Pick("Password", 0.9)).On("move", flowstest.Key("stuck"))
		s.run(do("enter ${password} into the Password field"))
		if s.fake.Count("type_text", "")+s.fake.Count("paste", "") != 0 {
			t.Error("a secret was typed by a plain step")
		}
	})
}

func TestCoverOverAFieldIsCleared(t *testing.T) {
	on(t, page(surfacetest.Field("Name")), func(s *stage) {
		s.fake.Do(func(a *surfacetest.App) {
			a.Open(&surfacetest.Layer{Name: "Cookies", Front: surfaces.FrontWindow, Sticky: true, Elements: []*surfacetest.Element{
				surfacetest.Button("Reject all", func(a *surfacetest.App) { a.Close() }),
			}})
		})
		s.d.On("slot_1", flowstest.Pick("Name", 0.9))
		s.wantOutcome(s.run(enter("name", "Noa")), 0, flows.OutcomeDone)
		s.wantClicks(`button "Reject all"`, 1)
	})
}

func TestCardDataNeedsItsMode(t *testing.T) {
	on(t, page(surfacetest.Field("Card number")), func(s *stage) {
		s.with(map[string]string{"card number": "4111111111111111"})
		s.d.On("slot_1", flowstest.Pick("Card number", 0.9))
		s.wantNote(s.run(enter("card number", "${card number}")), "CARD_DATA_NOT_ALLOWED")
		if s.fake.Count("type_text", "") != 0 {
			t.Error("a card was typed under stop_at_payment")
		}
	})
}

func TestFL24_VarsWinOverCollected(t *testing.T) {
	on(t, page(surfacetest.Field("Name")), func(s *stage) {
		s.with(map[string]string{"who": "caller"})
		s.req.Collected = map[string]string{"who": "collected", "other": "kept"}
		s.req.Flow.Vars = map[string]string{"other": "declared", "third": "declared"}
		s.d.On("slot_1", flowstest.Pick("Name", 0.9))
		s.run(enter("name", "${who} ${other} ${third}"))
		s.fake.Do(func(a *surfacetest.App) {
			if got := a.Value("Name"); got != "caller kept declared" {
				t.Errorf("typed %q", got)
			}
		})
	})
}
