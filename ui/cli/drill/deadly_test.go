package drill

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"countersign/controller/controllertest"
	"countersign/controller/task"
)

var errDied = errors.New("died")

// mortal is a deadly store whose death can be seen.
func mortal(k kill) (s *deadly, kept *controllertest.Store, out *bytes.Buffer) {
	out, kept = &bytes.Buffer{}, controllertest.NewStore()
	return &deadly{Store: kept, kill: k, out: &lines{out: out}, die: func() { panic(errDied) }}, kept, out
}

// press writes a task whose guard is pressed: three writes after its id.
func press(s *deadly) (dead any) {
	defer func() { dead = recover() }()
	id, _ := s.Allocate()
	rec := task.Record{ID: id, Revision: 1, Seq: 1, View: task.View{ID: id, Revision: 1, Status: task.Status{State: task.Running}}}
	entry := task.Entry{Event: task.EventView, Task: id, Seq: 1, View: &rec.View}
	_ = s.Commit(task.Change{Record: rec, Entries: []task.Entry{entry}})
	for _, state := range []task.PressState{task.Intended, task.Pressed} {
		_ = s.Commit(task.Change{Record: rec, Press: &task.Press{Task: id, Seq: 1, State: state}})
	}
	return nil
}

func TestDeadlyDiesAtItsMoment(t *testing.T) {
	cases := []struct {
		kill         kill
		acknowledged int // writes the parent hears of
		stored       task.PressState
	}{
		{kill{}, 4, task.Pressed},
		{kill{When: afterWrite, N: 1}, 1, ""},
		{kill{When: afterWrite, N: 2}, 2, ""},
		{kill{When: beforeWrite, N: 3}, 2, ""},
		{kill{When: beforePress}, 2, ""},
		{kill{When: afterIntend}, 3, task.Intended},
		{kill{When: afterPress}, 3, task.Intended},
		{kill{When: afterWrite, N: 9}, 4, task.Pressed},
	}
	for _, c := range cases {
		t.Run((spec{kills: []kill{c.kill}}).where(), func(t *testing.T) {
			s, kept, out := mortal(c.kill)
			dead := press(s)
			if lives := c.acknowledged == 4; (dead == nil) != lives {
				t.Errorf("died with %v, should live: %t", dead, lives)
			}
			if got := strings.Count(out.String(), "\n"); got != c.acknowledged {
				t.Errorf("%d writes were acknowledged, want %d", got, c.acknowledged)
			}
			presses, err := kept.Presses(1)
			if err != nil {
				t.Fatal(err)
			}
			if stored := stateOf(presses); stored != c.stored {
				t.Errorf("the press is stored as %q, want %q", stored, c.stored)
			}
		})
	}
}

func stateOf(presses []task.Press) task.PressState {
	if len(presses) == 0 {
		return ""
	}
	return presses[len(presses)-1].State
}

func TestDeadlyDiesWithinThePress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, _ := mortal(kill{When: withinPress, Delay: 20 * time.Millisecond})
		var died time.Time
		s.die = func() { died = time.Now() }
		began := time.Now()
		if dead := press(s); dead != nil {
			t.Fatal(dead)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if after := died.Sub(began); after != 20*time.Millisecond {
			t.Errorf("died after %s, want 20ms", after)
		}
	})
}

func TestAcknowledgedFindsWhatWasLost(t *testing.T) {
	s, kept, out := mortal(kill{})
	if dead := press(s); dead != nil {
		t.Fatal(dead)
	}
	a := newAcknowledged()
	for line := range strings.Lines(out.String()) {
		var m message
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		for _, e := range m.Write.Entries {
			if err := a.entry(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	entries, err := kept.Entries(1, 0, 0)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	view, err := json.Marshal(entries[0].View)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.view(view); err != nil {
		t.Fatal(err)
	}
	whole := func() json.RawMessage {
		raw, err := json.Marshal(entries[0])
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	kept0 := whole()
	entries[0].View.Summary = "another"
	cases := []struct {
		name    string
		journal []json.RawMessage
		missing int
	}{
		{"all there", []json.RawMessage{kept0}, 0},
		{"nothing there", nil, 2},
		{"something else there", []json.RawMessage{whole()}, 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			missing, err := a.missing(c.journal)
			if err != nil || len(missing) != c.missing {
				t.Errorf("missing %q, %v; want %d", missing, err, c.missing)
			}
		})
	}
}
