package uitest

import (
	"context"
	"strings"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/fault"
)

// Planned is the flow that the planner of the scene "planner" writes.
const Planned = `{"app":"browser","vars":{"site":"https://trains.test"},"steps":[{"browse":"${site}"},{"enter":{"from":"Vienna","to":"Innsbruck"}},` +
	`"press \"Search trains\"",{"if":{"condition":"a notice about cookies is showing","then":["press \"Necessary only\""],"else":[]}},` +
	`{"wait_for":"a list of trains is showing"},{"extract":{"what":"the list of trains with departure, arrival and price","into":"trains"}},` +
	`{"enter":{"e-mail":"${e-mail}"}},{"stop_before":"sending the list to the e-mail address"}]}`

// plans makes a desk with a planner: it plans Planned, fails on a task that
// speaks of the moon, and never ends on one that speaks of forever.
func (s scene) plans() {
	caps, err := s.desk.Describe(context.Background())
	if err != nil {
		panic(err) // a fake that always answers
	}
	caps.PlannerConfigured, caps.PlannerModel = true, &task.Model{Provider: "models.example.com", Model: "large"}
	s.desk.SetCapabilities(caps)
	s.desk.OnPlan = func(ctx context.Context, req task.PlanRequest) (task.Plan, error) {
		switch {
		case strings.Contains(req.Task, "moon"):
			return task.Plan{}, fault.New(fault.PlanFailed, "the planner gave no valid flow: steps[0] UNKNOWN_STEP_KIND: fly is no step")
		case strings.Contains(req.Task, "forever"):
			<-ctx.Done()
			return task.Plan{}, fault.Wrap(fault.PlanFailed, ctx.Err(), "the planner could not be asked")
		}
		return task.Plan{
			Flow: raw(Planned), Questions: []task.Field{{Name: "e-mail", Why: "step 7 needs ${e-mail}, which was not supplied", Kind: "email"}},
			Notes: []string{"It ends in front of what cannot be taken back: sending the list to the e-mail address."},
		}, nil
	}
}

// rescued is a task that failed at a step, was rescued, and shaped its result.
func (s scene) rescued(id task.ID) {
	status := task.Status{State: task.Done, Result: raw(`{"trains":[{"departure":"08:30","price":"39.90 EUR"},{"departure":"10:30","price":"24.90 EUR"}],"cheapest":"10:30","note":"Prices for one adult, second class, without a seat."}`)}
	failed := step("3", flows.KindDo, "press \"Search trains\"", 2400)
	failed.Outcome, failed.Note = flows.OutcomeFailed, "no control of that name: there are \"Find connections\", \"Swap\" and 4 more"
	failed.Actions = []flows.ActionNote{}
	first := step("3", flows.KindDo, "close the notice about cookies", 700, act("click", "button", "Necessary only", "dialog closed"))
	first.Run, first.StandIn = 2, 1
	second := step("3", flows.KindDo, "press \"Find connections\"", 1200, act("click", "button", "Find connections", "page changed: Trains"))
	second.Run, second.StandIn = 2, 2
	list := step("4", flows.KindExtract, "the list of trains", 900)
	list.Run, list.Note = 2, "2 rows into trains"
	s.put(task.View{
		ID: id, Title: "List the trains from Vienna to Innsbruck", Status: status, Summary: "Finished all 4 steps.",
		Progress: 1, SinceAt: s.ago(0), Next: task.Next(status, false), Left: left(44, 60),
	},
		task.Report{
			Flow:    raw(`{"app":"browser","steps":[{"browse":"https://trains.test"},{"enter":{"from":"Vienna","to":"Innsbruck"}},"press \"Search trains\"",{"extract":{"what":"the list of trains","into":"trains"}}]}`),
			Records: map[string]task.Rows{"trains": {{"departure": "08:30", "arrival": "12:44", "price": "39.90 EUR"}, {"departure": "10:30", "arrival": "14:44", "price": "24.90 EUR"}}},
		},
		step("1", flows.KindBrowse, "https://trains.test", 640),
		step("2", flows.KindEnter, "from, to", 900, act("type_text", "combobox", "From", "5 suggestions"), act("type_text", "combobox", "To", "3 suggestions")),
		failed, first, second, list)
	s.desk.Emit(task.Entry{Event: task.EventRescue, Task: id, At: s.ago(0), Rescue: &task.RescueNote{
		Step: 3, Attempt: 1, Limit: 5, Outcome: "guided", Steps: 2, Reason: "a notice about cookies is in front, and the button is called Find connections",
	}})
}
