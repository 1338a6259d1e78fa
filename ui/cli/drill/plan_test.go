package drill

import (
	"reflect"
	"testing"
	"time"

	"countersign/controller/task"
)

func undisturbed() []measured {
	var all []measured
	for i, name := range Flows() {
		all = append(all, measured{flow: name, writes: 20 + 10*i, took: time.Second})
	}
	return all
}

func TestPlanCoversEveryWriteWhenItCan(t *testing.T) {
	flows := undisturbed()
	hit := map[point]bool{}
	for _, s := range plan(1000, 1, flows) {
		if s.kind == kindAfter {
			hit[point{s.flow, s.kills[0].N}] = true
		}
	}
	if all := writesOf(flows); len(hit) != len(all) {
		t.Errorf("%d writes are hit, want all %d", len(hit), len(all))
	}
}

func TestPlanKeepsToItsBound(t *testing.T) {
	for _, bound := range []int{1, 2, 5, 6, 60, 500} {
		kills, seen := 0, map[string]bool{}
		for _, s := range plan(bound, 1, undisturbed()) {
			kills += len(s.kills)
			seen[s.kind] = true
		}
		if kills > bound+1 { // the last trial of a sweep may plan one kill the budget refuses
			t.Errorf("%d kills planned of %d", kills, bound)
		}
		if bound >= 6 && len(seen) != 3 {
			t.Errorf("%d kills hit only %v", bound, seen)
		}
	}
}

func TestTheSameSeedPlansTheSame(t *testing.T) {
	flows := undisturbed()
	if a, b := plan(60, 7, flows), plan(60, 7, flows); !reflect.DeepEqual(a, b) {
		t.Error("two plans of one seed differ")
	}
	for i := range 9 {
		a, b, c := anywhere(7, i, flows), anywhere(7, i, flows), anywhere(8, i, flows)
		if !reflect.DeepEqual(a, b) || reflect.DeepEqual(a, c) {
			t.Errorf("trial %d: %v, %v, and of another seed %v", i, a, b, c)
		}
	}
}

func TestUnsignedPresses(t *testing.T) {
	signed := map[string]bool{"mine": true}
	cases := []struct {
		name      string
		did, want int
		decisions []task.Decision
	}{
		{"one signed", 1, 0, []task.Decision{{State: task.DecisionSpent, Digest: "mine"}}},
		{"none at all", 0, 0, nil},
		{"spent, not done, asked again", 1, 0, []task.Decision{{State: task.DecisionSpent, Digest: "mine"}, {State: task.DecisionSpent, Digest: "mine"}}},
		{"done and only approved", 1, 1, []task.Decision{{State: task.DecisionApproved, Digest: "mine"}}},
		{"twice on one signature", 2, 1, []task.Decision{{State: task.DecisionSpent, Digest: "mine"}}},
		{"a signature nobody gave", 1, 1, []task.Decision{{State: task.DecisionSpent, Digest: "whose"}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			tr := &trial{signed: signed}
			if got := tr.unsigned(c.did, c.decisions); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
			if len(tr.notes) != c.want {
				t.Errorf("notes %q, want %d", tr.notes, c.want)
			}
		})
	}
}
