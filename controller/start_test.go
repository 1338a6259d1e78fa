package controller_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"countersign/controller"
	"countersign/controller/chat"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/fault"
)

func TestA01_IDsGrowAndAreNeverReused(t *testing.T) {
	inDesk(t, func(d *desk) {
		for want := task.ID(1); want <= 3; want++ {
			if v := d.start(task.StartRequest{Flow: flow(write)}); v.ID != want {
				t.Errorf("id %s, want %s", v.ID, want)
			}
		}
		d.restart()
		if v := d.start(task.StartRequest{Flow: flow(write)}); v.ID != 4 {
			t.Errorf("after a restart id %s, want t-4", v.ID)
		}
	})
}

func TestA07_ProgressCountsTopLevelSteps(t *testing.T) {
	inDesk(t, func(d *desk) {
		release := d.block("tidy up")
		d.start(task.StartRequest{Flow: flow(open, write, `{"if":{"condition":"a banner is in front","then":["close it"]}}`, tidy)})
		v := d.rest(1)
		if v.Progress != 0.75 || v.Step == nil || v.Step.Index != 4 {
			t.Errorf("progress %v at %+v, want 0.75 at step 4", v.Progress, v.Step)
		}
		close(release)
		if v := d.rest(1); v.Progress != 1 {
			t.Errorf("A08: done shows %v", v.Progress)
		}
	})
}

func TestA09_NoScreenshotInAnyPause(t *testing.T) {
	inDesk(t, func(d *desk) {
		b, err := json.Marshal(d.start(mail()))
		if err != nil || strings.Contains(string(b), "screenshot") {
			t.Errorf("%s %v", b, err)
		}
	})
}

func TestA11_StartAnswersBeforeAnythingOpens(t *testing.T) {
	inDesk(t, func(d *desk) {
		release := d.block("write the letter")
		v, err := d.StartTask(d.t.Context(), task.StartRequest{Flow: flow(write)})
		if err != nil || v.Status.State != task.Running || v.ID != 1 {
			t.Fatalf("%+v %v", v, err)
		}
		close(release)
		d.is(d.rest(1), task.Done)
	})
}

func TestStartIsRefused(t *testing.T) {
	noSuch := filepath.Join(t.TempDir(), "missing")
	plainFile := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(plainFile, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	with := func(con task.Constraints) task.StartRequest {
		return task.StartRequest{Flow: flow(write), Constraints: con}
	}
	fill := flows.FillThenApprove
	tests := []struct {
		name string
		req  task.StartRequest
		want fault.Code
	}{
		{"A12 neither task nor flow", task.StartRequest{}, fault.InvalidRequest},
		{"A14 two keys", task.StartRequest{Flow: flow(`{"do":"x","verify":"y"}`)}, fault.InvalidFlow},
		{"A16 a secret outside enter", task.StartRequest{Flow: flow(`"type ${password}"`), Facts: map[string]string{"password": "hunter22"}}, fault.InvalidFlow},
		{"A53 card data under stop_at_payment", task.StartRequest{Flow: flow(`{"enter":{"card":"${card number}"}}`), Facts: map[string]string{"card number": "4242 4242 4242 4242"}}, fault.InvalidFlow},
		{"A17 a misspelt secret", task.StartRequest{Flow: flow(write), Facts: map[string]string{"a": "b"}, SecretFacts: []string{"aa"}}, fault.UnknownSecret},
		{"A18 fill without origins", with(task.Constraints{Payment: fill}), fault.OriginsRequired},
		{"A18 fill with *", with(task.Constraints{Payment: fill, Origins: []string{"*"}}), fault.OriginsRequired},
		{"A19 output without a shaper", task.StartRequest{Flow: flow(write), Output: &task.Output{Instructions: "x"}}, fault.OutputUnavailable},
		{"output without instructions", task.StartRequest{Flow: flow(write), Output: &task.Output{}}, fault.InvalidRequest},
		{"A88 relative profile", with(task.Constraints{BrowserProfile: "profile"}), fault.InvalidRequest},
		{"A88 bare executable", with(task.Constraints{BrowserExecutable: "chromium"}), fault.InvalidRequest},
		{"A88 missing executable", with(task.Constraints{BrowserExecutable: noSuch}), fault.InvalidRequest},
		{"A88 file that cannot run", with(task.Constraints{BrowserExecutable: plainFile}), fault.InvalidRequest},
		{"A88 endpoint with profile", with(task.Constraints{BrowserEndpoint: "http://127.0.0.1:9222", BrowserProfile: "/p"}), fault.InvalidRequest},
		{"endpoint that is none", with(task.Constraints{BrowserEndpoint: "9222"}), fault.InvalidRequest},
		{"origin with a path", with(task.Constraints{Origins: []string{"https://a.test/b"}}), fault.InvalidRequest},
		{"surface unknown", with(task.Constraints{Surfaces: []string{"phone"}}), fault.InvalidRequest},
		{"payment unknown", with(task.Constraints{Payment: "always"}), fault.InvalidRequest},
		{"negative budget", task.StartRequest{Flow: flow(write), Budget: task.Budget{MaxActions: num(-1)}}, fault.InvalidRequest},
		{"unknown strategy", task.StartRequest{Flow: flow(write), Budget: task.Budget{Strategy: "broad"}}, fault.InvalidRequest},

		// A21: the first fault in the order of 2.3 is the answer.
		{"A21 shape before secrets", task.StartRequest{SecretFacts: []string{"x"}}, fault.InvalidRequest},
		{"A21 secrets before origins", task.StartRequest{Task: "x", SecretFacts: []string{"x"}, Constraints: task.Constraints{Payment: fill}}, fault.UnknownSecret},
		{"A21 origins before output", task.StartRequest{Task: "x", Output: &task.Output{Instructions: "y"}, Constraints: task.Constraints{Payment: fill}}, fault.OriginsRequired},
		{"A21 output before flow", task.StartRequest{Flow: flow(`{"a":"x","b":"y"}`), Output: &task.Output{Instructions: "y"}}, fault.OutputUnavailable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inDesk(t, func(d *desk) {
				_, err := d.StartTask(d.t.Context(), tt.req)
				d.refused("StartTask", err, tt.want)
				if views, _ := d.ListTasks(d.t.Context()); len(views) != 0 {
					t.Errorf("a task exists: %+v", views)
				}
			})
		})
	}
}

func TestA15_EveryFlowFaultIsNamed(t *testing.T) {
	inDesk(t, func(d *desk) {
		_, err := d.StartTask(d.t.Context(), task.StartRequest{Flow: flow(`{"do":"x","verify":"y"}`, write, `{"do":"x","open":"y"}`, `{"do":"x","read":"y"}`)})
		for _, path := range []string{"steps[0]", "steps[2]", "steps[3]"} {
			if err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("%v does not name %s", err, path)
			}
		}
	})
}

func TestA18_FillWithOneSiteStarts(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.is(d.start(task.StartRequest{Flow: flow(write), Constraints: task.Constraints{
			Payment: flows.FillThenApprove, Origins: []string{"https://shop.test"},
		}}), task.Done)
	})
}

func TestA13_TaskAndFlowRunsTheFlow(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(task.StartRequest{Task: "Write to the landlord", Flow: flow(write)})
		d.is(v, task.Done)
		if v.Title != "Write to the landlord" {
			t.Errorf("title %q", v.Title)
		}
	})
}

func TestA22_TextWithoutPlannerNeedsAPlan(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(task.StartRequest{Task: "Order two notebooks"})
		d.is(v, task.NeedsPlan)
		caps, err := d.Describe(d.t.Context())
		if err != nil || v.Status.Guide == "" || v.Status.Guide != caps.Guide {
			t.Errorf("guide %q, Describe's %q %v", v.Status.Guide, caps.Guide, err)
		}
		_, err = d.ContinueTask(d.t.Context(), task.ContinueRequest{ID: v.ID, Approve: yes()})
		d.refused("ContinueTask", err, fault.NotWaiting)
		d.is(d.cancel(v.ID, ""), task.Cancelled)
	})
}

func TestA23_AwaitIsBounded(t *testing.T) {
	inDesk(t, func(d *desk) {
		release := d.block("write the letter")
		v := d.start(task.StartRequest{Flow: flow(write)})
		for timeout, want := range map[time.Duration]time.Duration{0: 30 * time.Second, 600 * time.Second: 60 * time.Second, time.Second: time.Second} {
			began := time.Now()
			if _, err := d.AwaitTask(d.t.Context(), v.ID, timeout); err != nil || time.Since(began) != want {
				t.Errorf("timeout %v: returned after %v (%v), want %v", timeout, time.Since(began), err, want)
			}
		}
		close(release)
	})
}

func TestA24_AwaitingAPauseReturnsAtOnce(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(mail())
		began := time.Now()
		got, err := d.AwaitTask(d.t.Context(), v.ID, time.Minute)
		if err != nil || got.Status.State != task.NeedsApproval || time.Since(began) != 0 {
			t.Errorf("%s after %v, %v", got.Status.State, time.Since(began), err)
		}
	})
}

func TestA25_A26_EveryWaiterSeesTheNextStep(t *testing.T) {
	inDesk(t, func(d *desk) {
		first, second := d.block("write the letter"), d.block("tidy up")
		v := d.start(task.StartRequest{Flow: flow(write, tidy)})
		got := make(chan task.View, 2) // two waiters
		for range 2 {
			go func() {
				v, _ := d.AwaitTask(d.t.Context(), v.ID, time.Minute)
				got <- v
			}()
		}
		synctest.Wait()
		close(first)
		for range 2 {
			if v := <-got; v.Step == nil || v.Step.Index != 2 || v.Step.Intent != "tidy up" {
				t.Errorf("woke with %+v, want step 2", v.Step)
			}
		}
		close(second)
	})
}

func TestA27_UnknownTask(t *testing.T) {
	inDesk(t, func(d *desk) {
		_, err := d.AwaitTask(d.t.Context(), 9, 0)
		d.refused("AwaitTask", err, fault.NoSuchTask)
		_, err = d.ContinueTask(d.t.Context(), task.ContinueRequest{ID: 9})
		d.refused("ContinueTask", err, fault.NoSuchTask)
		_, err = d.CancelTask(d.t.Context(), 9, "")
		d.refused("CancelTask", err, fault.NoSuchTask)
		_, err = d.TaskReport(d.t.Context(), 9, true)
		d.refused("TaskReport", err, fault.NoSuchTask)
		_, err = d.Look(d.t.Context(), 9)
		d.refused("Look", err, fault.NoSuchTask)
		_, err = d.Picture(d.t.Context(), "00")
		d.refused("Picture", err, fault.NoSuchOutput)
		_, err = d.PlanTask(d.t.Context(), task.PlanRequest{Task: "x"})
		d.refused("PlanTask", err, fault.PlannerNotConfigured)
	})
}

// speaker is a model that only has a name.
type speaker struct{ name string }

func (speaker) Chat(context.Context, []chat.Turn) (string, error) { return "", errors.ErrUnsupported }

func (s speaker) Name() task.Model { return task.Model{Provider: "models.test", Model: s.name} }

func TestDescribeNamesTheModels(t *testing.T) {
	inDesk(t, func(d *desk) {
		c, err := controller.New(d.t.Context(), controller.Options{
			Store: d.store, Runner: d.runner, Opener: d.opener,
			Planner: speaker{"big"}, Shaper: speaker{"small"},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }() // nothing runs in it
		caps, err := c.Describe(d.t.Context())
		if err != nil || !caps.PlannerConfigured || caps.RescueConfigured || !caps.OutputConfigured {
			t.Fatalf("%+v %v", caps, err)
		}
		if *caps.PlannerModel != (task.Model{Provider: "models.test", Model: "big"}) || caps.RescueModel != nil || caps.OutputModel.Model != "small" {
			t.Errorf("planner %v, rescue %v, output %v", caps.PlannerModel, caps.RescueModel, caps.OutputModel)
		}
	})
}

func TestDescribe(t *testing.T) {
	inDesk(t, func(d *desk) {
		caps, err := d.Describe(d.t.Context())
		if err != nil || len(caps.Members) != 8 || len(caps.StepKinds) != 13 || !caps.DeciderConfigured || caps.PlannerConfigured {
			t.Fatalf("%+v %v", caps, err)
		}
		confidential := map[string]bool{"StartTask": true, "ContinueTask": true, "TaskReport": true}
		for _, m := range caps.Members {
			if m.Confidential != confidential[m.Name] || m.Summary == "" || !json.Valid(m.Input) || !json.Valid(m.Output) {
				t.Errorf("member %+v", m)
			}
			for _, hidden := range []string{"memory", "browser_executable", "browser_profile"} {
				if strings.Contains(string(m.Input), hidden) {
					t.Errorf("%s publishes %s", m.Name, hidden)
				}
			}
		}
		for _, example := range caps.Examples {
			d.start(example)
		}
	})
}
