package uitest

import (
	"encoding/json"
	"fmt"
	"time"

	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces"
)

// Scene makes a desk with tasks in a known standing. Names: "demo" (five tasks,
// each in another state), "empty", "pay", "blind", "void", "outcome",
// "interrupted", "plan", "busy", "planner" (empty, one is configured), "rescued"
// (one task, shaped), "session" (a payment, a deletion, a secret, a captcha, and
// a task with records). An unknown name is the empty desk.
func Scene(name string, now time.Time) *controllertest.Desk {
	desk := controllertest.NewDesk()
	desk.SetCapabilities(task.Capabilities{
		DeciderConfigured: true, DecisionModel: &task.Model{Model: "embedded"},
		Surfaces: []surfaces.Availability{{Kind: surfaces.Browser, Available: true}},
	})
	s := scene{desk, now}
	switch name {
	case "demo":
		s.joins(1)
		s.shop(2)
		s.mail(3)
		s.seats(4)
		s.rail(5)
	case "pay":
		s.ticket(4, nil)
	case "void":
		s.ticket(4, []flows.Difference{{Field: "amount", Signed: "12.00 EUR", Now: "2480.00 EUR"}})
	case "blind":
		s.blind(2)
	case "outcome":
		s.outcome(6)
	case "interrupted":
		s.interrupted(8)
	case "plan":
		s.plan(9)
	case "planner":
		s.plans()
	case "rescued":
		s.rescued(3)
	case "session":
		s.ticket(1, nil)
		s.deletes(2)
		s.secret(3)
		s.seats(4)
		s.rescued(5)
	case "busy":
		for id := range task.ID(32) {
			s.running(id + 1)
		}
	}
	return desk
}

type scene struct {
	desk *controllertest.Desk
	now  time.Time
}

func (s scene) ago(d time.Duration) int64 { return s.now.Add(-d).UnixMilli() }

// put sends a task's story: its steps, then its present view.
func (s scene) put(v task.View, r task.Report, steps ...flows.StepReport) {
	v.Revision = 7
	v.StartedAt = v.SinceAt - 60_000
	r.View, r.Steps = v, steps
	if v.Status.State == task.Running {
		first := v
		first.Revision, first.Summary = 6, "Planning."
		s.desk.Emit(task.Entry{Event: task.EventView, Task: v.ID, At: v.StartedAt, View: &first})
	}
	for _, step := range steps {
		if step.Outcome != flows.OutcomeRunning {
			s.desk.Emit(task.Entry{Event: task.EventStep, Task: v.ID, At: v.SinceAt, Report: &step})
		}
	}
	s.desk.SetReport(v.ID, r)
	s.desk.Put(v)
}

func left(actions, limit int) task.Left {
	return task.Left{Actions: &[2]int{actions, limit}}
}

func raw(flow string) json.RawMessage { return json.RawMessage(flow) }

func step(path string, kind flows.Kind, words string, ms int64, acts ...flows.ActionNote) flows.StepReport {
	return flows.StepReport{Step: path, Run: 1, Kind: kind, Text: words, Outcome: flows.OutcomeDone, ElapsedMS: ms, Actions: acts}
}

func act(op, role, name, change string) flows.ActionNote {
	return flows.ActionNote{Op: op, Target: &surfaces.Target{Role: role, Name: name}, OK: true, Change: change}
}

// found is an act whose target the decider chose by some words.
func found(a flows.ActionNote, why string) flows.ActionNote {
	a.Why = why
	return a
}

func (s scene) joins(id task.ID) {
	status := task.Status{State: task.NeedsInput, Fields: []task.Field{
		{Name: "phone", Why: "step 2 needs ${phone}, which was not supplied", Kind: "phone"},
		{Name: "membership code", Why: "step 2 needs ${membership code}, which was not supplied", Kind: "text"},
	}}
	s.put(task.View{
		ID: id, Title: "Join the library", Status: status, Summary: "Waiting for 2 values before starting.",
		SinceAt: s.ago(4 * time.Minute), Next: task.Next(status, false), Left: left(60, 60),
	},
		task.Report{Flow: raw(`{"app":"browser","steps":[{"browse":"http://127.0.0.1:4103/join"},{"enter":{"name":"${name}","e-mail":"${email}","telephone":"${phone}"}},{"verify":"the form shows the name and the e-mail"},{"stop_before":"submitting the membership form"}]}`)})
}

func (s scene) shop(id task.ID) {
	status := task.Status{
		State: task.Checkpoint, Kind: task.CheckpointPayment, Reason: "payment step found (Pay 18.40 EUR); paying stays with a person",
		Location: "Pay 18.40 EUR", Summary: "2 notebooks in the basket; delivery to ‹full name›, ‹street›, ‹city›",
	}
	s.put(task.View{
		ID: id, Title: "Order two dotted notebooks and stop before paying", Status: status, Summary: "Stopped at payment (Pay 18.40 EUR).",
		Step:     &task.CurrentStep{Index: 7, Kind: flows.KindStopBefore, Intent: "paying for the order", Surface: surfaces.Browser},
		Progress: 6.0 / 7, SinceAt: s.ago(95 * time.Second), Next: task.Next(status, true), Left: left(9, 60),
	},
		task.Report{
			Flow: raw(`{"app":"browser","steps":[{"browse":"http://127.0.0.1:4101/"},"search for dotted notebooks",{"pick":{"from":"results","by":"the cheapest with 4 stars or more","into":"item"}},"put 2 of them in the basket",{"enter":{"full name":"${full name}","street":"${street}","city":"${city}"}},{"read":{"what":"the order total","into":"total"}},{"stop_before":"paying for the order"}]}`),
			Records: map[string]task.Rows{
				"total": {{"value": "18.40 EUR"}}, "item": {{"value": "Dotted notebook A5, 9.20 EUR"}},
				"results": {
					{"name": "Dotted notebook A5", "price": "9.20 EUR", "stars": "4.5"},
					{"name": "Dotted notebook A4, hard cover, 240 pages", "price": "12.80 EUR", "stars": "4.1"},
					{"name": "Lined notebook", "price": "7.00 EUR", "stars": "3.9"},
				},
			},
		},
		step("1", flows.KindBrowse, "http://127.0.0.1:4101/", 640),
		step("2", flows.KindDo, "search for dotted notebooks", 1830, act("type_text", "searchbox", "Search", "12 new lines"), act("click", "button", "Search", "page changed: Results")),
		step("3", flows.KindPick, "results by the cheapest with 4 stars or more", 410),
		step("4", flows.KindDo, "put 2 of them in the basket", 2210, act("click", "button", "Add", "Basket (1)"), act("click", "button", "+", "Basket (2)")),
		step("5", flows.KindEnter, "full name, street, city", 900),
		step("6", flows.KindRead, "the order total", 120),
		flows.StepReport{Step: "7", Run: 1, Kind: flows.KindStopBefore, Text: "paying for the order", Outcome: flows.OutcomeGated, Note: "stopped in front of Pay 18.40 EUR", ElapsedMS: 310})
	s.desk.SetLook(id, task.Look{Wall: task.WallCannotTell, Endpoint: "http://127.0.0.1:39211", Address: "http://127.0.0.1:4101/pay"})
}

// MailEvidence is what the mail task asks to be signed.
func MailEvidence(id task.ID, askedAt int64) flows.Evidence {
	return flows.Evidence{
		Task: id.String(), Step: "4", Side: surfaces.Browser, Origin: "http://127.0.0.1:4102", Address: "http://127.0.0.1:4102/compose",
		Control: flows.EvidenceControl{Role: "button", Name: "Send", Path: []string{"New message"}}, Phrase: "sending the note to Mara", Class: "send",
		Form:  []flows.EvidenceField{{Name: "To", Value: "mara@post.test"}, {Name: "Subject", Value: "Friday"}, {Name: "Message", Value: "See you at six."}},
		Words: []string{"New message", "Recipients outside your organisation: 1", "Send"}, AskedAt: askedAt,
	}
}

const mailFlow = `{"app":"browser","steps":[{"browse":"http://127.0.0.1:4102/"},"open a new message",{"enter":{"to":"${to}","subject":"${subject}","message":"${message}"}},{"stop_before":"sending the note to Mara"},{"verify":"the message is in Sent"}]}`

func (s scene) mail(id task.ID) {
	e := MailEvidence(id, s.ago(42*time.Second))
	status := task.Status{State: task.NeedsApproval, Action: e.Phrase, Target: e.Control.Name, Digest: e.Digest()}
	s.put(task.View{
		ID: id, Title: "Send the note to Mara", Status: status, Summary: "Waiting for approval: sending the note to Mara (Send).",
		Step:     &task.CurrentStep{Index: 4, Kind: flows.KindStopBefore, Intent: "sending the note to Mara", Surface: surfaces.Browser},
		Progress: 0.6, SinceAt: e.AskedAt, Next: task.Next(status, true), Left: left(52, 60),
	},
		task.Report{Flow: raw(mailFlow), Approval: &task.Approval{Evidence: e, Digest: e.Digest()}},
		step("1", flows.KindBrowse, "http://127.0.0.1:4102/", 520),
		step("2", flows.KindDo, "open a new message", 700, act("click", "button", "Write", "dialog opened: New message")),
		step("3", flows.KindEnter, "to, subject, message", 1240, act("type_text", "textbox", "To", ""), act("type_text", "textbox", "Subject", ""), act("type_text", "textbox", "Message", "")),
		flows.StepReport{Step: "4", Run: 1, Kind: flows.KindStopBefore, Text: "sending the note to Mara", Outcome: flows.OutcomeGated, Note: "asks before Send", ElapsedMS: 260})
	screen := flows.Seen{
		Side: surfaces.Browser, Address: e.Address, Window: "New message – Mail", Surface: "dialog",
		Lines:  []string{"Mail", "Inbox 3", "Sent", "New message", "Recipients outside your organisation: 1", "Send", "Discard"},
		Fields: []flows.SeenField{{Label: "To", Value: "mara@post.test"}, {Label: "Subject", Value: "Friday"}, {Label: "Message", Value: "See you at six."}}, Changed: "Message holds text",
	}
	s.desk.SetLook(id, task.Look{Wall: task.WallCannotTell, Evidence: &e, Screen: &screen})
}

func (s scene) seats(id task.ID) {
	status := task.Status{State: task.NeedsHuman, Reason: "solve the captcha"}
	s.put(task.View{
		ID: id, Title: "Find two seats for Friday", Status: status, Summary: "A person must solve the captcha.",
		Step:     &task.CurrentStep{Index: 2, Kind: flows.KindDo, Intent: "search for seats on Friday", Surface: surfaces.Browser},
		Progress: 0.25, SinceAt: s.ago(3 * time.Minute), Next: task.Next(status, true), Left: left(31, 60),
	},
		task.Report{Flow: raw(`{"app":"browser","steps":[{"browse":"http://127.0.0.1:4106/"},"search for seats on Friday",{"extract":{"what":"the seats","into":"seats"}},{"verify":"two seats are listed"}]}`)},
		step("1", flows.KindBrowse, "http://127.0.0.1:4106/", 480),
		flows.StepReport{
			Step: "2", Run: 1, Kind: flows.KindDo, Text: "search for seats on Friday", Outcome: flows.OutcomeFailed, Note: "nothing on the screen answers to it: the page asks to prove that a person is there", ElapsedMS: 4100,
			Actions: []flows.ActionNote{{Op: "click", Target: &surfaces.Target{Role: "button", Name: "Search"}, Code: "NOT_ACTIONABLE"}},
		})
	s.desk.SetLook(id, task.Look{
		Wall: task.WallStillThere, Endpoint: "http://127.0.0.1:39222", Address: "http://127.0.0.1:4106/wall",
		Screen: &flows.Seen{Address: "http://127.0.0.1:4106/wall", Window: "One moment", Lines: []string{"Prove that you are human", "Pass here, or open http://127.0.0.1:4106/wall/7f3a in any browser"}},
	})
}

func (s scene) rail(id task.ID) {
	status := task.Status{State: task.Running}
	steps := []flows.StepReport{
		step("1", flows.KindBrowse, "http://127.0.0.1:4104/", 510),
		step("2", flows.KindEnter, "from, to", 1650, act("type_text", "combobox", "From", "5 suggestions"), act("click", "option", "Aarhus H", "")),
	}
	s.put(task.View{
		ID: id, Title: "Trains from Aarhus to Berlin on 14 October", Status: status, Summary: "Step 3 of 6: set the date to 14 October.",
		Step:     &task.CurrentStep{Index: 3, Kind: flows.KindDo, Intent: "set the date to 14 October", Surface: surfaces.Browser},
		Progress: 2.0 / 6, SinceAt: s.ago(11 * time.Second), Next: task.Next(status, true), Left: left(48, 60),
	},
		task.Report{Flow: raw(`{"app":"browser","steps":[{"browse":"http://127.0.0.1:4104/"},{"enter":{"from":"Aarhus","to":"Berlin"}},"set the date to 14 October",{"repeat_until":{"condition":"trains are listed","steps":["press search",{"wait_for":"results"}],"max":3}},{"extract":{"what":"the trains","into":"trains"}},{"pick":{"from":"trains","by":"the earliest","into":"train"}}]}`)},
		steps...)
}

// RailStep is what the train task of the demo does now. Nothing of a step that
// still runs is stored, so a scene cannot hold it.
func RailStep() task.Entry {
	return task.Entry{Event: task.EventStep, Task: 5, Report: &flows.StepReport{
		Step: "3", Run: 1, Kind: flows.KindDo, Text: "set the date to 14 October", Outcome: flows.OutcomeRunning,
		Actions: []flows.ActionNote{found(act("click", "textbox", "Date", "calendar opened: October 2026"), "Date, in the form Trip")},
	}}
}

func (s scene) running(id task.ID) {
	status := task.Status{State: task.Running}
	s.put(task.View{
		ID: id, Title: fmt.Sprintf("Watch the price list number %d", id), Status: status, Summary: "Step 2 of 5: read the list.",
		Step: &task.CurrentStep{Index: 2, Kind: flows.KindRead, Intent: "read the list"}, Progress: 0.2, SinceAt: s.ago(time.Duration(id) * time.Second),
		Next: task.Next(status, true), Left: left(40, 60),
	}, task.Report{Flow: raw(`{"app":"browser","steps":["a","b","c","d","e"]}`)})
}

func (s scene) ticket(id task.ID, differs []flows.Difference) {
	e := flows.Evidence{
		Task: id.String(), Step: "4", Side: surfaces.Browser, Origin: "https://museum.test", Address: "https://museum.test/tickets/checkout",
		Control: flows.EvidenceControl{Role: "button", Name: "Pay now"}, Phrase: "paying for the ticket", Class: "pay", Amount: "2480.00", Currency: "EUR", Payee: "City Museum",
		Form:  []flows.EvidenceField{{Name: "Card number", Value: "${card number}"}, {Name: "Security code", Value: "${cvv}"}, {Name: "Expiry", Value: "${card expiry}"}},
		Words: []string{"One adult day ticket", "Total 2480.00 EUR", "By paying you accept the conditions of the museum."}, AskedAt: s.ago(20 * time.Second),
		Picture: ticketPicture, Box: surfaces.Bounds{X: 420, Y: 330, Width: 160, Height: 40},
	}
	s.desk.SetPicture(ticketPicture, drawTicket())
	status := task.Status{State: task.NeedsApproval, Action: e.Phrase, Target: e.Control.Name, Digest: e.Digest()}
	s.put(task.View{
		ID: id, Title: "Buy the museum day ticket", Status: status, Summary: "Waiting for approval: paying for the ticket (Pay now).",
		Step:     &task.CurrentStep{Index: 4, Kind: flows.KindStopBefore, Intent: "paying for the ticket", Surface: surfaces.Browser},
		Progress: 0.75, SinceAt: e.AskedAt, Next: task.Next(status, true), Left: left(50, 60),
	},
		task.Report{
			Request:  task.StartRequest{Constraints: task.Constraints{Payment: flows.FillThenApprove, Origins: []string{"https://museum.test"}}},
			Flow:     raw(`{"app":"browser","steps":[{"browse":"https://museum.test/tickets"},"choose one adult day ticket",{"enter":{"card number":"${card number}"}},{"stop_before":"paying for the ticket"}]}`),
			Approval: &task.Approval{Evidence: e, Digest: e.Digest(), Differs: differs},
		},
		step("1", flows.KindBrowse, "https://museum.test/tickets", 700), step("2", flows.KindDo, "choose one adult day ticket", 900), step("3", flows.KindEnter, "card number, security code, expiry", 1400))
}

func (s scene) deletes(id task.ID) {
	e := MailEvidence(id, s.ago(15*time.Second))
	e.Control, e.Phrase, e.Class, e.Form = flows.EvidenceControl{Role: "button", Name: "Delete album"}, "deleting the album Summer 2019", "delete", nil
	e.Words = []string{"Delete 214 photographs?", "This cannot be undone."}
	status := task.Status{State: task.NeedsApproval, Action: e.Phrase, Target: e.Control.Name, Digest: e.Digest()}
	s.put(task.View{
		ID: id, Title: "Tidy the albums", Status: status, Summary: "Waiting for approval: deleting the album (Delete album).",
		Step: &task.CurrentStep{Index: 4, Kind: flows.KindStopBefore, Intent: e.Phrase}, Progress: 0.6, SinceAt: e.AskedAt, Next: task.Next(status, true),
	},
		task.Report{Flow: raw(mailFlow), Approval: &task.Approval{Evidence: e, Digest: e.Digest()}})
}

func (s scene) secret(id task.ID) {
	status := task.Status{State: task.NeedsInput, Fields: []task.Field{{Name: "password", Why: "step 2 needs ${password}, which was not supplied", Kind: "text"}}}
	s.put(task.View{
		ID: id, Title: "Fetch the invoices", Status: status, Summary: "Waiting for 1 value before starting.",
		SinceAt: s.ago(10 * time.Second), Next: task.Next(status, false), Left: left(60, 60),
	},
		task.Report{})
}

func (s scene) blind(id task.ID) {
	e := MailEvidence(id, s.ago(8*time.Second))
	e.Control = flows.EvidenceControl{Role: "canvas"}
	e.Class = "other"
	status := task.Status{State: task.NeedsApproval, Action: e.Phrase, Digest: e.Digest()}
	s.put(task.View{
		ID: id, Title: "Send the note to Mara", Status: status, Summary: "Waiting for approval: sending the note to Mara.",
		Step: &task.CurrentStep{Index: 4, Kind: flows.KindStopBefore, Intent: e.Phrase}, Progress: 0.6, SinceAt: e.AskedAt, Next: task.Next(status, true),
	},
		task.Report{Flow: raw(mailFlow), Approval: &task.Approval{Evidence: e, Digest: e.Digest()}})
}

func (s scene) outcome(id task.ID) {
	e := MailEvidence(id, s.ago(5*time.Minute))
	status := task.Status{
		State: task.Checkpoint, Kind: task.CheckpointOutcomeUnknown, Reason: "outcome unknown: sending the note to Mara (Send) may have happened",
		Location: "Send", Summary: "note written", Continuable: true,
	}
	s.put(task.View{
		ID: id, Title: "Send the note to Mara", Status: status, Summary: "It is unknown whether Send was pressed.",
		Step: &task.CurrentStep{Index: 4, Kind: flows.KindStopBefore, Intent: e.Phrase}, Progress: 0.6, SinceAt: e.AskedAt, Next: task.Next(status, true),
	},
		task.Report{Flow: raw(mailFlow), Approval: &task.Approval{Evidence: e, Digest: e.Digest()}})
	s.desk.SetLook(id, task.Look{Wall: task.WallCannotTell, Screen: &flows.Seen{Lines: []string{"Inbox 3", "Sent 1", "Message sent"}}})
}

func (s scene) interrupted(id task.ID) {
	status := task.Status{State: task.Checkpoint, Kind: task.CheckpointInterrupted, Reason: "interrupted at step 3 of 6", Location: "http://127.0.0.1:4104/", Summary: "stations chosen", Continuable: true}
	s.put(task.View{
		ID: id, Title: "Trains from Aarhus to Berlin", Status: status, Summary: "Interrupted at step 3 of 6.",
		Step: &task.CurrentStep{Index: 3, Kind: flows.KindDo, Intent: "set the date to 14 October"}, Progress: 2.0 / 6, SinceAt: s.ago(time.Hour), Next: task.Next(status, true),
	},
		task.Report{})
}

func (s scene) plan(id task.ID) {
	status := task.Status{State: task.NeedsPlan, Guide: "how to write a flow"}
	s.put(task.View{ID: id, Title: "Find me a flat", Status: status, Summary: "A flow is needed.", SinceAt: s.ago(30 * time.Second), Next: task.Next(status, false)}, task.Report{})
}
