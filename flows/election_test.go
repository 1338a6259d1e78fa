package flows

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"countersign/flows/decider"
)

// paced answers the n-th request, from 1, after a while with a probability.
type paced struct {
	after  func(n int) time.Duration
	answer func(n int) float64

	mu                sync.Mutex // guards the rest
	asked, open, most int
}

func (p *paced) Evaluate(ctx context.Context, _ decider.Request) (decider.Answers, error) {
	p.mu.Lock()
	p.asked++
	n := p.asked
	p.open++
	p.most = max(p.most, p.open)
	p.mu.Unlock()
	defer func() { p.mu.Lock(); p.open--; p.mu.Unlock() }()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(p.after(n)):
		return decider.Answers{"q": {P: p.answer(n)}}, nil
	}
}

func (*paced) Framings() bool { return true }
func (*paced) Name() string   { return "paced" }

// heard keeps the exchanges of a run.
type heard struct{ all []Exchange }

func (*heard) Step(StepReport)           {}
func (*heard) Seen(Seen)                 {}
func (h *heard) Exchange(e Exchange)     { h.all = append(h.all, e) }
func always(p float64) func(int) float64 { return func(int) float64 { return p } }

// asking has a step ask one yes or no in a bubble, hands over what came of it
// and then ends the run.
func asking(t *testing.T, p *paced, votes int, line string, then func(s *step, h *heard, d *decision, took time.Duration)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		h := &heard{}
		r := newRun(nil, p, Request{Votes: votes, Trace: true, Observer: h})
		defer r.close(cancel)
		s := &step{run: r, path: "1", report: &StepReport{}}
		req := decider.Request{State: decider.State{VisibleText: []string{line}}, Questions: questions{"q": noul(decider.AskHolds, "", "Is it so?")}}
		start := time.Now()
		d, err := s.decide(ctx, req, s.votes())
		if err != nil {
			t.Fatal(err)
		}
		then(s, h, d, time.Since(start))
	})
}

func TestFL29_TheLastTwoAreNotWaitedFor(t *testing.T) {
	slowLast := func(n int) time.Duration { return time.Duration(max(0, n-5)) * time.Second }
	for _, tt := range []struct {
		name   string
		votes  int
		answer func(int) float64
		took   time.Duration
	}{
		{"unanimous", 7, always(0.97), 0},
		{"unanimous about no", 7, always(0.08), 0},
		{"not sure enough", 7, always(0.95), 2 * time.Second},
		{"one against", 7, func(n int) float64 { return map[bool]float64{true: 0.05, false: 0.99}[n == 3] }, 2 * time.Second},
		{"too few to leave any out", 6, always(0.99), time.Second},
		{"nine leave out two", 9, always(0.99), 2 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &paced{after: slowLast, answer: tt.answer}
			asking(t, p, tt.votes, "", func(s *step, h *heard, d *decision, took time.Duration) {
				if took != tt.took {
					t.Errorf("it took %v, want %v", took, tt.took)
				}
				late := 0
				for _, b := range d.ballots {
					if b == nil {
						late++
					}
				}
				time.Sleep(10 * time.Second)
				s.latecomers()
				if s.result.Calls != tt.votes || p.asked != tt.votes {
					t.Errorf("%d calls counted and %d asked, want %d", s.result.Calls, p.asked, tt.votes)
				}
				recorded := 0
				for _, e := range h.all {
					if e.Late {
						recorded++
					}
				}
				if len(h.all)-recorded != 1 || recorded != late {
					t.Errorf("%d decisions and %d of %d late framings recorded", len(h.all)-recorded, recorded, late)
				}
				if want := map[time.Duration]int{0: 2}[tt.took]; tt.votes == 7 && late != want {
					t.Errorf("%d left out, want %d", late, want)
				}
			})
		})
	}
}

// TestNothingOutlivesTheRun: what still runs is ended with the run, and waited
// for. The bubble fails when a goroutine is left.
func TestNothingOutlivesTheRun(t *testing.T) {
	p := &paced{after: func(n int) time.Duration { return time.Duration(max(0, n-5)) * time.Hour }, answer: always(0.99)}
	asking(t, p, 7, "", func(_ *step, _ *heard, _ *decision, took time.Duration) {
		if took != 0 {
			t.Errorf("it took %v", took)
		}
	})
	if p.open != 0 {
		t.Errorf("%d still run", p.open)
	}
}

func TestFL119_TheFirstOfTwoCopiesCounts(t *testing.T) {
	for _, tt := range []struct {
		name   string
		after  map[int]time.Duration // of the third framing, and of its copy, number 4
		took   time.Duration
		answer float64
	}{
		{"the copy is first", map[int]time.Duration{3: 20 * time.Second, 4: time.Second}, 5 * time.Second, 0.1},
		{"the framing itself is first", map[int]time.Duration{3: 5 * time.Second, 4: 20 * time.Second}, 5 * time.Second, 0.9},
		{"fast enough to need none", map[int]time.Duration{3: 3 * time.Second}, 3 * time.Second, 0.9},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &paced{after: func(n int) time.Duration { return tt.after[n] }, answer: func(n int) float64 { return map[bool]float64{true: 0.1, false: 0.9}[n == 4] }}
			asking(t, p, 3, "", func(s *step, h *heard, d *decision, took time.Duration) {
				if took != tt.took {
					t.Errorf("it took %v, want %v", took, tt.took)
				}
				if want := (0.9 + 0.9 + tt.answer) / 3; d.answers["q"].P < want-rounding || d.answers["q"].P > want+rounding {
					t.Errorf("merged to %v, want %v", d.answers["q"].P, want)
				}
				if s.result.Calls != 3 || p.asked != 2+len(tt.after) {
					t.Errorf("%d calls counted and %d asked", s.result.Calls, p.asked)
				}
				time.Sleep(time.Minute)
				s.latecomers()
				if len(h.all) != 1 || len(s.late) != 0 {
					t.Errorf("%d decisions recorded, %d still open", len(h.all), len(s.late))
				}
			})
		})
	}
}

func TestHedgingKeepsToTwoCopiesAndWaitsLongerForLargeRequests(t *testing.T) {
	for name, tt := range map[string]struct {
		line       string
		slow, took time.Duration
		most       int
	}{
		"small":                {"", 30 * time.Second, 30 * time.Second, 7},
		"done before a copy":   {"", 4*time.Second - time.Millisecond, 4*time.Second - time.Millisecond, 5},
		"large, before 5 s":    {strings.Repeat("x", 22000), 4500 * time.Millisecond, 4500 * time.Millisecond, 5},
		"large, later than it": {strings.Repeat("x", 22000), 10 * time.Second, 10 * time.Second, 7},
	} {
		t.Run(name, func(t *testing.T) {
			p := &paced{after: func(int) time.Duration { return tt.slow }, answer: always(0.5)}
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				e := newElection(p, "1")
				text := "Is it so?" + strings.Repeat("y", len(tt.line)/2)
				e.parts = []*part{{request: decider.Request{State: decider.State{VisibleText: []string{tt.line}}, Questions: questions{"q": noul(decider.AskHolds, "", text)}}}}
				start := time.Now()
				e.hold(ctx, 0, 5)
				took := time.Since(start)
				cancel()
				for e.open > 0 {
					e.count(<-e.replies)
				}
				if took != tt.took || p.most != tt.most {
					t.Errorf("took %v with %d at once, want %v and %d", took, p.most, tt.took, tt.most)
				}
			})
		})
	}
}

// TestAFailedFramingIsLeftOut: the others decide; only when all fail does the
// step.
func TestAFailedFramingIsLeftOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRun(nil, failing{after: 2}, Request{Votes: 5})
		s := &step{run: r, path: "1", report: &StepReport{}}
		d, err := s.decide(t.Context(), decider.Request{Questions: questions{"q": noul(decider.AskHolds, "", "Is it so?")}}, s.votes())
		if err != nil || d.answers["q"].P != 1 {
			t.Errorf("%v, %v", d, err)
		}
	})
}

// failing fails in every framing but the after-th.
type failing struct{ after int }

func (f failing) Evaluate(_ context.Context, req decider.Request) (decider.Answers, error) {
	if strings.HasSuffix(req.Questions["q"].Instructions, perspectives[f.after]) {
		return decider.Answers{"q": {P: 1}}, nil
	}
	return nil, context.DeadlineExceeded
}
func (failing) Framings() bool { return true }
func (failing) Name() string   { return "failing" }

func TestEvidenceGate(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lead  lead
		floor float64
		want  call
	}{
		{"FL-101 clear", lead{"1", 0.75, 0.30, 0.85}, barAct, accepted},
		{"at every bar", lead{"1", 0.70, 0.25, 0.80}, barAct, accepted},
		{"under the floor", lead{"1", 0.69, 0.40, 1}, barAct, torn},
		{"too close", lead{"1", 0.70, 0.24, 1}, barAct, torn},
		{"framings disagree", lead{"1", 0.75, 0.50, 0.79}, barAct, torn},
		{"none wins", lead{decider.None, 0.9, 0.8, 1}, barAct, abstained},
		{"lost", lead{"1", 0.19, 0.01, 0.39}, barAct, abstained},
		{"weak and of one mind", lead{"1", 0.19, 0.01, 0.40}, barAct, torn},
	} {
		if got := tt.lead.gate(tt.floor); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestFramingsTurnTheOptions: each framing has another option lead, in another
// order and key style, and its answers come back under the request's keys.
func TestFramingsTurnTheOptions(t *testing.T) {
	var options []decider.Option
	for i := range 8 {
		options = append(options, decider.Option{Key: numberKey(i), Name: fmt.Sprint("control ", i)})
	}
	req := decider.Request{Questions: questions{"q": choice(decider.AskTarget, "", "", "Which?", options), "w": choice(decider.AskMove, "", "", "Which?", fixed("wait", "scroll"))}}
	orders := map[string]bool{}
	for n := range capVotes {
		framed, back := frame(req, n)
		got := framed.Questions["q"].Options
		if got[0].Name != options[n%8].Name {
			t.Errorf("framing %d is led by %s", n, got[0].Name)
		}
		if letters := got[0].Key == "A"; letters != (n%2 == 1) {
			t.Errorf("framing %d is keyed %s", n, got[0].Key)
		}
		order := ""
		for _, o := range got {
			order += o.Name
			a := back(decider.Answers{"q": {Choice: o.Key, Probabilities: map[string]float64{o.Key: 1}}})["q"]
			if want := options[strings.Index("01234567", o.Name[len(o.Name)-1:])].Key; a.Choice != want || a.Probabilities[want] != 1 {
				t.Errorf("framing %d: %s came back as %+v", n, o.Name, a)
			}
		}
		orders[order] = true
		if n%2 == 1 { // "1" is a key of the request and none of this framing
			if a := back(decider.Answers{"q": {Choice: "1", Probabilities: map[string]float64{"1": 1}}})["q"]; a.Choice != "" || len(a.Probabilities) != 0 {
				t.Errorf("framing %d: an unoffered key came back as %+v", n, a)
			}
		}
		if words := framed.Questions["w"].Options; words[0].Key != "wait" || words[1].Key != "scroll" {
			t.Errorf("framing %d changed word keys to %v", n, words)
		}
		if !strings.HasSuffix(framed.Questions["q"].Instructions, perspectives[n]) || len(perspectives[n]) >= longestPerspective {
			t.Errorf("framing %d lacks its perspective, or it is too long", n)
		}
	}
	if len(orders) != capVotes {
		t.Errorf("%d orders in %d framings", len(orders), capVotes)
	}
}

// TestNoFramingIsOversize: whatever a page holds, no request is over the limit.
func TestNoFramingIsOversize(t *testing.T) {
	huge := strings.Repeat("ünïcödé ", 20000)
	var options []decider.Option
	for i := range 20 {
		options = append(options, decider.Option{Key: numberKey(i), Text: huge[:2400]})
	}
	for name, req := range map[string]decider.Request{
		"one huge text":     {Questions: questions{"q": choice(decider.AskTarget, "", "", "Which?", []decider.Option{{Key: "1", Text: huge}})}},
		"a huge brief":      {Questions: questions{"q": choice(decider.AskTarget, "", "", "Which?\nBrief: "+huge, options)}},
		"just at the limit": {State: decider.State{Elements: []string{huge[:20000]}}, Questions: questions{"a": choice(decider.AskTarget, "", "", "Which?", options[:10]), "b": noul(decider.AskHolds, "", "Is it so?")}},
	} {
		for i, part := range deal(req) {
			for n := range capVotes {
				framed, _ := frame(part, n)
				if b, err := json.Marshal(framed); err != nil || len(b) > requestLimit {
					t.Errorf("%s: part %d in framing %d has %d bytes, %v", name, i, n, len(b), err)
				}
			}
		}
	}
	if !strings.HasPrefix(options[0].Text, "ün") || len(options[0].Text) != 2400 {
		t.Error("the request's own texts were cut")
	}
}
