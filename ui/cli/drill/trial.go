package drill

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/demosite"
	"countersign/surfaces/fault"
)

const (
	// A task is stuck when its desk says nothing for so long, or never comes to
	// an end. A flow takes some seconds on two quiet cores; with 40 processes
	// waiting for them it took half a minute.
	silenceLimit = 2 * time.Minute
	trialLimit   = 10 * time.Minute
	// siteDelay lets a press be under way for a while, as on a real site.
	siteDelay = 20 * time.Millisecond
)

// spec is one trial: a flow, and when its desk is killed; the child after the
// last kill lives.
type spec struct {
	flow  string
	kind  string // row of the table
	kills []kill
}

// outcome is what came of a trial.
type outcome struct {
	spec   spec
	kills  int
	writes int // of the first child
	took   time.Duration
	final  task.Status
	Verdict
	notes []string
	kept  string // the folder, when something was found
}

// trial is one task in one store on sites of its own.
type trial struct {
	outcome
	root   *drill
	hello  hello
	sites  *demosite.Sites
	known  acknowledged
	before acknowledged    // known when the present child was started
	signed map[string]bool // digests the person approved
	asked  task.View       // an unknown outcome that is being looked at
}

// run goes through all lives of the trial's desk and judges what is left.
func (d *drill) run(ctx context.Context, s spec) (outcome, error) {
	dir, token, err := newTrial(d.folder, s.flow)
	if err != nil {
		return outcome{}, err
	}
	sites, err := demosite.Start(ctx, demosite.Options{Delay: siteDelay})
	if err != nil {
		return outcome{}, err
	}
	defer func() { _ = sites.Close() }()
	request, err := demosite.RequestFor(s.flow, sites.Addresses())
	if err != nil {
		return outcome{}, err
	}
	t := &trial{
		outcome: outcome{spec: s}, root: d, sites: sites, known: newAcknowledged(), signed: map[string]bool{},
		hello: hello{Folder: dir, Token: token, Sites: request.Origins, Executable: d.Executable},
	}
	began := time.Now()
	limited, cancel := context.WithTimeout(ctx, trialLimit)
	defer cancel()
	err = t.lives(limited, request)
	t.took = time.Since(began)
	if ctx.Err() != nil {
		d.clear(dir)
		return t.outcome, ctx.Err()
	}
	if err != nil {
		t.stick(err.Error())
	}
	return t.outcome, t.judge(ctx)
}

// lives starts one child after the other until the task is final.
func (t *trial) lives(ctx context.Context, r demosite.Request) error {
	for n := 0; ; n++ {
		k := kill{}
		if n < len(t.spec.kills) && t.root.take() {
			k = t.spec.kills[n]
		}
		killed, err := t.live(ctx, k, r, n == 0)
		if k.When != never && !killed {
			t.root.giveBack()
		}
		if err != nil || !killed {
			return err
		}
		t.kills++
	}
}

// live is one child's life; true when it was killed.
func (t *trial) live(ctx context.Context, k kill, r demosite.Request, first bool) (bool, error) {
	p, err := t.launch(k)
	if err != nil {
		return false, err
	}
	for {
		select {
		case <-time.After(silenceLimit):
			p.drop()
			return false, fmt.Errorf("silent for %s, %s", silenceLimit, describe(t.final))
		case m, open := <-p.said:
			if !open {
				killed, complaint := p.ended()
				if complaint != "" {
					return false, errors.New(complaint)
				}
				return killed, nil
			}
			if m.Write != nil && first {
				t.writes = m.Write.N
			}
			if err := t.hear(p, m, r); err != nil {
				p.drop()
				return false, err
			}
		case <-p.fatal:
			p.fatal = nil
			p.kill()
		case <-ctx.Done():
			p.drop()
			return false, fmt.Errorf("not final after %s, %s", trialLimit, describe(t.final))
		}
	}
}

func (t *trial) launch(k kill) (*process, error) {
	t.before = t.known.clone()
	h := t.hello
	h.Kill = k
	return launch(h)
}

// hear takes one message of a child and does what a person would.
func (t *trial) hear(p *process, m message, r demosite.Request) error {
	switch {
	case m.Open != nil:
		return t.opened(p, *m.Open, r)
	case m.Write != nil:
		for _, e := range m.Write.Entries {
			if err := t.known.entry(e); err != nil {
				return err
			}
		}
		return nil
	case m.Entry != nil:
		return t.event(p, m.Entry)
	case m.Looked:
		return t.saw(p)
	case m.View != nil:
		if err := t.known.view(m.View); err != nil {
			return err
		}
		return t.shown(p, m.View)
	case m.Refused != nil && m.Refused.Code != fault.NotWaiting && m.Refused.Code != fault.StaleApproval:
		return m.Refused
	}
	return nil // the question had moved on; its next view says where
}

// opened finds the task of the trial again, or starts it when the desk died
// before it had said that there is one.
func (t *trial) opened(p *process, tasks []told, r demosite.Request) error {
	if len(tasks) > 1 {
		return fmt.Errorf("%d tasks where one was started", len(tasks))
	}
	if len(tasks) == 0 {
		t.compare(nil)
		start := startOf(r)
		return p.tell(order{Start: &start})
	}
	t.compare(tasks[0].Journal)
	return t.shown(p, tasks[0].View)
}

func (t *trial) event(p *process, raw json.RawMessage) error {
	if err := t.known.entry(raw); err != nil {
		return err
	}
	var e struct {
		View json.RawMessage `json:"view"`
	}
	if err := json.Unmarshal(raw, &e); err != nil || e.View == nil {
		return err
	}
	return t.shown(p, e.View)
}

// startOf is the demo's task as the desk starts it, with a card that no bank
// gave out (the test number of ISO/IEC 7812 check sums).
func startOf(r demosite.Request) task.StartRequest {
	start := task.StartRequest{
		Task: r.Task, Flow: r.Flow, Facts: map[string]string{},
		Constraints: task.Constraints{Origins: r.Origins, Payment: flows.Payment(r.Payment), Surfaces: []string{"browser"}},
	}
	for name, v := range r.Facts {
		start.Facts[name] = v
	}
	if start.Constraints.Payment == flows.FillThenApprove {
		for name, v := range card() {
			start.Facts[name] = v
			start.SecretFacts = append(start.SecretFacts, name)
		}
	}
	return start
}
