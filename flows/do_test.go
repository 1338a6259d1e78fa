package flows_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"countersign/flows"
	"countersign/flows/decider"
	"countersign/flows/flowstest"
	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/surfacetest"
)

// estimate scripts done, not_done and progress so that the judge's estimate is
// p.
func (s *stage) estimate(ps ...float64) {
	for _, p := range ps {
		s.d.On("done", flowstest.P(p)).On("not_done", flowstest.P(1-p)).On("progress", flowstest.Top(p))
	}
}

func TestFL34_SkippedOnlyWhenSure(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.estimate(0.80)
		s.d.On("target", flowstest.Pick("Go", 0.9))
		res := s.run(do("go on"))
		if s.fake.Count("click", "") == 0 {
			s.Error("0.80 on turn 0 skipped the step")
		}
		s.wantOutcome(res, 0, flows.OutcomeDone)
	})
	on(t, page(button("Go")), func(s *stage) {
		s.estimate(0.86)
		s.wantOutcome(s.run(do("go on")), 0, flows.OutcomeAlreadyDone)
		s.wantClicks("", 0)
	})
}

func TestFL35_CreatingAlwaysActs(t *testing.T) {
	on(t, page(button("New note")), func(s *stage) {
		s.estimate(0.99)
		s.d.On("target", flowstest.Pick("New note", 0.9))
		s.wantOutcome(s.run(do("create a new note")), 0, flows.OutcomeDone)
		s.wantClicks(`button "New note"`, 1)
	})
}

func TestFL36_FinishedCountsWhenLeaningDone(t *testing.T) {
	for _, tt := range []struct {
		p      float64
		clicks int
	}{{0.55, 1}, {0.45, 2}} {
		on(t, page(button("Go")), func(s *stage) {
			s.estimate(0.1, tt.p, 0.9)
			s.d.On("move", flowstest.Key("activate"), flowstest.Key("finished"), flowstest.Key("finished")).On("target", flowstest.Pick("Go", 0.9))
			s.wantOutcome(s.run(do("go on")), 0, flows.OutcomeDone)
			s.wantClicks(`button "Go"`, tt.clicks)
		})
	}
}

func TestFL37_UnchangedIsBanned(t *testing.T) {
	on(t, page(dead("Dead"), button("Go")), func(s *stage) {
		s.d.On("target", flowstest.Pick("Dead", 0.9), flowstest.Pick("Dead", 0.9)).On("done", flowstest.P(0.1))
		s.run(do("go on"))
		s.wantClicks(`button "Dead"`, 1)
		last := s.d.Asked("target")
		if names := last[len(last)-1].Options; len(names) != 1 || names[0].Name != "Go" {
			s.Errorf("after a press that changed nothing %v is offered", names)
		}
	})
}

func TestFL38_StallIsAskedOnce(t *testing.T) {
	for _, tt := range []struct {
		holds float64
		want  flows.Outcome
	}{{0.80, flows.OutcomeAlreadyDone}, {0.60, flows.OutcomeFailed}} {
		on(t, page(dead("A"), dead("B"), dead("C"), dead("D")), func(s *stage) {
			s.d.On("target", flowstest.Pick("A", 0.9), flowstest.Pick("B", 0.9), flowstest.Pick("C", 0.9))
			s.d.On("holds", flowstest.P(tt.holds)).On("negated", flowstest.P(1-tt.holds)).On("coverage", flowstest.Top(tt.holds))
			s.wantOutcome(s.run(do("go on")), 0, tt.want)
			if got := len(s.d.Asked("holds")); got != 1 {
				s.Errorf("asked %d times whether the result shows, want once", got)
			}
		})
	}
}

func TestFL39_NoThirdIdleWait(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.d.On("move", flowstest.Key("wait"), flowstest.Key("wait"), flowstest.Key("stuck"))
		s.run(do("go on"))
		moves := s.d.Asked("move")
		offers := func(i int) bool {
			return slices.ContainsFunc(moves[i].Options, func(o decider.Option) bool { return o.Key == "wait" })
		}
		if len(moves) != 3 || !offers(1) || offers(2) {
			s.Errorf("%d turns; wait offered on the second %v, on the third %v", len(moves), offers(1), offers(2))
		}
	})
}

func TestFL40_DismissOffersNothingDestructive(t *testing.T) {
	on(t, page(button("Delete"), button("Close"), button("Go")), func(s *stage) {
		s.d.On("blocked", flowstest.P(0.72), flowstest.P(0.1)).On("dismiss", flowstest.Pick("Close", 0.9)).On("target", flowstest.Pick("Go", 0.9))
		s.run(do("go on"))
		s.wantClicks(`button "Close"`, 1)
		if names := s.offeredNames("dismiss"); slices.Contains(names, "Delete") || !slices.Contains(names, "Close") {
			s.Errorf("offered for dismissal: %v", names)
		}
	})
}

func TestFL41_TwoDismissalsAStep(t *testing.T) {
	on(t, page(button("Close"), button("Go")), func(s *stage) {
		s.d.On("blocked", flowstest.P(0.9)).On("dismiss", flowstest.Pick("Close", 0.9)).On("target", flowstest.Pick("Go", 0.9))
		s.run(do("go on"))
		s.wantClicks(`button "Close"`, 2)
	})
}

func TestFL42_ProgressFallsIsUndoneTwice(t *testing.T) {
	on(t, page(button("A"), button("B"), button("C"), button("D"), button("E")), func(s *stage) {
		s.d.On("progress", flowstest.Level(3), flowstest.Level(2), flowstest.Level(3), flowstest.Level(2), flowstest.Level(3), flowstest.Level(2))
		s.d.On("target", flowstest.Pick("A", 0.9), flowstest.Pick("B", 0.9), flowstest.Pick("C", 0.9), flowstest.Pick("D", 0.9))
		s.run(do("go on"))
		if got := s.fake.Count("press", "escape"); got != 2 {
			s.Errorf("undone %d times, want 2", got)
		}
		if got := s.d.Asked("target")[1].Options; got[0].Name == "A" {
			s.Error("what was undone is offered again")
		}
	})
}

func TestFL43_UnofferedMoveDoesNothing(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.d.On("move", flowstest.Key("fly"))
		res := s.run(do("go on"))
		s.wantStop(res, flows.StepFailed)
		if res.Actions != 1 || res.Steps[0].Turns != 8 { // the launch
			s.Errorf("%d actions in %d turns, want the launch alone in 8", res.Actions, res.Steps[0].Turns)
		}
	})
}

func TestFL44_ReturnIsNotPressedOverADialog(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.fake.Do(func(a *surfacetest.App) {
			a.Open(&surfacetest.Layer{Name: "Sure?", Elements: []*surfacetest.Element{dead("OK")}})
		})
		s.d.On("move", flowstest.Key("shortcut")).On("shortcut", flowstest.Pick("confirm", 0.9))
		s.run(do("go on"))
		if got := s.fake.Count("press", "return"); got != 0 {
			s.Errorf("Return was pressed %d times over a dialog", got)
		}
	})
	search := &surfacetest.Element{Role: "searchbox", Name: "Search", InputType: "search"}
	search.OnInput = func(a *surfacetest.App, _ string) {
		a.Open(&surfacetest.Layer{Name: "Search", Elements: []*surfacetest.Element{dead("More")}})
	}
	on(t, page(search), func(s *stage) {
		s.d.On("slot_1", flowstest.Pick("Search", 0.9)).On("move", flowstest.Key("shortcut"), flowstest.Key("stuck")).On("shortcut", flowstest.Pick("confirm", 0.9))
		s.run(enter("search", "rice"), do("go on"))
		if got := s.fake.Count("press", "return"); got != 1 {
			s.Errorf("after typing into a search box Return was pressed %d times, want 1", got)
		}
	})
}

func TestFL45_DismissalEndsAtOnce(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.fake.Do(func(a *surfacetest.App) {
			a.Open(&surfacetest.Layer{Name: "Cookies", Elements: []*surfacetest.Element{
				surfacetest.Button("Accept all", func(a *surfacetest.App) { a.Close() }),
			}})
		})
		s.d.On("target", flowstest.Pick("Accept all", 0.9))
		res := s.run(do("accept the cookie notice"))
		s.wantOutcome(res, 0, flows.OutcomeDone)
		if got := len(s.d.Asked("done")); got != 1 {
			s.Errorf("judged %d times, want once: the window is back in front", got)
		}
	})
}

func TestFL46_DismissalOnTheLastTurnCounts(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.fake.Do(func(a *surfacetest.App) {
			a.Open(&surfacetest.Layer{Name: "Cookies", Elements: []*surfacetest.Element{
				surfacetest.Button("Accept all", func(a *surfacetest.App) { a.Close() }),
			}})
		})
		for range 7 {
			s.d.On("move", flowstest.Key("fly"))
		}
		s.d.On("move", flowstest.Key("activate")).On("target", flowstest.Pick("Accept all", 0.9))
		s.wantOutcome(s.run(do("accept the cookie notice")), 0, flows.OutcomeDone)
	})
}

func TestFL47_EightTurnsThenOneMoreLook(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.estimate(0.6)
		s.d.On("move", flowstest.Key("fly"))
		before := s.fake.Readings()
		res := s.run(do("go on"))
		s.wantStop(res, flows.StepFailed)
		s.wantNote(res, "still not accomplished after 8 turns")
		if got := s.fake.Readings() - before; got != 9 {
			s.Errorf("%d looks, want 9", got)
		}
	})
}

func TestFL48_OwnDialogIsNoObstacle(t *testing.T) {
	opener := surfacetest.Button("Filters", func(a *surfacetest.App) {
		a.Open(&surfacetest.Layer{Name: "Filters", Elements: []*surfacetest.Element{dead("Apply"), dead("Close")}})
	})
	on(t, page(opener, dead("Behind")), func(s *stage) {
		s.d.On("blocked", flowstest.P(0.1), flowstest.P(0.95)).On("target", flowstest.Pick("Filters", 0.9), flowstest.Pick("Behind", 0.9))
		s.run(do("show cheap ones only"))
		if slices.Contains(s.offeredNames("dismiss"), "Close") {
			s.Error("the close control of a dialog the step opened was offered")
		}
		s.wantClicks(`button "Close"`, 0)
		var names []string
		for _, o := range s.d.Asked("target")[1].Options {
			names = append(names, o.Name)
		}
		if !slices.Equal(names, []string{"Apply"}) {
			s.Errorf("offered in the dialog: %v, want Apply alone", names)
		}
	})
}

func cards(n int, name string) []*surfacetest.Element {
	var all []*surfacetest.Element
	for i := range n {
		all = append(all, surfacetest.In("list", surfacetest.In(fmt.Sprintf("listitem #%d", i+1), button(name))...)...)
	}
	return all
}

func TestFL49_CopiesAreStruckOff(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int // cards that still offer Add
	}{{"add the first one", 1}, {"go on adding every one", 3}} {
		on(t, page(cards(3, "Add")...), func(s *stage) {
			s.d.On("target", flowstest.Pick("1", 0.9)).On("move", flowstest.Key("activate"), flowstest.Key("activate"), flowstest.Key("stuck"))
			s.run(do(tt.text))
			asked := s.d.Asked("target")
			if got := len(asked[1].Options); got != tt.want {
				s.Errorf("%q: %d cards offer Add after one was pressed, want %d", tt.text, got, tt.want)
			}
		})
	}
}

func TestFL50_NotAFourthTime(t *testing.T) {
	shown := 0
	more := surfacetest.Button("More", func(a *surfacetest.App) {
		shown++
		a.Add(surfacetest.Text(fmt.Sprintf("item %d", shown)))
	})
	on(t, page(more), func(s *stage) {
		s.d.On("target", flowstest.Pick("More", 0.9))
		s.run(do("show more"))
		s.wantClicks(`button "More"`, 3)
	})
}

func TestFL51_TypingRunsAsEnter(t *testing.T) {
	on(t, page(surfacetest.Field("Search box")), func(s *stage) {
		s.d.On("slot_1", flowstest.Pick("Search box", 0.9))
		s.wantOutcome(s.run(do("type 'rice' in the search box")), 0, flows.OutcomeDone)
		if got := s.fake.Count("type_text", `textbox "Search box"`); got != 1 {
			s.Errorf("typed %d times", got)
		}
	})
}

func TestFL52_ReadingModeIsNotTyped(t *testing.T) {
	on(t, page(button("Reading mode"), surfacetest.Field("Viewer")), func(s *stage) {
		s.d.On("target", flowstest.Pick("Reading mode", 0.9)).On("done", flowstest.P(0.1), flowstest.P(1)).On("not_done", flowstest.P(0.9), flowstest.P(0)).On("progress", flowstest.Top(0), flowstest.Top(1))
		s.wantOutcome(s.run(do("enter reading mode in the viewer")), 0, flows.OutcomeDone)
		if s.fake.Count("type_text", "") != 0 {
			s.Error("something was typed")
		}
	})
}

func TestFL112_ThreeUnreadableLooks(t *testing.T) {
	unreadable := func(f *surfacetest.Fake, n int) {
		for range n {
			f.FailNext("observe", surfaces.Fail("observe", fault.Timeout, "the window did not answer"))
		}
	}
	on(t, page(button("Go")), func(s *stage) {
		unreadable(s.fake, 3)
		s.d.On("move", flowstest.Key("fly"))
		res := s.run(do("go on"))
		s.wantStop(res, flows.StepFailed)
		if res.Code != fault.Timeout || res.Steps[0].Turns != 2 {
			s.Errorf("code %q after %d turns, want TIMEOUT after 2", res.Code, res.Steps[0].Turns)
		}
	})
	on(t, page(button("Go")), func(s *stage) {
		unreadable(s.fake, 2)
		s.d.On("move", flowstest.Key("shortcut"), flowstest.Key("shortcut"), flowstest.Key("stuck")).On("shortcut", flowstest.Pick("dismiss", 0.9))
		s.run(do("go on"))
		if s.fake.Count("press", "escape") == 0 {
			s.Error("no shortcut was pressed on a window that could not be read")
		}
	})
}

func TestFL100_A97_CoverIsClearedAndTheSamePressed(t *testing.T) {
	on(t, page(surfacetest.Button("Go", func(a *surfacetest.App) { a.Add(surfacetest.Text("gone on")) })), func(s *stage) {
		s.fake.Do(func(a *surfacetest.App) {
			a.Open(&surfacetest.Layer{Name: "Cookies", Front: surfaces.FrontWindow, Sticky: true, Elements: []*surfacetest.Element{
				surfacetest.Button("Accept all", func(a *surfacetest.App) { a.Close() }),
				surfacetest.Button("Reject all", func(a *surfacetest.App) { a.Close() }),
			}})
		})
		s.d.On("target", flowstest.Pick("Go", 0.9)).On("done", flowstest.P(0.1), flowstest.P(1)).On("not_done", flowstest.P(0.9), flowstest.P(0)).On("progress", flowstest.Top(0), flowstest.Top(1))
		s.wantOutcome(s.run(do("go on")), 0, flows.OutcomeDone)
		s.wantClicks(`button "Go"`, 1)
		s.wantClicks(`button "Reject all"`, 1)
	})
	on(t, page(&surfacetest.Element{Role: "button", Name: "Go", EmptyLayer: true, OnClick: func(a *surfacetest.App) { a.Add(surfacetest.Text("gone on")) }}), func(s *stage) {
		s.d.On("target", flowstest.Pick("Go", 0.9)).On("done", flowstest.P(0.1), flowstest.P(1)).On("not_done", flowstest.P(0.9), flowstest.P(0)).On("progress", flowstest.Top(0), flowstest.Top(1))
		s.wantOutcome(s.run(do("go on")), 0, flows.OutcomeDone)
		var verbs []string
		for _, a := range s.fake.Acts() {
			verbs = append(verbs, a.Verb)
		}
		if got := strings.Join(verbs, " "); got != "launch press dismiss_cover click" {
			s.Errorf("acts %q, want Escape, then the cover, then the same target", got)
		}
	})
}

func TestOwnDialogIsAnsweredOnce(t *testing.T) {
	opener := surfacetest.Button("Add meal", func(a *surfacetest.App) {
		a.Open(&surfacetest.Layer{Name: "Meals", Elements: []*surfacetest.Element{
			dead("Yes, book it"), surfacetest.Button("No meal", func(a *surfacetest.App) { a.Close() }),
		}})
	})
	on(t, page(opener), func(s *stage) {
		s.d.On("target", flowstest.Pick("Add meal", 0.9), flowstest.Pick("nothing", 0)).On("dismiss", flowstest.Pick("No meal", 0.8))
		s.run(do("go on to the seats"))
		s.wantClicks(`button "No meal"`, 1)
		if names := s.offeredNames("dismiss"); slices.Contains(names, "Yes, book it") {
			t.Errorf("offered to answer the dialog: %v", names)
		}
	})
}

func TestDismissingAsksWhatClosesIt(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.fake.Do(func(a *surfacetest.App) {
			a.Open(&surfacetest.Layer{Name: "Cookies", Elements: []*surfacetest.Element{
				surfacetest.Button("Accept all", func(a *surfacetest.App) { a.Close() }),
				surfacetest.Button("Reject all", func(a *surfacetest.App) { a.Close() }),
			}})
		})
		s.d.On("dismiss", flowstest.Pick("Reject all", 0.9))
		s.wantOutcome(s.run(do("dismiss the cookie notice")), 0, flows.OutcomeDone)
		s.wantClicks(`button "Reject all"`, 1)
	})
}

func TestTheOtherLayerIsNotTheOneMeant(t *testing.T) {
	layer := func(name, control string) *surfacetest.Layer {
		return &surfacetest.Layer{Name: name, Elements: []*surfacetest.Element{surfacetest.Button(control, func(a *surfacetest.App) { a.Close() })}}
	}
	on(t, page(button("Go")), func(s *stage) {
		s.fake.Do(func(a *surfacetest.App) {
			a.Open(layer("Cookies", "Reject all"))
			a.Open(layer("Newsletter", "No thanks"))
		})
		s.d.On("dismiss", flowstest.Pick("No thanks", 0.9), flowstest.Pick("Reject all", 0.9))
		s.wantOutcome(s.run(do("dismiss the cookie notice")), 0, flows.OutcomeDone)
		s.wantClicks(`button "No thanks"`, 1)
		s.wantClicks(`button "Reject all"`, 1)
	})
}

func TestANamedCloseControlIsOffered(t *testing.T) {
	on(t, page(surfacetest.Button("Ask", func(a *surfacetest.App) { a.Alert("Leave?", nil, nil) })), func(s *stage) {
		s.d.On("target", flowstest.Pick("Ask", 0.9), flowstest.Pick("Cancel", 0.9))
		s.d.On("done", flowstest.P(0), flowstest.P(1), flowstest.P(0), flowstest.P(1)).On("not_done", flowstest.P(1), flowstest.P(0), flowstest.P(1), flowstest.P(0)).
			On("progress", flowstest.Top(0), flowstest.Top(1), flowstest.Top(0), flowstest.Top(1))
		s.run(do("press Ask"), do(`press "Cancel"`))
		s.wantClicks(`button "Cancel"`, 1)
	})
}
