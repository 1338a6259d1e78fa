package journal_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"countersign/controller"
	"countersign/controller/controllertest"
	"countersign/controller/journal"
	"countersign/controller/task"
	"countersign/flows"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// desk is a controller on fakes whose journal is copied.
type desk struct {
	*controller.Controller
	store *controllertest.Store
	copy  *journal.Writer
}

func open(t *testing.T, dir string, store *controllertest.Store, live ...task.ID) *desk {
	t.Helper()
	rescuer, shaper := controllertest.NewChat("rescue"), controllertest.NewChat("shape")
	rescuer.Say(`{"action":"retry","reason":"not with hunter22","steps":["write it in short"]}`)
	shaper.Say(`{"said":"4242-4242-4242-4242 and hunter22"}`)
	runner := controllertest.NewRunner()
	runner.Fail("write the letter", flows.Result{Stop: flows.StepFailed, Reason: "hunter22 was refused"})
	runner.Save("the page", "page", "hunter22 at 4242 4242 4242 4242")
	c, err := controller.New(t.Context(), controller.Options{Store: store, Runner: runner, Opener: controllertest.NewOpener(), Rescuer: rescuer, Shaper: shaper})
	if err != nil {
		t.Fatal(err)
	}
	return &desk{c, store, journal.Start(t.Context(), dir, c, live)}
}

func (d *desk) close(t *testing.T) {
	t.Helper()
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	d.copy.Close()
}

// run carries out a task that is rescued and shaped, and shows its secrets
// wherever it can.
func (d *desk) run(t *testing.T) task.ID {
	t.Helper()
	v, err := d.StartTask(t.Context(), task.StartRequest{
		Task: "Write as hunter22", Trace: true, Output: &task.Output{Instructions: "what was said"},
		Facts: map[string]string{"password": "hunter22", "card number": "4242 4242 4242 4242"},
		Flow:  json.RawMessage(`{"app":"browser","steps":[{"read":{"what":"the page","into":"page"}},"write the letter",{"enter":{"p":"${password}"}}]}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	return v.ID
}

// lines reads a copy back.
func lines(t *testing.T, dir string, id task.ID) []task.Entry {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, id.String()+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var entries []task.Entry
	for line := range bytes.Lines(raw) {
		var e task.Entry
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		entries = append(entries, e)
	}
	return entries
}

func same(t *testing.T, d *desk, dir string, id task.ID) {
	t.Helper()
	want, err := d.store.Entries(id, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := json.Marshal(want)
	var kept []task.Entry
	if err := json.Unmarshal(raw, &kept); err != nil {
		t.Fatal(err)
	}
	if got := lines(t, dir, id); len(got) < 5 || !reflect.DeepEqual(got, kept) {
		t.Errorf("%d entries copied, %d stored", len(got), len(kept))
	}
}

func TestEveryEntryIsCopiedOnceAndInOrder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "copy")
	synctest.Test(t, func(t *testing.T) {
		store := controllertest.NewStore()
		d := open(t, dir, store)
		id := d.run(t)
		d.close(t)
		same(t, d, dir, id)
		path := filepath.Join(dir, id.String()+".jsonl")
		for name, want := range map[string]os.FileMode{dir: 0o700, path: 0o600} {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v %v", filepath.Base(name), info.Mode(), err)
			}
		}

		raw, err := os.ReadFile(path) // killed while it wrote
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, raw[:len(raw)*2/3], 0o600); err != nil {
			t.Fatal(err)
		}
		d = open(t, dir, store, id)
		synctest.Wait()
		d.close(t)
		same(t, d, dir, id)
	})
}

// 5.5: a trace and a journal may hold shared values, and no secret in any form.
func TestA74_ATraceAndAJournalHoldNoSecret(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		d := open(t, dir, controllertest.NewStore())
		id := d.run(t)
		report, err := d.TaskReport(t.Context(), id, true)
		if err != nil {
			t.Fatal(err)
		}
		d.close(t)
		if s := report.View.Status; s.State != task.Done || len(report.Rescues) != 1 || len(s.Result) == 0 {
			t.Fatalf("%+v after %d rescues", s, len(report.Rescues))
		}
		told, err := json.Marshal(struct {
			Report  task.Report
			Journal []task.Entry
		}{report, lines(t, dir, id)})
		if err != nil {
			t.Fatal(err)
		}
		all := string(told) + d.store.Written()
		for _, secret := range []string{"hunter22", "4242"} {
			if strings.Contains(all, secret) {
				t.Errorf("%q is in them: %s", secret, around(all, secret))
			}
		}
	})
}

func around(text, part string) string {
	i := strings.Index(text, part)
	return text[max(0, i-80):min(len(text), i+80)]
}

// Whatever becomes of the folder, no task notices; the log says so once.
func TestAFolderThatCannotBeWrittenFailsNothing(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, dir string){
		"a file in its place": func(t *testing.T, dir string) {
			if err := os.WriteFile(dir, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"a folder in place of the file": func(t *testing.T, dir string) {
			if err := os.MkdirAll(filepath.Join(dir, "t-1.jsonl"), 0o700); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "copy")
			spoil(t, dir)
			var log bytes.Buffer
			before := slog.Default()
			slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
			defer slog.SetDefault(before)
			synctest.Test(t, func(t *testing.T) {
				d := open(t, dir, controllertest.NewStore())
				id := d.run(t)
				v, err := d.AwaitTask(context.WithoutCancel(t.Context()), id, time.Second)
				if err != nil || v.Status.State != task.Done {
					t.Errorf("%+v %v", v.Status, err)
				}
				d.close(t)
			})
			if n := strings.Count(log.String(), "copy of the journal"); n != 1 {
				t.Errorf("said %d times: %s", n, log.String())
			}
		})
	}
}
