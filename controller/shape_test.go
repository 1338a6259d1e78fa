package controller_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"countersign/controller/task"
	"countersign/surfaces/fault"
)

const (
	extract = `{"extract":{"what":"the offers","into":"offers"}}`
	wanted  = `{"type":"object","required":["offers"],"properties":{"offers":{"type":"array","items":{"type":"string"}}}}`
	fits    = `{"offers":["06:10, 31 EUR"]}`
)

func shapedTask() task.StartRequest {
	return task.StartRequest{Task: "Trains", Flow: flow(open, extract), Output: &task.Output{Instructions: "the cheapest first", Schema: json.RawMessage(wanted)}}
}

func (d *desk) saveOffers() {
	d.runner.Save("the offers", "offers", `[{"leaves":"06:10","price":"31 EUR"}]`)
}

func TestA111_AResultThatFitsInTheEnd(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.saveOffers()
		d.shaper.Say("{}", `{"offers":[1]}`)
		d.shaper.Think(2*time.Second, fits)
		v, err := d.StartTask(d.t.Context(), shapedTask())
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if v = d.rest(v.ID); v.Status.State != task.Running || v.Summary != "Shaping the result." || v.Progress != 1 {
			t.Errorf("%s %q %v", v.Status.State, v.Summary, v.Progress)
		}
		within(2 * time.Second)
		v = d.rest(v.ID)
		d.is(v, task.Done)
		if string(v.Status.Result) != fits || v.Status.Answer != "Finished all 2 steps. offers: 1 row" {
			t.Errorf("%s %q", v.Status.Result, v.Status.Answer)
		}
		r := d.report(v.ID)
		if string(r.View.Status.Result) != fits || len(r.Records["offers"]) != 1 || r.Spent.ElapsedMS != 0 {
			t.Errorf("report %+v", r)
		}
		asked := d.shaper.Asked()
		if last := asked[1][len(asked[1])-1].Text; len(asked) != 3 || !strings.Contains(last, "missing property 'offers'") {
			t.Errorf("%d calls; sent back %q", len(asked), last)
		}
		if d.opener.Place("t-1").Releases() != 1 {
			t.Error("the browser was not given back")
		}

		d.shaper.Say("{}", "{}", "{}")
		v = d.start(shapedTask())
		d.is(v, task.Failed)
		if s := v.Status; s.Recoverable || s.Step != 0 || !strings.Contains(s.Reason, "missing property 'offers'") {
			t.Errorf("%+v", s)
		}
		if r := d.report(v.ID); len(r.Records["offers"]) != 1 {
			t.Errorf("the records are gone: %+v", r.Records)
		}

		d.shaper.Fail("the server is down")
		v = d.start(shapedTask())
		d.is(v, task.Failed)
		if s := v.Status; !s.Recoverable || !strings.Contains(s.Reason, "the server is down") {
			t.Errorf("out of reach: %+v", s)
		}
	})
}

func TestA19_A20_A21_OutputAtTheStart(t *testing.T) {
	bad := json.RawMessage(`{"properties":{"a":{"items":{"properties":{"b":{"pattern":"x"}}}}}}`)
	inDesk(t, func(d *desk) {
		_, err := d.StartTask(d.t.Context(), task.StartRequest{Flow: flow(write), Output: &task.Output{Instructions: "x", Schema: bad}})
		d.refused("A19: no shaper", err, fault.OutputUnavailable)
	})
	inModelDesk(t, func(d *desk) {
		_, err := d.StartTask(d.t.Context(), task.StartRequest{Flow: flow(`{"a":"b","c":"d"}`), Output: &task.Output{Instructions: "x", Schema: bad}})
		d.refused("A20, A21: before the flow", err, fault.InvalidOutput)
		if !strings.Contains(err.Error(), "properties.a.items.properties.b.pattern") {
			t.Error(err)
		}
		if views, _ := d.ListTasks(d.t.Context()); len(views) != 0 {
			t.Error("a task exists")
		}
	})
}

// 5.5: a shaper is told names for values, and its result holds none either.
func TestA74_ShapingKnowsNoFacts(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.runner.Save("the offers", "offers", `[{"to":"Elm Row 4","code":"hunter2!"}]`)
		d.shaper.Say(`{"offers":["to Elm Row 4","hunter2!"]}`)
		req := shapedTask()
		req.Task = "Trains from Elm Row 4"
		req.Facts = map[string]string{"street": "Elm Row 4", "password": "hunter2!"}
		v := d.start(req)
		d.is(v, task.Done)
		if said := spoken(d.shaper.Asked()); strings.Contains(said, "Elm Row 4") || strings.Contains(said, "hunter2!") || !strings.Contains(said, "‹street›") {
			t.Error("a value is in the prompt")
		}
		if string(v.Status.Result) != `{"offers":["to ‹street›","‹password›"]}` {
			t.Errorf("result %s", v.Status.Result)
		}
	})
}

func TestShapingIsCancelledAndInterrupted(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.saveOffers()
		d.shaper.Hang()
		v := d.cancel(d.start(shapedTask()).ID, "")
		if d.is(v, task.Cancelled); d.shaper.Ended() != 1 || d.opener.Place("t-1").Releases() != 1 {
			t.Error("the call goes on, or the browser is held")
		}
		for name, interrupt := range map[string]func(){
			"halt":    func() { _, _ = d.Halt(d.t.Context(), true) },
			"restart": d.restart,
			"crash":   func() { d.crash(); d.open() },
		} {
			d.shaper.Hang()
			v = d.start(shapedTask())
			interrupt()
			v = d.rest(v.ID)
			if d.isKind(v, task.CheckpointInterrupted); v.Status.Reason != "interrupted while shaping" {
				t.Errorf("%s: %q", name, v.Status.Reason)
			}
			runs := len(d.runner.Requests())
			d.shaper.Say(fits)
			v = d.answer(task.ContinueRequest{ID: v.ID, Approve: yes()})
			if d.is(v, task.Done); string(v.Status.Result) != fits || len(d.runner.Requests()) != runs {
				t.Errorf("%s: %s after %d more runs", name, v.Status.Result, len(d.runner.Requests())-runs)
			}
		}
	})
}

// A browser that dies while the result is shaped is no longer needed.
func TestShapingNeedsNoBrowser(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.saveOffers()
		d.shaper.Think(time.Second, fits)
		v := d.start(shapedTask())
		d.opener.Place("t-1").Die()
		within(2 * time.Second)
		d.is(d.rest(v.ID), task.Done)
	})
}
