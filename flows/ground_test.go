package flows_test

import (
	"fmt"
	"testing"

	"countersign/flows/flowstest"
	"countersign/surfaces/surfacetest"
)

// once makes a do end after its first press.
func (s *stage) once() {
	s.d.On("move", flowstest.Key("activate"), flowstest.Key("stuck"))
}

func TestFL53_NoChoiceExceedsTwenty(t *testing.T) {
	var elements []*surfacetest.Element
	for i := range 45 {
		elements = append(elements, surfacetest.In(fmt.Sprintf("region %q", []string{"Top", "Middle", "Bottom"}[i%3]), button(fmt.Sprintf("Button %d", i)))...)
	}
	on(t, page(elements...), func(s *stage) {
		s.once()
		s.d.On("group_*", flowstest.Pick("Button 43", 0.9)).On("target", flowstest.Pick("Button 43", 0.9))
		s.run(do("go on"))
		s.wantClicks(`button "Button 43"`, 1)
		for _, req := range s.d.Requests() {
			for id, q := range req.Questions {
				if len(q.Options) > 20 {
					t.Errorf("%s offers %d options", id, len(q.Options))
				}
			}
		}
		if got := len(s.offeredNames("group_")); got != 45 {
			t.Errorf("%d of 45 candidates were offered", got)
		}
	})
}

func TestFL54_NamedNeedsNoReAsk(t *testing.T) {
	on(t, page(button("New Message"), button("Other")), func(s *stage) {
		s.once()
		s.d.On("target", flowstest.Pick("New Message", 0.50))
		s.run(do("start a new message"))
		s.wantClicks(`button "New Message"`, 1)
		if len(s.d.Asked("again")) != 0 {
			t.Error("asked again")
		}
	})
}

func TestFL55_ReAsk(t *testing.T) {
	for _, tt := range []struct {
		name    string
		again   string
		confirm float64
		clicks  int
	}{
		{"FL-55 disagreeing, confirm 0.7", "Other", 0.7, 0},
		{"agreeing, confirm 0.5", "Go", 0.5, 1},
		{"agreeing, confirm 0.4", "Go", 0.4, 0},
		{"disagreeing, confirm 0.8", "Other", 0.8, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			on(t, page(button("Go"), button("Other")), func(s *stage) {
				s.once()
				s.d.On("target", flowstest.Pick("Go", 0.5)).On("again", flowstest.Pick(tt.again, 0.9)).On("confirm", flowstest.P(tt.confirm))
				s.run(do("proceed"))
				s.wantClicks("", tt.clicks)
			})
		})
	}
}

func TestFL56_HintNeedsOneConfirm(t *testing.T) {
	var elements []*surfacetest.Element
	for i := range 30 {
		elements = append(elements, button(fmt.Sprintf("Button %d", i)))
	}
	on(t, page(elements...), func(s *stage) {
		s.once()
		s.d.On("group_*", flowstest.Pick("Button 7", 0.9)).On("target", flowstest.Pick("Button 7", 0.9))
		first := s.run(do("Go  on"))
		if len(first.Learned) != 1 || first.Learned[0].StepKey != "go on" || first.Learned[0].Name != "Button 7" {
			t.Fatalf("learned %+v", first.Learned)
		}
		s.d = flowstest.New().On("confirm", flowstest.P(0.6))
		s.once()
		s.req.Memory = first.Learned
		s.run(do("go on"))
		s.wantClicks(`button "Button 7"`, 2)
		if asked := len(s.d.Asked("group_")) + len(s.d.Asked("target")); asked != 0 || len(s.d.Asked("confirm")) != 1 {
			t.Errorf("%d questions to find it again and %d to confirm, want one confirm", asked, len(s.d.Asked("confirm")))
		}
	})
}

func TestFL57_LookAlikesAreToldApart(t *testing.T) {
	bare := func() *surfacetest.Element { return &surfacetest.Element{Role: "button"} }
	elements := surfacetest.All(surfacetest.In(`group "Adults"`, bare()), surfacetest.In(`group "Children"`, bare()))
	on(t, page(elements...), func(s *stage) {
		s.run(do("add a child"))
		near := map[string]bool{}
		for _, o := range s.d.Asked("target")[0].Options {
			near[o.Description.Near] = true
		}
		if !near[`group "Adults"`] || !near[`group "Children"`] {
			t.Errorf("near %v", near)
		}
	})
}

func TestMissingNameFailsTheStep(t *testing.T) {
	on(t, page(button("Go"), surfacetest.Field("Name")), func(s *stage) {
		s.wantNote(s.run(do("press ${which}")), "${which}")
		s.wantNote(s.run(enter("name", "${who}")), "${who}")
		if s.fake.Count("type_text", "") != 0 {
			t.Error("something blank was typed")
		}
	})
}
