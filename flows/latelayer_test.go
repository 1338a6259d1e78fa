package flows_test

import (
	"testing"

	"countersign/flows"
	"countersign/flows/decider"
	"countersign/flows/flowstest"
	"countersign/surfaces"
	"countersign/surfaces/surfacetest"
)

// TestLayerBetweenLookAndPress: a layer that came after the look in which the
// control was found is looked at before it is cleared, not met with Escape.
func TestLayerBetweenLookAndPress(t *testing.T) {
	on(t, page(surfacetest.Button("Go", func(a *surfacetest.App) { a.Add(surfacetest.Text("gone on")) })), func(s *stage) {
		s.d.On("target", func(q decider.Question, st decider.State) (decider.Answer, bool) {
			s.fake.Do(func(a *surfacetest.App) {
				a.Open(&surfacetest.Layer{Name: "Members save more", Front: surfaces.FrontWindow, Sticky: true, Elements: []*surfacetest.Element{
					surfacetest.Button("Join now", nil), surfacetest.Button("Maybe later", func(a *surfacetest.App) { a.Close() }),
				}})
			})
			return flowstest.Pick("Go", 0.9)(q, st)
		}).On("done", flowstest.P(0.1), flowstest.P(1)).On("not_done", flowstest.P(0.9), flowstest.P(0)).On("progress", flowstest.Top(0), flowstest.Top(1))
		s.wantOutcome(s.run(do("go on")), 0, flows.OutcomeDone)
		s.wantClicks(`button "Maybe later"`, 1)
		s.wantClicks(`button "Go"`, 1)
		if n := s.fake.Count("press", "escape"); n != 0 {
			t.Errorf("Escape was pressed %d times", n)
		}
	})
}
