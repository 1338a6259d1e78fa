package store_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/store"
	"countersign/store/storetest"
	"countersign/surfaces"
	"countersign/surfaces/fault"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// The store is what the controller asks for.
var _ controller.Store = (*store.Store)(nil)

func TestMain(m *testing.M) {
	if path := os.Getenv(childStore); path != "" {
		child(path)
		return
	}
	goleak.VerifyTestMain(m)
}

func allocate(t testing.TB, s *store.Store) task.ID {
	t.Helper()
	id, err := s.Allocate()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func commit(t testing.TB, s *store.Store, c task.Change) {
	t.Helper()
	if err := s.Commit(c); err != nil {
		t.Fatalf("committing %s at revision %d: %v", c.Record.ID, c.Record.Revision, err)
	}
}

// record is a task as it might stand, with a part of every kind.
func record(id task.ID, revision uint64, state task.State) task.Record {
	status := task.Status{State: state}
	if state == task.NeedsApproval {
		status = task.Status{State: state, Action: "sending the letter", Target: "Send", Digest: "9c41"}
	}
	if state == task.Done {
		status = task.Status{State: state, Answer: "Finished all 4 steps.", Records: map[string]task.Rows{"offers": {{"price": "31 EUR"}}}}
	}
	return task.Record{
		ID: id, Revision: revision,
		Request: task.StartRequest{Task: "Write <to> Ana & Bo", Facts: map[string]string{"name": "Jo Park"}, SecretFacts: []string{"password"}},
		Flow:    json.RawMessage(`{"app":"browser","steps":["open <b>"]}`),
		View: task.View{
			ID: id, Status: status, Revision: revision, Title: fmt.Sprintf("Letter %d", id), Next: []string{"AwaitTask"},
			Step: &task.CurrentStep{Index: 3, Kind: flows.KindDo, Surface: surfaces.Browser}, Left: task.Left{Actions: &[2]int{70, 120}},
		},
		Values:  []task.Value{{Name: "price", Text: "31 EUR"}},
		Resume:  &task.Resume{Kind: task.ResumeApproval, App: "browser", Index: 4, Guard: "4", Evidence: evidence(id)},
		Learned: []flows.Hint{{App: "browser", StepKey: "send", Role: "button", Name: "Send"}},
		Holding: true,
	}
}

func evidence(id task.ID) *flows.Evidence {
	return &flows.Evidence{
		Task: id.String(), Step: "4", Origin: "https://mail.test", Amount: "2480.00",
		Control: flows.EvidenceControl{Role: "button", Name: "Send", Path: []string{`dialog "New mail"`}},
		Form:    []flows.EvidenceField{{Name: "To", Value: "${to}"}},
	}
}

func viewEntry(id task.ID, seq uint64) task.Entry {
	return task.Entry{Event: task.EventView, Task: id, Seq: seq, At: int64(seq), View: &task.View{ID: id, Revision: seq}}
}

func TestCommittedIsReadBack(t *testing.T) {
	s := storetest.Open(t)
	id := allocate(t, s)
	r := record(id, 7, task.NeedsApproval)
	r.Seq = 2
	entries := []task.Entry{viewEntry(id, 1), {Event: task.EventStep, Task: id, Seq: 2, Report: &flows.StepReport{Step: "3", Kind: flows.KindDo, Outcome: flows.OutcomeDone}}}
	decision := task.Decision{ID: 1, Task: id, Question: task.NeedsApproval, State: task.DecisionAsked, Evidence: evidence(id), Digest: evidence(id).Digest()}
	press := task.Press{Task: id, Seq: 1, Step: "4", State: task.Intended, Decision: 1}
	commit(t, s, task.Change{Record: r, Entries: entries, Decisions: []task.Decision{decision}, Press: &press})

	got, err := s.Record(id)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, got); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
	gotEntries, err := s.Entries(id, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(entries, gotEntries); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	decisions, err := s.Decisions(id)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]task.Decision{decision}, decisions); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
	if got := decisions[0].Evidence.Digest(); got != decision.Digest {
		t.Errorf("the digest became %s, want %s", got, decision.Digest)
	}
	presses, err := s.Presses(id)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]task.Press{press}, presses); diff != "" {
		t.Errorf("presses (-want +got):\n%s", diff)
	}
}

func TestDecisionsAndPressesAreReplacedByNumber(t *testing.T) {
	s := storetest.Open(t)
	id := allocate(t, s)
	r := record(id, 1, task.Running)
	commit(t, s, task.Change{Record: r, Decisions: []task.Decision{{ID: 1, State: task.DecisionApproved}}})
	r.Revision = 2
	commit(t, s, task.Change{
		Record: r, Decisions: []task.Decision{{ID: 1, State: task.DecisionSpent}, {ID: 2, State: task.DecisionAsked}},
		Press: &task.Press{Seq: 1, State: task.Intended},
	})
	commit(t, s, task.Change{Record: r, Press: &task.Press{Seq: 1, State: task.Pressed}})
	decisions, err := s.Decisions(id)
	if err != nil {
		t.Fatal(err)
	}
	if len(decisions) != 2 || decisions[0].State != task.DecisionSpent || decisions[0].Task != id {
		t.Errorf("decisions %+v", decisions)
	}
	presses, err := s.Presses(id)
	if err != nil {
		t.Fatal(err)
	}
	if len(presses) != 1 || presses[0].State != task.Pressed {
		t.Errorf("presses %+v", presses)
	}
}

// TestRefusedCommitWritesNothing: each change is wrong in one way, and carries
// parts that would show.
func TestRefusedCommitWritesNothing(t *testing.T) {
	tests := []struct {
		name   string
		change func(*task.Change)
	}{
		{"an older revision", func(c *task.Change) { c.Record.Revision = 4 }},
		{"a hole before the entry", func(c *task.Change) { c.Record.Seq, c.Entries[0].Seq = 3, 3 }},
		{"an entry that is there already", func(c *task.Change) { c.Record.Seq, c.Entries[0].Seq = 1, 1 }},
		{"an entry the record does not count", func(c *task.Change) { c.Record.Seq = 1 }},
		{"a count without its entry", func(c *task.Change) { c.Entries = nil }},
		{"an entry numbered 0", func(c *task.Change) { c.Record.Seq, c.Entries[0].Seq = 0, 0 }},
		{"an entry of another task", func(c *task.Change) { c.Entries[0].Task = 99 }},
		{"a decision of another task", func(c *task.Change) { c.Decisions[0].Task = 99 }},
		{"a decision without a number", func(c *task.Change) { c.Decisions[0].ID = 0 }},
		{"a press without a number", func(c *task.Change) { c.Press = &task.Press{} }},
		{"the view of another task", func(c *task.Change) { c.Record.View.ID = 99 }},
		{"no task", func(c *task.Change) { c.Record.ID, c.Record.View.ID = 0, 0 }},
		{"what cannot be encoded", func(c *task.Change) { c.Record.Flow = json.RawMessage("{") }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := storetest.Open(t)
			id := allocate(t, s)
			stored := record(id, 5, task.Running)
			stored.Seq = 1
			commit(t, s, task.Change{Record: stored, Entries: []task.Entry{viewEntry(id, 1)}})

			next := record(id, 6, task.Done)
			next.Seq = 2
			c := task.Change{Record: next, Entries: []task.Entry{viewEntry(id, 2)}, Decisions: []task.Decision{{ID: 1}}}
			tt.change(&c)
			if got := fault.CodeOf(s.Commit(c)); got != fault.Internal {
				t.Errorf("commit = %q, want INTERNAL", got)
			}
			got, err := s.Record(id)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(stored, got); diff != "" {
				t.Errorf("the record changed (-want +got):\n%s", diff)
			}
			entries, err := s.Entries(id, 0, 0)
			decisions, err2 := s.Decisions(id)
			if err != nil || err2 != nil || len(entries) != 1 || len(decisions) != 0 {
				t.Errorf("%d entries, %d decisions (%v, %v); want 1 and 0", len(entries), len(decisions), err, err2)
			}
		})
	}
}

func TestEqualRevisionIsTaken(t *testing.T) {
	s := storetest.Open(t)
	r := record(allocate(t, s), 5, task.Running)
	commit(t, s, task.Change{Record: r})
	r.Seq = 1
	commit(t, s, task.Change{Record: r, Entries: []task.Entry{viewEntry(0, 1)}})
}

func TestEntriesFromANumber(t *testing.T) {
	s := storetest.Open(t)
	first, second := allocate(t, s), allocate(t, s)
	for _, id := range []task.ID{first, second} {
		r := record(id, 1, task.Running)
		var entries []task.Entry
		for seq := range uint64(300) {
			entries = append(entries, viewEntry(id, seq+1))
		}
		r.Seq = 300
		commit(t, s, task.Change{Record: r, Entries: entries})
	}
	tests := []struct {
		after      uint64
		limit      int
		from, upTo uint64
	}{{0, 0, 1, 300}, {0, 5, 1, 5}, {250, 0, 251, 300}, {255, 3, 256, 258}, {299, 10, 300, 300}, {300, 0, 1, 0}, {9999, 0, 1, 0}}
	for _, tt := range tests {
		got, err := s.Entries(first, tt.after, tt.limit)
		if err != nil {
			t.Fatal(err)
		}
		var seqs, want []uint64
		for _, e := range got {
			seqs = append(seqs, e.Seq)
		}
		for seq := tt.from; seq <= tt.upTo; seq++ {
			want = append(want, seq)
		}
		if !slices.Equal(seqs, want) {
			t.Errorf("Entries(after %d, limit %d) = %v, want %d to %d", tt.after, tt.limit, seqs, tt.from, tt.upTo)
		}
	}
}

// final makes a finished task; history says whether it was evicted.
func final(t testing.TB, s *store.Store, title string, state task.State, endedAt int64, history bool) task.ID {
	t.Helper()
	id := allocate(t, s)
	r := record(id, 1, state)
	r.View.Title, r.EndedAt, r.History, r.Holding = title, endedAt, history, false
	r.Seq = 1
	commit(t, s, task.Change{Record: r, Entries: []task.Entry{viewEntry(id, 1)}, Decisions: []task.Decision{{ID: 1}}, Press: &task.Press{Seq: 1}})
	return id
}

func ids(records []task.Record) []task.ID {
	var all []task.ID
	for _, r := range records {
		all = append(all, r.ID)
	}
	return all
}

func TestLiveAndHistory(t *testing.T) {
	s := storetest.Open(t)
	letter := final(t, s, "Letter to Ana", task.Done, 10, true)
	tickets := final(t, s, "Two tickets", task.Failed, 20, false)
	running := allocate(t, s)
	commit(t, s, task.Change{Record: record(running, 1, task.Running)})
	second := final(t, s, "Second LETTER", task.Cancelled, 30, true)

	live, err := s.Live()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ids(live), []task.ID{tickets, running}; !slices.Equal(got, want) {
		t.Errorf("live %v, want %v", got, want)
	}
	tests := []struct {
		query  string
		before task.ID
		limit  int
		want   []task.ID
	}{
		{"", 0, 0, []task.ID{second, tickets, letter}},
		{"", 0, 1, []task.ID{second}},
		{"", second, 0, []task.ID{tickets, letter}},
		{"", 1000, 2, []task.ID{second, tickets}},
		{"letter", 0, 0, []task.ID{second, letter}},
		{" Failed ", 0, 0, []task.ID{tickets}},
		{"letter", second, 0, []task.ID{letter}},
		{"", letter, 0, nil},
		{"nothing like it", 0, 0, nil},
	}
	for _, tt := range tests {
		page, err := s.History(tt.query, tt.before, tt.limit)
		if err != nil {
			t.Fatal(err)
		}
		if got := ids(page); !slices.Equal(got, tt.want) {
			t.Errorf("History(%q, %s, %d) = %v, want %v", tt.query, tt.before, tt.limit, got, tt.want)
		}
	}
}

// A134 asks that an evicted task can still be reported: its record and all of
// its parts stay readable.
func TestA134EvictedTaskIsStillThere(t *testing.T) {
	s := storetest.Open(t)
	id := final(t, s, "Evicted", task.Done, 10, true)
	if r, err := s.Record(id); err != nil || r.View.Title != "Evicted" {
		t.Errorf("record %+v, %v", r.View, err)
	}
	if entries, err := s.Entries(id, 0, 0); err != nil || len(entries) != 1 {
		t.Errorf("entries %v, %v", entries, err)
	}
	if _, err := s.Record(99); fault.CodeOf(err) != fault.NoSuchTask {
		t.Errorf("an unknown task gave %v, want NO_SUCH_TASK", err)
	}
}

func TestPruneRemovesOldHistoryAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "desk.db")
	s := storetest.OpenAt(t, path)
	old := final(t, s, "Old", task.Done, 10, true)
	young := final(t, s, "Young", task.Done, 100, true)
	stillLive := final(t, s, "Live", task.Done, 10, false)
	if err := s.Bind(old, surfaces.Binding{Side: surfaces.Browser}); err != nil {
		t.Fatal(err)
	}
	pruned, err := s.Prune(50)
	if err != nil || !slices.Equal(pruned, []task.ID{old}) {
		t.Fatalf("pruned %v, %v; want %v", pruned, err, old)
	}
	if _, err := s.Record(old); fault.CodeOf(err) != fault.NoSuchTask {
		t.Errorf("the pruned task gave %v", err)
	}
	entries, _ := s.Entries(old, 0, 0)
	decisions, _ := s.Decisions(old)
	presses, _ := s.Presses(old)
	if len(entries)+len(decisions)+len(presses) != 0 {
		t.Errorf("left of it: %v %v %v", entries, decisions, presses)
	}
	if orphans, err := s.Orphans(); err != nil || len(orphans[old]) != 1 {
		t.Errorf("orphans %v, %v; want its binding", orphans, err)
	}
	for _, id := range []task.ID{young, stillLive} {
		if _, err := s.Record(id); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestIDsAreNeverReused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "desk.db")
	s := storetest.OpenAt(t, path)
	final(t, s, "One", task.Done, 10, true)
	newest := final(t, s, "Two", task.Done, 10, true)
	if _, err := s.Prune(1000); err != nil {
		t.Fatal(err)
	}
	storetest.Close(t, s)
	s = storetest.OpenAt(t, path)
	if id := allocate(t, s); id != newest+1 {
		t.Errorf("allocated %s, want %s", id, newest+1)
	}
	commit(t, s, task.Change{Record: record(40, 1, task.Running)})
	if id := allocate(t, s); id != 41 {
		t.Errorf("allocated %s after t-40 was stored, want t-41", id)
	}
}

func TestBindings(t *testing.T) {
	s := storetest.Open(t)
	id := allocate(t, s)
	commit(t, s, task.Change{Record: record(id, 1, task.Running)})
	folder := surfaces.Binding{Side: surfaces.Browser, Driver: "chrome", Data: json.RawMessage(`{"profile":"a"}`)}
	whole := surfaces.Binding{Side: surfaces.Browser, Driver: "chrome", Data: json.RawMessage(`{"profile":"a","endpoint":"b"}`)}
	desktop := surfaces.Binding{Side: surfaces.Desktop, Driver: "x11", Data: json.RawMessage(`{}`)}
	for _, b := range []surfaces.Binding{folder, whole, desktop} {
		if err := s.Bind(id, b); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Bindings(id)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]surfaces.Binding{whole, desktop}, got); diff != "" {
		t.Errorf("bindings (-want +got):\n%s", diff)
	}
	for range 2 {
		if err := s.Unbind(id, surfaces.Browser); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := s.Bindings(id); err != nil || len(got) != 1 || got[0].Side != surfaces.Desktop {
		t.Errorf("after unbinding the browser: %v, %v", got, err)
	}
	if got, err := s.Bindings(id + 1); err != nil || len(got) != 0 {
		t.Errorf("another task has %v, %v", got, err)
	}
	if err := s.Bind(0, whole); fault.CodeOf(err) != fault.Internal {
		t.Errorf("binding nothing gave %v", err)
	}
}

func TestOrphans(t *testing.T) {
	tests := []struct {
		name   string
		state  task.State
		change func(*task.Record)
		orphan bool
	}{
		{"running, not yet held", task.Running, func(r *task.Record) { r.Holding = false }, false},
		{"waits for approval", task.NeedsApproval, nil, false},
		{"waits for a person", task.NeedsHuman, nil, false},
		{"interrupted", task.Checkpoint, func(r *task.Record) { r.View.Status.Continuable, r.Holding = true, false }, false},
		{"payment, held", task.Checkpoint, nil, false},
		{"payment, released", task.Checkpoint, func(r *task.Record) { r.Holding = false }, true},
		{"waits for a value", task.NeedsInput, func(r *task.Record) { r.Holding = false }, true},
		{"waits for a secret after a restart", task.NeedsInput, nil, false},
		{"done", task.Done, func(r *task.Record) { r.Holding = false }, true},
		{"evicted", task.Done, func(r *task.Record) { r.History = true }, true},
	}
	s := storetest.Open(t)
	want := map[task.ID]string{}
	for _, tt := range tests {
		id := allocate(t, s)
		r := record(id, 1, tt.state)
		if tt.change != nil {
			tt.change(&r)
		}
		commit(t, s, task.Change{Record: r})
		if err := s.Bind(id, surfaces.Binding{Side: surfaces.Browser}); err != nil {
			t.Fatal(err)
		}
		if tt.orphan {
			want[id] = tt.name
		}
	}
	unknown := task.ID(99)
	if err := s.Bind(unknown, surfaces.Binding{Side: surfaces.Desktop}); err != nil {
		t.Fatal(err)
	}
	want[unknown] = "no task"
	got, err := s.Orphans()
	if err != nil {
		t.Fatal(err)
	}
	for id, name := range want {
		if len(got[id]) != 1 {
			t.Errorf("%s is no orphan", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("orphans %v, want %v", got, want)
	}
}

// TestConcurrentTransitions: tasks of their own goroutines never disturb each
// other, and two writers of one task are put in order by the revision.
func TestConcurrentTransitions(t *testing.T) {
	s := storetest.Open(t)
	var wg sync.WaitGroup
	for range 4 {
		id := allocate(t, s)
		wg.Go(func() {
			for revision := range uint64(20) {
				r := record(id, revision+1, task.Running)
				r.Seq = revision + 1
				if err := s.Commit(task.Change{Record: r, Entries: []task.Entry{viewEntry(id, revision+1)}}); err != nil {
					t.Errorf("%s revision %d: %v", id, revision, err)
				}
				if _, err := s.Live(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	shared := allocate(t, s)
	var taken sync.Map
	for range 8 {
		wg.Go(func() {
			r := record(shared, 1, task.Running)
			r.Seq = 1
			if s.Commit(task.Change{Record: r, Entries: []task.Entry{viewEntry(shared, 1)}}) == nil {
				taken.Store(new(int), true)
			}
		})
	}
	wg.Wait()
	n := 0
	taken.Range(func(any, any) bool { n++; return true })
	if n != 1 {
		t.Errorf("%d writers wrote entry 1, want one", n)
	}
}

func TestClosedStoreSaysSo(t *testing.T) {
	s := storetest.Open(t)
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Allocate(); fault.CodeOf(err) != fault.Internal {
		t.Errorf("a closed store answered %v", err)
	}
}

func TestHoldsFindsEveryForm(t *testing.T) {
	const card, password = "4242 4242 4242 4242", `p&ss "wörd" 9`
	dir := t.TempDir()
	quoted, err := json.Marshal(password)
	if err != nil {
		t.Fatal(err)
	}
	written := map[string]struct{ value, text string }{
		"as it is":       {password, password},
		"JSON":           {password, string(quoted)},
		"address":        {password, url.QueryEscape(password)},
		"base64":         {password, base64.StdEncoding.EncodeToString([]byte(password))},
		"base64 shifted": {password, base64.URLEncoding.EncodeToString([]byte("xy" + password + "z"))},
		"hexadecimal":    {password, fmt.Sprintf("%x", password)},
		"digits":         {card, "4242424242424242"},
		"dashes":         {card, "4242-4242-4242-4242"},
		"one by one":     {card, "4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2"},
	}
	for name, w := range written {
		path := filepath.Join(dir, "file")
		if err := os.WriteFile(path, []byte("before "+w.text+" after"), 0o600); err != nil {
			t.Fatal(err)
		}
		if !storetest.Holds(t, path, w.value) {
			t.Errorf("%s is not found", name)
		}
		if storetest.Holds(t, path, "another value 1234 5678") {
			t.Errorf("%s: found what is not there", name)
		}
	}
}
