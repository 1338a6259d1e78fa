package cli

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"countersign/controller/controllertest/modeltest"
	"countersign/controller/task"
)

// models points all three roles at a scripted server.
func (h *home) models() *modeltest.Server {
	h.t.Helper()
	s := modeltest.Start(h.t)
	h.configure("[model]\nbase_url = \"" + s.URL() + "\"\nmodel = \"m\"\n")
	return s
}

// editor makes a program that does one substitution the person's editor.
func (h *home) editor(from, to string) {
	h.t.Helper()
	path := h.file("editor", fmt.Sprintf("#!/bin/sh\nsed -i 's/%s/%s/' \"$1\"\n", from, to))
	if err := os.Chmod(path, 0o700); err != nil {
		h.t.Fatal(err)
	}
	h.t.Setenv("VISUAL", "")
	h.t.Setenv("EDITOR", path)
}

const bikesWanted = "Look up what cargo bikes cost"

// bikes is the plan of the script: its search is for something else, and its
// button has another name than the site's.
func bikes(site string) string {
	return `{"app":"browser","vars":{"site":"` + site + `"},"steps":[{"browse":"${site}"},{"enter":{"search bikes and parts":"touring bike"}},` +
		`"press \"Find bikes\"",{"wait_for":"a list of results is showing"},{"extract":{"what":"the list of results","into":"found"}}]}`
}

// stable takes out of a transcript what differs from run to run.
func stable(shown string) string {
	shown = strings.ReplaceAll(shown, "\r\n", "\n")
	shown = regexp.MustCompile(`127\.0\.0\.1:\d+`).ReplaceAllString(shown, "127.0.0.1:PORT")
	return regexp.MustCompile(`\b\d+(\.\d+)? ?m?s\b`).ReplaceAllString(shown, "TIME")
}

// TestATaskInPlainWords goes the whole way in lines: planned, shown, edited, run
// in a real browser, rescued once, and its result shaped.
func TestATaskInPlainWords(t *testing.T) {
	d, h := newDemo(t), newHome(t)
	s := h.models()
	h.editor("touring", "cargo")
	s.Script(
		modeltest.Text(bikes(d.addr["shop"])),
		modeltest.Text(`{"action":"retry","reason":"the button is called Search here","steps":["press \"Search\""],"covers":0}`),
		modeltest.Text(`{"bikes":5,"cheapest":{"name":"Mule Compact","price":"2431.00 EUR"}}`),
	)
	p := h.terminal(100, 40, "run", "--plain", "--task", bikesWanted, "--output", "how many there are, and the cheapest")
	at := p.wait(0, "anything else discards)")
	p.send("e\n")
	at = p.wait(at, "anything else discards)")
	if n := len(s.Requests()); n != 1 {
		t.Errorf("%d requests before it started, want the plan's", n)
	}
	p.send("y\n")
	if code := p.exit(); code != ExitDone {
		t.Fatalf("exit %d, want 0\n%s", code, p.shown()[at:])
	}
	if n := len(s.Requests()); n != 3 {
		t.Errorf("%d requests, want plan, rescue and shape", n)
	}
	if strings.Contains(string(s.Wire()), "Kanalgata") {
		t.Error("a fact of the demo was sent")
	}
	golden.RequireEqual(t, stable(p.shown()))
}

func TestADiscardedPlanStartsNothing(t *testing.T) {
	h := newHome(t)
	s := h.models()
	s.Script(modeltest.Text(bikes("http://127.0.0.1:1")))
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", "")
	p := h.terminal(100, 40, "run", "--plain", "--task", bikesWanted+" for Noa", "--fact", "name=Noa")
	p.send("y\n") // before there is a plan to start: dropped
	at := p.wait(0, "anything else discards)")
	p.send("e\n")
	at = p.wait(at, "hint: Set EDITOR")
	at = p.wait(at, "anything else discards)")
	p.send("\n")
	p.wait(at, "nothing was started")
	if code := p.exit(); code != ExitDeclined {
		t.Errorf("exit %d, want %d", code, ExitDeclined)
	}
	if tasks := h.run("tasks", "--json"); strings.Contains(tasks.out, "t-1") {
		t.Errorf("a task was made: %s", tasks.out)
	}
	if sent := string(s.Wire()); strings.Contains(sent, "Noa") || !strings.Contains(sent, "for ${name}") {
		t.Error("a fact's value was sent in place of its name")
	}
}

func TestAWrongEditCannotStart(t *testing.T) {
	h := newHome(t)
	h.models().Script(modeltest.Text(bikes("http://127.0.0.1:1")))
	h.editor("browse", "fly")
	p := h.terminal(100, 40, "run", "--plain", "--task", bikesWanted)
	at := p.wait(0, "anything else discards)")
	p.send("e\n")
	at = p.wait(at, "error  steps[0]  UNKNOWN_STEP_KIND")
	at = p.wait(at, "it cannot start like this")
	p.send("y\n")
	p.wait(at, "nothing was started")
	if code := p.exit(); code != ExitDeclined {
		t.Errorf("exit %d, want %d", code, ExitDeclined)
	}
}

func TestAPlanThatFailsIsSaid(t *testing.T) {
	h := newHome(t)
	h.models().Answer(func(modeltest.Request) modeltest.Reply { return modeltest.Text(`{"steps":[]}`) })
	p := h.terminal(100, 40, "run", "--plain", "--task", bikesWanted)
	p.wait(p.wait(0, "PLAN_FAILED: "), "hint: Word the task differently")
	if code := p.exit(); code != ExitFailed {
		t.Errorf("exit %d, want %d", code, ExitFailed)
	}
}

func TestAModelOutOfReachIsNoMatterOfWords(t *testing.T) {
	h := newHome(t)
	h.models().Close()
	got := h.run("run", "--plain", "--task", bikesWanted)
	if got.code != ExitFailed || !strings.Contains(got.out, "PLAN_FAILED: ") || !strings.Contains(got.out, "hint: Start the server, or check base_url.") {
		t.Errorf("exit %d\n%s%s", got.code, got.out, got.err)
	}
}

// An interrupted run says where its task stays.
func TestInterruptedRunSaysWhereItsTaskStays(t *testing.T) {
	h := newHome(t)
	p := h.terminal(100, 40, "run", "--plain", h.file("ask.json", `{"app": "browser", "steps": [{"browse": "${site}"}]}`))
	at := p.wait(0, "VALUES  t-1")
	p.send("\x03")
	p.wait(at, "t-1 stays in the store")
	if code := p.exit(); code != ExitInterrupted {
		t.Errorf("exit %d, want %d", code, ExitInterrupted)
	}
}

// ctrl+c at a secret's prompt ends the run before there is a task.
func TestASecretsPromptCanBeInterrupted(t *testing.T) {
	h := newHome(t)
	flow := h.file("ask.json", `{"app": "browser", "steps": [{"browse": "http://127.0.0.1:1"}, {"enter": {"code": "${pin}"}}]}`)
	p := h.terminal(100, 40, "run", "--plain", flow, "--secret", "pin")
	p.wait(0, "pin (not shown): ")
	p.send("\x03")
	if code := p.exit(); code != ExitInterrupted {
		t.Errorf("exit %d, want %d\n%s", code, ExitInterrupted, p.shown())
	}
	if tasks := h.run("tasks", "--json"); strings.Contains(tasks.out, "t-1") {
		t.Errorf("a task was made: %s", tasks.out)
	}
}

func TestWithoutAPlannerATaskInWordsIsRefused(t *testing.T) {
	h := newHome(t)
	p := h.terminal(100, 40, "run", "--plain", "--task", bikesWanted)
	p.wait(p.wait(0, "PLANNER_NOT_CONFIGURED: "), "hint: ")
	if code := p.exit(); code != ExitFailed {
		t.Errorf("exit %d, want %d", code, ExitFailed)
	}
	if got := h.run("run"); got.code != ExitUsage {
		t.Errorf("run without anything: exit %d, want %d", got.code, ExitUsage)
	}
}

// Where nobody can be asked a task in plain words starts at once.
func TestThroughAPipeAPlanIsNotAsked(t *testing.T) {
	h := newHome(t)
	s := h.models()
	s.Script(modeltest.Text(`{"app":"browser","steps":[{"browse":"http://127.0.0.1:1/"},{"enter":{"e-mail":"${e-mail}"}}]}`))
	got := h.run("run", "--json", "--task", bikesWanted)
	if got.code != ExitWaiting {
		t.Fatalf("exit %d, want %d\n%s%s", got.code, ExitWaiting, got.out, got.err)
	}
	if r := lastReport(t, got.out); r.View.Status.State != task.NeedsInput || len(s.Requests()) != 1 {
		t.Errorf("status %+v after %d requests", r.View.Status, len(s.Requests()))
	}
}
