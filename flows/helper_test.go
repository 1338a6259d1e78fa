package flows_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"countersign/flows"
	"countersign/flows/decider"
	"countersign/flows/facts"
	"countersign/flows/flowstest"
	"countersign/surfaces"
	"countersign/surfaces/surfacetest"
)

const site = "https://site.test/"

// stage is one run's cast: a browser that shows one page, a scripted decider,
// and what the observer saw. Runs happen in a bubble, so waits cost nothing.
type stage struct {
	*testing.T
	fake *surfacetest.Fake
	d    *flowstest.Decider
	req  flows.Request
	told *ear
}

// ear is an Observer that keeps all it hears.
type ear struct {
	steps     []flows.StepReport
	seen      []flows.Seen
	exchanges []flows.Exchange
}

func (e *ear) Step(r flows.StepReport)   { e.steps = append(e.steps, r) }
func (e *ear) Seen(s flows.Seen)         { e.seen = append(e.seen, s) }
func (e *ear) Exchange(x flows.Exchange) { e.exchanges = append(e.exchanges, x) }

// on runs test against a page built by build.
func on(t *testing.T, build func() *surfacetest.Page, test func(s *stage)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := surfacetest.New(surfaces.Browser)
		f.Serve(site, build)
		f.Do(func(a *surfacetest.App) { a.Go(site) })
		told := &ear{}
		test(&stage{
			T: t, fake: f, d: flowstest.New(), told: told,
			req: flows.Request{IncludeValues: true, Observer: told, Flow: flows.Flow{App: "browser"}},
		})
	})
}

// page is a page of elements.
func page(elements ...*surfacetest.Element) func() *surfacetest.Page {
	return func() *surfacetest.Page {
		copies := make([]*surfacetest.Element, len(elements))
		for i, e := range elements {
			c := *e
			copies[i] = &c
		}
		return &surfacetest.Page{Title: "A page", Elements: copies}
	}
}

func do(text string) flows.Step { return flows.Step{Kind: flows.KindDo, Text: text} }

func step(kind flows.Kind, text string) flows.Step { return flows.Step{Kind: kind, Text: text} }

func enter(pairs ...string) flows.Step {
	s := flows.Step{Kind: flows.KindEnter}
	for i := 0; i+1 < len(pairs); i += 2 {
		s.Slots = append(s.Slots, flows.Slot{Name: pairs[i], Text: pairs[i+1]})
	}
	return s
}

// run runs steps and returns the result.
func (s *stage) run(steps ...flows.Step) flows.Result {
	s.Helper()
	return s.runIn(s.Context(), steps...)
}

func (s *stage) runIn(ctx context.Context, steps ...flows.Step) flows.Result {
	s.Helper()
	s.req.Flow.Steps = steps
	return flows.NewRunner(s.d).Run(ctx, s.fake, s.req)
}

// with gives the run facts, the named ones secret.
func (s *stage) with(values map[string]string, secret ...string) {
	s.Helper()
	set, err := facts.New(values, secret)
	if err != nil {
		s.Fatal(err)
	}
	s.req.Facts = set
}

// wantStop checks how a run ended and hands back its last report.
func (s *stage) wantStop(res flows.Result, stop flows.Stop) {
	s.Helper()
	if res.Stop != stop {
		s.Fatalf("the run ended %q (%s), want %q; reports %+v", res.Stop, res.Reason, stop, res.Steps)
	}
}

func (s *stage) wantOutcome(res flows.Result, i int, want flows.Outcome) {
	s.Helper()
	if i >= len(res.Steps) || res.Steps[i].Outcome != want {
		s.Fatalf("reports %+v, want number %d to be %q", res.Steps, i, want)
	}
}

func (s *stage) wantClicks(on string, want int) {
	s.Helper()
	if got := s.fake.Count("click", on); got != want {
		s.Errorf("%s was clicked %d times, want %d", on, got, want)
	}
}

func (s *stage) wantNote(res flows.Result, words ...string) {
	s.Helper()
	for _, w := range words {
		if !strings.Contains(res.Reason, w) {
			s.Errorf("the reason is %q, want %q in it", res.Reason, w)
		}
	}
}

// offeredNames are the names offered by the questions whose id begins so.
func (s *stage) offeredNames(id string) []string {
	var names []string
	for _, q := range s.d.Asked(id) {
		for _, o := range q.Options {
			if !slices.Contains(names, o.Name) {
				names = append(names, o.Name)
			}
		}
	}
	return names
}

// button adds a line when pressed, so that the press shows.
func button(name string) *surfacetest.Element {
	return surfacetest.Button(name, func(a *surfacetest.App) { a.Add(surfacetest.Text("pressed " + name)) })
}

// dead is a button whose press changes nothing.
func dead(name string) *surfacetest.Element {
	return surfacetest.Button(name, func(*surfacetest.App) {})
}

// dump writes every string in all, also of fields that no JSON holds, so that a
// test can search all of it.
func dump(all ...any) string {
	var b strings.Builder
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			b.WriteString(v.String() + "\n")
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Map:
			for _, key := range v.MapKeys() {
				walk(key)
				walk(v.MapIndex(key))
			}
		}
	}
	walk(reflect.ValueOf(all))
	return b.String()
}

// shares gives the options of a choice their probabilities by key.
func shares(p map[string]float64) flowstest.Reply {
	return func(decider.Question, decider.State) (decider.Answer, bool) {
		best := decider.None
		for key, share := range p {
			if share > p[best] {
				best = key
			}
		}
		return decider.Answer{Choice: best, Probabilities: p}, true
	}
}
