package controllertest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// StoreConformance holds a store to what the controller relies on. Open makes
// an empty one and closes it with the test.
func StoreConformance(t *testing.T, open func(*testing.T) controller.Store) {
	t.Helper()
	for name, test := range map[string]func(*testing.T, controller.Store){
		"ids grow":                     idsGrow,
		"a change is read back":        changeReadBack,
		"an older revision is refused": olderRevision,
		"a hole is refused":            holeRefused,
		"entries page":                 entriesPage,
		"replaced by number":           replacedByNumber,
		"live and history":             liveAndHistory,
		"orphans":                      orphansOnly,
		"prune":                        pruneHistory,
		"A126 pictures":                keptPictures,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// change is a minimal transition: entries follow number after.
func change(id task.ID, revision, after uint64, state task.State, entries int) task.Change {
	view := task.View{ID: id, Status: task.Status{State: state}, Title: "letter " + id.String(), Revision: revision, Next: []string{}}
	c := task.Change{Record: task.Record{ID: id, View: view, Revision: revision, Seq: after + uint64(entries), Values: []task.Value{}}}
	for i := range entries {
		c.Entries = append(c.Entries, task.Entry{Event: task.EventView, Task: id, Seq: after + uint64(i) + 1, At: 1, View: &view})
	}
	return c
}

func commit(t *testing.T, s controller.Store, c task.Change) {
	t.Helper()
	if err := s.Commit(c); err != nil {
		t.Fatalf("Commit: %v", err)
	}
}

func idsGrow(t *testing.T, s controller.Store) {
	last := task.ID(0)
	for range 3 {
		id, err := s.Allocate()
		if err != nil || id <= last {
			t.Fatalf("Allocate gave %s after %s, %v", id, last, err)
		}
		last = id
	}
}

func changeReadBack(t *testing.T, s controller.Store) {
	c := change(1, 1, 0, task.NeedsApproval, 2)
	ev := &flows.Evidence{Task: "t-1", Step: "2", Control: flows.EvidenceControl{Role: "button", Name: "Send", Path: []string{"form"}}, Form: []flows.EvidenceField{{Name: "to", Value: "Jo"}}, Words: []string{"w"}}
	c.Record.Flow = json.RawMessage(`{"app":"browser"}`)
	c.Record.Request = task.StartRequest{Task: "write", Facts: map[string]string{"a": "b"}, SecretFacts: []string{"pin"}}
	c.Record.Resume = &task.Resume{Kind: task.ResumeApproval, Index: 2, Guard: "2", Evidence: ev}
	c.Record.Values = []task.Value{{Name: "x", Text: "1"}}
	c.Decisions = []task.Decision{{ID: 1, Task: 1, Question: task.NeedsApproval, Evidence: ev, Digest: ev.Digest(), State: task.DecisionAsked}}
	c.Press = &task.Press{Task: 1, Seq: 1, Step: "2", Digest: ev.Digest(), State: task.Intended, Decision: 1}
	commit(t, s, c)
	got, err := s.Record(1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c.Record, got); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
	if got.Resume.Evidence.Digest() != ev.Digest() {
		t.Error("the evidence has another digest after reading")
	}
	decisions, err := s.Decisions(1)
	if err != nil || cmp.Diff(c.Decisions, decisions) != "" {
		t.Errorf("decisions %+v %v", decisions, err)
	}
	presses, err := s.Presses(1)
	if err != nil || len(presses) != 1 || presses[0] != *c.Press {
		t.Errorf("presses %+v %v", presses, err)
	}
	entries, err := s.Entries(1, 0, 0)
	if err != nil || cmp.Diff(c.Entries, entries) != "" {
		t.Errorf("entries %+v %v", entries, err)
	}
	if _, err := s.Record(9); fault.CodeOf(err) != fault.NoSuchTask {
		t.Errorf("an unknown record: %v", err)
	}
}

func olderRevision(t *testing.T, s controller.Store) {
	commit(t, s, change(1, 5, 0, task.Running, 1))
	commit(t, s, change(1, 5, 1, task.Running, 1)) // the same may be written again
	if err := s.Commit(change(1, 4, 2, task.Done, 1)); fault.CodeOf(err) != fault.Internal {
		t.Errorf("an older revision: %v", err)
	}
	if rec, _ := s.Record(1); rec.View.Status.State != task.Running || rec.Seq != 2 {
		t.Errorf("something of it was written: %+v", rec)
	}
}

func holeRefused(t *testing.T, s controller.Store) {
	commit(t, s, change(1, 1, 0, task.Running, 2))
	c := change(1, 2, 3, task.Done, 1)
	c.Decisions = []task.Decision{{ID: 1, Task: 1}}
	if err := s.Commit(c); fault.CodeOf(err) != fault.Internal {
		t.Errorf("a hole: %v", err)
	}
	entries, _ := s.Entries(1, 0, 0)
	decisions, _ := s.Decisions(1)
	if len(entries) != 2 || len(decisions) != 0 {
		t.Errorf("something of it was written: %d entries, %d decisions", len(entries), len(decisions))
	}
}

func entriesPage(t *testing.T, s controller.Store) {
	commit(t, s, change(1, 1, 0, task.Running, 7))
	commit(t, s, change(2, 1, 0, task.Running, 3))
	for _, tt := range []struct {
		after       uint64
		limit       int
		first, size uint64
	}{{0, 0, 1, 7}, {2, 3, 3, 3}, {6, 0, 7, 1}, {7, 0, 0, 0}, {99, 5, 0, 0}} {
		got, err := s.Entries(1, tt.after, tt.limit)
		if err != nil || uint64(len(got)) != tt.size || tt.size > 0 && got[0].Seq != tt.first {
			t.Errorf("after %d, limit %d: %d entries %v", tt.after, tt.limit, len(got), err)
		}
	}
}

func replacedByNumber(t *testing.T, s controller.Store) {
	c := change(1, 1, 0, task.Running, 1)
	c.Decisions = []task.Decision{{ID: 1, Task: 1, State: task.DecisionAsked}, {ID: 2, Task: 1, State: task.DecisionAsked}}
	c.Press = &task.Press{Task: 1, Seq: 1, State: task.Intended}
	commit(t, s, c)
	c = change(1, 2, 1, task.Running, 1)
	c.Decisions = []task.Decision{{ID: 1, Task: 1, State: task.DecisionSpent}}
	c.Press = &task.Press{Task: 1, Seq: 1, State: task.Pressed}
	commit(t, s, c)
	decisions, _ := s.Decisions(1)
	presses, _ := s.Presses(1)
	if len(decisions) != 2 || decisions[0].State != task.DecisionSpent || len(presses) != 1 || presses[0].State != task.Pressed {
		t.Errorf("decisions %+v, presses %+v", decisions, presses)
	}
}

func liveAndHistory(t *testing.T, s controller.Store) {
	commit(t, s, change(2, 1, 0, task.Done, 1))
	commit(t, s, change(1, 1, 0, task.Running, 1))
	old := change(3, 1, 0, task.Failed, 1)
	old.Record.History = true
	commit(t, s, old)
	live, err := s.Live()
	if err != nil || len(live) != 2 || live[0].ID != 1 || live[1].ID != 2 {
		t.Errorf("live %v %v", ids(live), err)
	}
	for _, tt := range []struct {
		query  string
		before task.ID
		limit  int
		want   string
	}{{"", 0, 0, "t-3 t-2"}, {"", 0, 1, "t-3"}, {"", 3, 5, "t-2"}, {"failed", 0, 5, "t-3"}, {"LETTER T-2", 0, 5, "t-2"}} {
		got, err := s.History(tt.query, tt.before, tt.limit)
		if err != nil || ids(got) != tt.want {
			t.Errorf("history %q before %s: %s %v, want %s", tt.query, tt.before, ids(got), err, tt.want)
		}
	}
}

func orphansOnly(t *testing.T, s controller.Store) {
	holding := change(2, 1, 0, task.NeedsApproval, 1)
	holding.Record.Holding = true
	commit(t, s, change(1, 1, 0, task.Done, 1))
	commit(t, s, holding)
	for id := task.ID(1); id <= 2; id++ {
		if err := s.Bind(id, surfaces.Binding{Side: surfaces.Browser, Driver: "d", Data: json.RawMessage(`{"a":1}`)}); err != nil {
			t.Fatal(err)
		}
	}
	orphans, err := s.Orphans()
	if err != nil || len(orphans) != 1 || len(orphans[1]) != 1 {
		t.Fatalf("orphans %+v %v", orphans, err)
	}
	if err := s.Unbind(1, surfaces.Browser); err != nil {
		t.Fatal(err)
	}
	orphans, _ = s.Orphans()
	left, err := s.Bindings(2)
	if len(orphans) != 0 || err != nil || len(left) != 1 {
		t.Errorf("orphans %+v, bindings %+v %v", orphans, left, err)
	}
}

func pruneHistory(t *testing.T, s controller.Store) {
	for id := task.ID(1); id <= 3; id++ {
		c := change(id, 1, 0, task.Done, 1)
		c.Record.EndedAt = int64(id) * 100
		c.Record.History = id != 1
		commit(t, s, c)
	}
	gone, err := s.Prune(250)
	if err != nil || len(gone) != 1 || gone[0] != 2 {
		t.Errorf("pruned %v %v, want the old one that is history", gone, err)
	}
	if entries, _ := s.Entries(2, 0, 0); len(entries) != 0 {
		t.Errorf("%d entries of a pruned task", len(entries))
	}
}

func ids(records []task.Record) string {
	all := make([]string, len(records))
	for i, r := range records {
		all[i] = r.ID.String()
	}
	return strings.Join(all, " ")
}

func keptPictures(t *testing.T, s controller.Store) {
	keep := func(content string) string {
		t.Helper()
		sum, err := s.KeepPicture([]byte(content))
		if err != nil {
			t.Fatalf("KeepPicture: %v", err)
		}
		return sum
	}
	gone := func(sum string) {
		t.Helper()
		if _, err := s.Picture(sum); fault.CodeOf(err) != fault.NoSuchOutput {
			t.Errorf("picture %q: %v, want NO_SUCH_OUTPUT", sum, err)
		}
	}
	first, second, third := keep("one"), keep("two"), keep("three")
	if png, err := s.Picture(second); err != nil || string(png) != "two" {
		t.Errorf("read %q, %v", png, err)
	}
	for _, unknown := range []string{"", "../desk.db", strings.Repeat("0", 64)} {
		gone(unknown)
	}
	for range 2 {
		if err := s.DropPicture(first); err != nil {
			t.Errorf("DropPicture: %v", err)
		}
	}
	gone(first)

	old, young := change(1, 1, 0, task.Done, 1), change(2, 1, 0, task.Done, 1)
	old.Record.EndedAt, old.Record.History, old.Record.Pictures = 5, true, []task.Artifact{{SHA256: second}}
	young.Record.EndedAt, young.Record.History, young.Record.Pictures = 50, true, []task.Artifact{{SHA256: third}}
	commit(t, s, old)
	commit(t, s, young)
	if _, err := s.Prune(10); err != nil {
		t.Fatal(err)
	}
	gone(second)
	if _, err := s.Picture(third); err != nil {
		t.Errorf("the picture of a kept task: %v", err)
	}
}
