package flows_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"countersign/flows"
	"countersign/flows/flowstest"
	"countersign/surfaces"
	"countersign/surfaces/surfacetest"
)

func choose(what, option string) flows.Step {
	return flows.Step{Kind: flows.KindChoose, What: what, Option: option}
}

func pick(from, by string) flows.Step {
	return flows.Step{Kind: flows.KindPick, From: from, By: by, Into: "best"}
}

func TestFL75_SiblingSelectedNeedsNoQuestion(t *testing.T) {
	// The tab takes the press but its sibling stays the selected one.
	stays := &surfacetest.Element{Role: "tab", Name: "Two"}
	stays.OnClick = func(a *surfacetest.App) {
		a.Find("Two").States, a.Find("One").States = nil, []string{surfaces.Selected}
		a.Add(surfacetest.Text("tried"))
	}
	on(t, page(&surfacetest.Element{Role: "tab", Name: "One", States: []string{surfaces.Selected}}, stays), func(s *stage) {
		s.d.On("target", flowstest.Pick("Two", 0.9)).On("move", flowstest.Key("stuck"))
		s.wantStop(s.run(choose("the view", "Two")), flows.StepFailed)
		if got := len(s.d.Asked("reflects")); got != 0 {
			t.Errorf("asked %d times what a sibling tells", got)
		}
		if got := len(s.d.Asked("move")); got == 0 {
			t.Error("nothing was repaired")
		}
	})
}

func TestFL76_OneRepairOfFourTurns(t *testing.T) {
	on(t, page(button("Large")), func(s *stage) {
		s.d.On("target", flowstest.Pick("Large", 0.9)).On("reflects", flowstest.P(0.4)).On("strays", flowstest.P(0.6)).On("move", flowstest.Key("fly"))
		res := s.run(choose("size", "Large"))
		s.wantStop(res, flows.StepFailed)
		s.wantNote(res, "Large", "size", "40%")
		if turns, asked := len(s.d.Asked("move")), len(s.d.Asked("reflects")); turns > 5 || asked != 2 {
			t.Errorf("%d judgements in the repair and %d reflections, want at most 5 and 2", turns, asked)
		}
	})
}

func TestFL77_FailedChooseRetypes(t *testing.T) {
	name := surfacetest.Field("Name")
	name.Value = "Noa"
	on(t, page(name), func(s *stage) {
		s.d.On("move", flowstest.Key("stuck"))
		s.fake.Do(func(a *surfacetest.App) { a.Find("Name").Value = "Noa" })
		s.wantStop(s.run(choose("name", "Oslo")), flows.StepFailed)
		if s.fake.Count("type_text", "") < 2 {
			t.Fatal("the choose typed nothing, so nothing was put back")
		}
		s.fake.Do(func(a *surfacetest.App) {
			if got := a.Value("Name"); got != "Noa" {
				t.Errorf("the field was left with %q", got)
			}
		})
	})
}

func TestFL78_NativeDropdownIsSetDirectly(t *testing.T) {
	on(t, func() *surfacetest.Page {
		return &surfacetest.Page{Title: "Form", Elements: surfacetest.Select("Country", "Norway", "Sweden")}
	}, func(s *stage) {
		s.d.On("target", flowstest.Pick("Sweden", 0.9))
		s.wantOutcome(s.run(choose("country", "Sweden")), 0, flows.OutcomeDone)
		if s.fake.Count("click", "") != 1 || len(s.d.Asked("move")) != 0 {
			t.Errorf("acts %v", s.fake.Acts())
		}
		s.fake.Do(func(a *surfacetest.App) {
			if a.Value("Country") != "Sweden" {
				t.Errorf("it holds %q", a.Value("Country"))
			}
		})
	})
}

func TestFL08_SharedOptionIsExpanded(t *testing.T) {
	on(t, page(button("Ms"), button("Mr")), func(s *stage) {
		s.with(map[string]string{"title": "Ms"})
		s.d.On("target", flowstest.Pick("Ms", 0.9))
		s.wantOutcome(s.run(choose("title", "${title}")), 0, flows.OutcomeDone)
		s.wantClicks(`button "Ms"`, 1)
	})
}

func TestChosenAlreadyIsNotPressed(t *testing.T) {
	on(t, page(&surfacetest.Element{Role: "radio", Name: "Visa", States: []string{surfaces.Checked}}), func(s *stage) {
		s.d.On("target", flowstest.Pick("Visa", 0.9))
		s.wantOutcome(s.run(choose("card", "Visa")), 0, flows.OutcomeAlreadyDone)
		s.wantClicks("", 0)
	})
}

// offers is a list of cards, each its lines and an opener.
func offers(opener string, lines ...string) func() *surfacetest.Page {
	var all []*surfacetest.Element
	for i, line := range lines {
		var in []*surfacetest.Element
		for _, field := range strings.Split(line, "|") {
			in = append(in, surfacetest.Text(field))
		}
		name, _, _ := strings.Cut(line, "|")
		in = append(in, &surfacetest.Element{Role: "button", Name: opener, OnClick: func(a *surfacetest.App) { a.Add(surfacetest.Text("opened " + name)) }})
		all = append(all, surfacetest.In("list", surfacetest.In(fmt.Sprintf("listitem #%d", i+1), in...)...)...)
	}
	return page(all...)
}

func (s *stage) wantOpened(name string) {
	s.Helper()
	screen, reply := s.fake.Observe(s.Context(), "browser", "", surfaces.Full)
	if reply != nil {
		s.Fatal(reply.Err())
	}
	var opened []string
	for _, line := range screen.Context {
		if rest, ok := strings.CutPrefix(line, "opened "); ok {
			opened = append(opened, rest)
		}
	}
	if !slices.Equal(opened, []string{name}) {
		s.Errorf("opened %v, want %q", opened, name)
	}
}

func TestFL79_LowestPriceExactly(t *testing.T) {
	on(t, offers("View", "Sky|₹8,150", "Hop|₹7,905"), func(s *stage) {
		res := s.run(pick("the flights", "lowest price"))
		s.wantOutcome(res, 0, flows.OutcomeDone)
		s.wantOpened("Hop")
		if got := len(s.d.Requests()); got != 1 || len(s.d.Asked("belongs_")) != 2 {
			t.Errorf("%d requests with %d belongs, want one batch", got, len(s.d.Asked("belongs_")))
		}
		if got := res.Vars["best"]; got != "Hop · ₹7,905 · View" {
			t.Errorf("best = %q", got)
		}
	})
}

func TestFL80_CheapestMustBelong(t *testing.T) {
	on(t, offers("View", "Sky|₹8,150", "Advert|₹100", "Hop|₹7,905"), func(s *stage) {
		s.d.On("belongs_1", flowstest.P(0.3)).On("belongs_2", flowstest.P(0.7))
		s.run(pick("the flights", "lowest price"))
		s.wantOpened("Hop")
	})
}

func TestFL81_NearestTiesByPageOrder(t *testing.T) {
	on(t, offers("View", "Size 8", "Size 10", "Size 11"), func(s *stage) {
		s.run(pick("the sizes on offer", "closest to 9"))
		s.wantOpened("Size 8")
	})
}

func TestFL82_LeaningToAListIsEnough(t *testing.T) {
	var all []*surfacetest.Element
	for i := range 2 {
		all = append(all, surfacetest.In(`list "Short"`, surfacetest.In(fmt.Sprintf("listitem #%d", i+1), surfacetest.Text(fmt.Sprintf("Short item %d", i)))...)...)
	}
	for i := range 4 {
		all = append(all, surfacetest.In(`list "Long"`, surfacetest.In(fmt.Sprintf("listitem #%d", i+1), surfacetest.Text(fmt.Sprintf("Long item %d", i)))...)...)
	}
	for _, tt := range []struct {
		other float64
		want  int
	}{{0.10, 2}, {0.15, 4}} {
		on(t, page(all...), func(s *stage) {
			s.d.On("list", shares(map[string]float64{"2": 0.35, "1": tt.other}))
			res := s.run(flows.Step{Kind: flows.KindExtract, What: "the short ones", Into: "rows"})
			if got := strings.Count(res.Vars["rows"], "item"); got != tt.want {
				t.Errorf("with 0.35 and %v it took the list of %d", tt.other, got)
			}
		})
	}
}

func TestFL83_OptionButtonsAreForChoose(t *testing.T) {
	on(t, page(button("S"), button("M"), button("L")), func(s *stage) {
		res := s.run(pick("the sizes", "largest"))
		s.wantStop(res, flows.StepFailed)
		s.wantNote(res, "choose")
	})
}

func TestFL84_FlatRunOnADesktopTree(t *testing.T) {
	var all []*surfacetest.Element
	for _, n := range []string{"alpha.txt", "beta.txt", "gamma.txt", "delta.txt"} {
		all = append(all, surfacetest.In(`list "Files"`, &surfacetest.Element{Role: "listitem", Name: n})...)
	}
	on(t, page(all...), func(s *stage) {
		res := s.run(flows.Step{Kind: flows.KindExtract, What: "the files", Into: "files"})
		var rows []map[string]string
		if err := json.Unmarshal([]byte(res.Vars["files"]), &rows); err != nil || len(rows) != 4 || rows[2]["text"] != "gamma.txt" {
			t.Errorf("rows %v, %v", rows, err)
		}
	})
}

func TestFL85_BuyNowIsRefused(t *testing.T) {
	on(t, offers("Buy now", "Sky|₹8,150", "Hop|₹7,905"), func(s *stage) {
		res := s.run(pick("the flights", "lowest price"))
		s.wantStop(res, flows.StepFailed)
		s.wantClicks("", 0)
		if res.RefusedFor != "payment" {
			t.Errorf("refused for %q", res.RefusedFor)
		}
	})
}

func TestFL87_NoPriceMeansTheDeciderJudges(t *testing.T) {
	on(t, offers("View", "Sky|free", "Hop|dear"), func(s *stage) {
		s.d.On("list", flowstest.Pick("1", 0.9)).On("record", flowstest.Pick("2", 0.8))
		s.run(pick("the flights", "lowest price"))
		s.wantOpened("Hop")
		if len(s.d.Asked("belongs_")) != 0 {
			t.Error("what could not be ranked was asked about as if it were")
		}
	})
}

func TestFL116_SplitLinesAreNoList(t *testing.T) {
	var all []*surfacetest.Element
	n := 0
	for i, card := range []string{"A|1,000|x", "B|2,000", "C|3,000"} {
		for _, line := range strings.Split(card, "|") {
			n++
			all = append(all, surfacetest.In(`list "Cards"`, surfacetest.In(fmt.Sprintf("listitem #%d", i+1), surfacetest.Text("line "+line))...)...)
			all = append(all, surfacetest.In(`group "Lines"`, surfacetest.In(fmt.Sprintf("row #%d", n), surfacetest.Text("line "+line))...)...)
		}
	}
	on(t, page(all...), func(s *stage) {
		res := s.run(flows.Step{Kind: flows.KindExtract, What: "the cards", Into: "rows"})
		var rows []map[string]string
		if err := json.Unmarshal([]byte(res.Vars["rows"]), &rows); err != nil || len(rows) != 3 || len(s.d.Asked("list")) != 0 {
			t.Errorf("rows %v, %v, %d questions which list", rows, err, len(s.d.Asked("list")))
		}
	})
}

func TestFL118_FirstThatFits(t *testing.T) {
	on(t, offers("View", "Sky|3 stars", "Hop|4 stars", "Top|5 stars"), func(s *stage) {
		s.d.On("belongs_1", flowstest.P(0.2)).On("belongs_2", flowstest.P(0.8)).On("belongs_3", flowstest.P(0.9))
		s.run(pick("the hotels", "first rated 4 stars or more"))
		s.wantOpened("Hop")
		if qs := s.d.Asked("belongs_"); len(qs) == 0 || !strings.Contains(qs[0].Purpose, "4 stars") {
			t.Errorf("the condition is not asked about: %+v", qs)
		}
	})
}

func TestFL113_ReadPagesByPage(t *testing.T) {
	var all []*surfacetest.Element
	for i := range 130 {
		all = append(all, surfacetest.Text(fmt.Sprintf("piece %d", i+1)))
	}
	on(t, page(all...), func(s *stage) {
		s.d.On("source", flowstest.Pick("piece 125", 0.8))
		res := s.run(flows.Step{Kind: flows.KindRead, What: "the last piece", Into: "piece"})
		if res.Vars["piece"] != "piece 125" || len(s.d.Requests()) != 3 {
			t.Errorf("piece = %q after %d requests", res.Vars["piece"], len(s.d.Requests()))
		}
	})
}

func TestFL114_NameAndValueSeparately(t *testing.T) {
	on(t, page(&surfacetest.Element{Role: "textbox", Name: "Asha", Value: "See you at 5", InputType: "text"}), func(s *stage) {
		s.run(flows.Step{Kind: flows.KindRead, What: "the message", Into: "message"})
		var texts []string
		for _, o := range s.d.Asked("source")[0].Options {
			texts = append(texts, o.Text)
		}
		if !slices.Contains(texts, "Asha") || !slices.Contains(texts, "See you at 5") {
			t.Errorf("offered %q", texts)
		}
	})
}
