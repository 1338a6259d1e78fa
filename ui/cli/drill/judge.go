package drill

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"countersign/controller/task"
	"countersign/surfaces/host"
)

// Verdict counts what must never be.
type Verdict struct {
	Lost     int `json:"lost"`     // acknowledged transitions that were not in the store afterwards
	Doubled  int `json:"doubled"`  // presses the site took beyond the first
	Unsigned int `json:"unsigned"` // presses without a signature of the person
	Stuck    int `json:"stuck"`    // tasks that came to no end, or left a browser behind
}

// Clean reports whether nothing was found.
func (v Verdict) Clean() bool { return v == Verdict{} }

func (v Verdict) plus(w Verdict) Verdict {
	return Verdict{v.Lost + w.Lost, v.Doubled + w.Doubled, v.Unsigned + w.Unsigned, v.Stuck + w.Stuck}
}

func (t *trial) note(format string, args ...any) {
	t.notes = append(t.notes, fmt.Sprintf(format, args...))
}

func (t *trial) stick(why string) {
	t.Stuck++
	t.note("stuck: %s", why)
}

// lose notes a loss, once however often it is met again.
func (t *trial) lose(what string) {
	if note := "lost: " + what; !slices.Contains(t.notes, note) {
		t.notes = append(t.notes, note)
		t.Lost++
	}
}

// compare holds a journal read back against everything that was acknowledged
// before the desk that read it was started.
func (t *trial) compare(journal []json.RawMessage) {
	missing, err := t.before.missing(journal)
	if err != nil {
		t.lose("the journal cannot be read: " + err.Error())
	}
	for _, m := range missing {
		t.lose(m)
	}
}

// judge reads the store once more with a fresh desk, which also gives back what
// the task still holds, and clears the trial away when nothing was found.
func (t *trial) judge(ctx context.Context) error {
	if err := t.audit(ctx); err != nil {
		t.stick(err.Error())
	}
	if left := host.BrowsersBelow(t.hello.Folder); len(left) > 0 {
		t.stick(fmt.Sprintf("%d browsers still run after every desk was closed", len(left)))
		t.root.endBrowsers(t.hello.Folder)
	}
	if ctx.Err() != nil || t.Clean() {
		return os.RemoveAll(t.hello.Folder)
	}
	t.kept = t.hello.Folder
	return nil
}

func (t *trial) audit(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, silenceLimit)
	defer cancel()
	p, err := t.launch(kill{})
	if err != nil {
		return err
	}
	for {
		select {
		case m, open := <-p.said:
			if !open {
				_, complaint := p.ended()
				if complaint != "" {
					return errors.New(complaint)
				}
				return nil
			}
			if m.Open == nil {
				continue
			}
			t.weigh(*m.Open)
			if err := p.tell(order{End: true}); err != nil {
				return err
			}
		case <-limited.Done():
			p.drop()
			return fmt.Errorf("the desk would not close within %s", silenceLimit)
		}
	}
}

// weigh judges the last state of the store and of the sites.
func (t *trial) weigh(tasks []told) {
	if len(tasks) == 0 {
		t.compare(nil)
		return
	}
	t.compare(tasks[0].Journal)
	c := t.sites.Counts()
	did := did(t.spec.flow, c)
	if extra := c.OrdersPaid + c.MailsSent + c.FormsSubmitted - did; extra > 0 {
		t.Unsigned += extra
		t.note("unsigned: the sites counted %d acts of another kind", extra)
	}
	if did > 1 {
		t.Doubled += did - 1
		t.note("doubled: the site counted %d", did)
	}
	if did == 0 && t.final.State == task.Done {
		t.lose("a press: the task is done and the site counted nothing")
	}
	t.Unsigned += t.unsigned(did, tasks[0].Decisions)
}

// unsigned counts presses that no signature of the person stands for.
func (t *trial) unsigned(did int, decisions []task.Decision) int {
	spent, foreign := 0, 0
	for _, dec := range decisions {
		if dec.State != task.DecisionSpent {
			continue
		}
		spent++
		if !t.signed[dec.Digest] {
			foreign++
			t.note("unsigned: decision %d was spent and never signed", dec.ID)
		}
	}
	if did > spent {
		t.note("unsigned: the site counted %d, signed were %d", did, spent)
		return foreign + did - spent
	}
	return foreign
}

const endPatience = 10 * time.Second

// endBrowsers ends what still runs on a profile below dir.
func (d *drill) endBrowsers(dir string) {
	ctx, cancel := context.WithTimeout(context.Background(), endPatience) // a clean-up of its own
	defer cancel()
	_ = host.EndBelow(ctx, dir) // what will not end is beyond a drill
}

// clear leaves nothing of a trial that was given up.
func (d *drill) clear(dir string) {
	d.endBrowsers(dir)
	_ = os.RemoveAll(dir)
}
