package controller_test

import (
	"context"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"countersign/controller"
	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/store"
	"countersign/store/storetest"
	"countersign/surfaces/fault"
)

// stormEnv is how long the storm lasts, `STORM=1m`; `make storm` sets it.
const stormEnv = "STORM"

const slots = 32 // tasks.md 10.1

// storm is a controller on a real store with four callers at once.
type storm struct {
	t       *testing.T
	c       *controller.Controller
	store   *store.Store
	runner  *controllertest.Runner
	opener  *controllertest.Opener
	models  []*controllertest.Chat // planner, rescuer, shaper
	ledger  *ledger
	ticks   chan struct{} // one for each call that returned: what steps in progress wait for
	killed  map[*controllertest.Place]bool
	refused sync.Map // codes that were answered
}

// TestStorm has four callers do at random what `next` offers to 32 tasks, on
// the real store, while browsers die, models fail and the desk stops all. What
// every task went through is held to the table of tasks.md 1.7 by a watcher.
func TestStorm(t *testing.T) {
	long := 8 * time.Second
	if env := os.Getenv(stormEnv); env != "" {
		var err error
		if long, err = time.ParseDuration(env); err != nil {
			t.Fatalf("%s: %v", stormEnv, err)
		}
	}
	path := filepath.Join(fastDir(t), "desk.db")
	s := newStorm(t, path)
	s.blow(long)
	views := s.calm()
	s.presses()
	storetest.Close(t, s.store)
	s.reopened(path, views)
}

// fastDir is a folder in memory where there is one, for what is not about the
// disk and would be slow on one.
func fastDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "storm")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func newStorm(t *testing.T, path string) *storm {
	t.Helper()
	s := &storm{
		t: t, runner: controllertest.NewRunner(), opener: controllertest.NewOpener(),
		ledger: newLedger(t), ticks: make(chan struct{}), killed: map[*controllertest.Place]bool{},
	}
	for _, name := range []string{"plan", "rescue", "shape"} {
		s.models = append(s.models, controllertest.NewChat(name))
	}
	s.opener.Paint(dot(t))
	s.runner.Guard("paying for the order", payControl())
	s.runner.Save("the offers", "offers", `[{"leaves":"06:10","price":"31 EUR"}]`)
	s.runner.Before("tidy up", func(ctx context.Context) {
		select {
		case <-s.ticks:
		case <-ctx.Done():
		}
	})
	s.open(path)
	return s
}

func (s *storm) open(path string) {
	s.t.Helper()
	s.store = storetest.OpenAt(s.t, path)
	c, err := controller.New(s.t.Context(), controller.Options{
		Store: s.store, Runner: s.runner, Opener: s.opener, Version: "test",
		Planner: s.models[0], Rescuer: s.models[1], Shaper: s.models[2],
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.c = c
}

// blow lets the callers loose and reads all events meanwhile.
func (s *storm) blow(long time.Duration) {
	ctx, stop := context.WithTimeout(s.t.Context(), long)
	defer stop()
	watching, blind := context.WithCancel(s.t.Context())
	stream := s.c.Watch(watching, nil)
	var reading, calling sync.WaitGroup
	reading.Go(func() {
		for {
			entries, err := stream.Next(watching)
			if err != nil {
				return
			}
			s.ledger.read(entries)
		}
	})
	seed := rand.Uint64()
	s.t.Logf("seed %d, %v", seed, long)
	calls := make([]int, 4)
	for n := range calls {
		rnd := rand.New(rand.NewPCG(seed, uint64(n)))
		calling.Go(func() {
			for ; ctx.Err() == nil; calls[n]++ {
				if n == 0 && rnd.IntN(8) == 0 {
					s.disturb(rnd)
				}
				s.call(rnd)
				s.tick()
			}
		})
	}
	calling.Wait()
	blind()
	reading.Wait()
	s.t.Logf("calls %v", calls)
}

// tick lets one step that is in progress go on.
func (s *storm) tick() {
	select {
	case s.ticks <- struct{}{}:
	default:
	}
}

// disturb is what the world does to tasks; by the first caller only.
func (s *storm) disturb(rnd *rand.Rand) {
	pick := func(list ...string) string { return list[rnd.IntN(len(list))] }
	s.models[0].Always(pick(letter, letter, string(library().Flow), "no plan"))
	s.models[1].Always(pick(retry(0, `"a"`, write), skip(0), `{"action":"give_up","reason":"no"}`, "no"))
	s.models[2].Always(pick(fits, fits, "{}"))
	switch rnd.IntN(8) {
	case 0:
		s.runner.Fail("write the letter", failing("", "nothing happened"))
	case 1:
		s.runner.Fail("tidy up", failing(fault.NoSuchSession, "NO_SUCH_SESSION: gone"))
	case 2:
		s.runner.Fail("write the letter", flows.Result{Stop: flows.OutOfAction})
	case 3:
		s.models[rnd.IntN(3)].Hang()
	case 4:
		s.models[rnd.IntN(3)].Fail("the server is down")
	case 5:
		if _, err := s.c.Halt(s.t.Context(), rnd.IntN(2) == 0); err != nil {
			s.t.Errorf("Halt: %v", err)
		}
	default:
		s.wound(rnd)
	}
}

// wound shows one task a wall, or kills its browser.
func (s *storm) wound(rnd *rand.Rand) {
	views := s.list()
	if len(views) == 0 {
		return
	}
	p := s.opener.Place(views[rnd.IntN(len(views))].ID.String())
	switch {
	case p == nil || s.killed[p]:
	case rnd.IntN(2) == 0:
		p.Show("captcha")
	default:
		s.killed[p] = true
		p.Die()
	}
}

func (s *storm) list() []task.View {
	views, err := s.c.ListTasks(s.t.Context())
	if err != nil {
		s.t.Error(err)
	}
	if len(views) > slots {
		s.t.Errorf("%d live tasks", len(views))
	}
	return views
}

// call starts a task, or does with one of them what its next offers.
func (s *storm) call(rnd *rand.Rand) {
	views := s.list()
	if len(views) == 0 || rnd.IntN(len(views)+1) < 2 || len(views) < slots && rnd.IntN(2) == 0 {
		s.start(rnd, views)
		return
	}
	v := views[rnd.IntN(len(views))]
	op := v.Next[rnd.IntN(len(v.Next))]
	var err error
	switch op {
	case task.OpStart:
		s.start(rnd, views)
		return
	case task.OpAwait:
		_, err = s.c.AwaitTask(s.t.Context(), v.ID, 5*time.Millisecond)
	case task.OpContinue:
		if rnd.IntN(4) == 0 {
			_, _ = s.c.Look(s.t.Context(), v.ID) // not offered by next: only that it does no harm
		}
		_, err = s.c.ContinueTask(s.t.Context(), answerTo(v, rnd))
	case task.OpCancel:
		_, err = s.c.CancelTask(s.t.Context(), v.ID, []string{"", task.Paid, task.NotPaid}[rnd.IntN(3)])
	case task.OpReport:
		_, err = s.c.TaskReport(s.t.Context(), v.ID, true)
	}
	s.judge(op, v, err)
}

// start may be refused only when there was no final task whose slot it could
// take: one that was live and final before and after would have given it.
func (s *storm) start(rnd *rand.Rand, before []task.View) {
	reqs := []task.StartRequest{
		mail(), library(),
		{Task: "plan me"},
		{Flow: flow(write, payment)},
		{Flow: flow(open, tidy)},
		shapedTask(),
		{Flow: flow(tidy, guard, tidy), Constraints: task.Constraints{AllowDestructive: true}},
	}
	_, err := s.c.StartTask(s.t.Context(), reqs[rnd.IntN(len(reqs))])
	if err == nil {
		return
	}
	s.refused.Store(fault.CodeOf(err), true)
	if fault.CodeOf(err) != fault.TooManyTasks {
		s.t.Errorf("StartTask: %v", err)
	}
	final := map[task.ID]bool{}
	for _, v := range before {
		final[v.ID] = v.Status.IsFinal()
	}
	for _, v := range s.list() {
		if final[v.ID] {
			s.t.Errorf("StartTask: %v, though %s was final all the while", err, v.ID)
		}
	}
}

// judge takes an error only from a call that came too late: the task had moved
// on from the view the caller followed.
func (s *storm) judge(op string, v task.View, err error) {
	if err == nil {
		return
	}
	code := fault.CodeOf(err)
	s.refused.Store(code, true)
	now := s.list()
	at := slices.IndexFunc(now, func(w task.View) bool { return w.ID == v.ID })
	switch {
	case at < 0 && code == fault.NoSuchTask:
	case at >= 0 && now[at].Revision == v.Revision:
		s.t.Errorf("%s of %s in %s: %v", op, v.ID, v.Status.State, err)
	case !slices.Contains([]fault.Code{fault.NotWaiting, fault.StaleApproval, fault.InvalidRequest, fault.NotContinuable, fault.NoSuchTask}, code):
		s.t.Errorf("%s of %s in %s, which moved on: %v", op, v.ID, v.Status.State, err)
	}
}

// calm closes the controller, reads what of the journals the watcher was not
// given any more, and gives the last views.
func (s *storm) calm() map[task.ID]task.View {
	s.t.Helper()
	close(s.ticks)
	if err := s.c.Close(); err != nil {
		s.t.Error(err)
	}
	views := map[task.ID]task.View{}
	for _, v := range s.list() {
		views[v.ID] = v
	}
	last, err := s.store.Allocate()
	if err != nil {
		s.t.Fatal(err)
	}
	for id := range last - 1 {
		s.settle(id+1, views)
	}
	s.t.Logf("%d tasks, moves %v", last-1, s.ledger.taken)
	s.refused.Range(func(code, _ any) bool { s.t.Logf("was refused with %s", code); return true })
	return views
}

// settle reads a task's journal to its end; where it is no longer live its
// stored view is its last.
func (s *storm) settle(id task.ID, views map[task.ID]task.View) {
	s.t.Helper()
	rec, err := s.store.Record(id)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, live := views[id]; !live {
		views[id] = rec.View
	}
	rest, err := s.store.Entries(id, s.ledger.last(id), 0)
	if err != nil {
		s.t.Fatal(err)
	}
	s.ledger.read(rest)
	if got := s.ledger.last(id); got != rec.Seq {
		s.t.Errorf("%s: %d entries, its record says %d", id, got, rec.Seq)
	}
}

// presses holds every press to a record of its own, and every signed one to a
// signature of its own.
func (s *storm) presses() {
	s.t.Helper()
	made := map[string]int{}
	for _, ev := range s.runner.Presses() {
		made[ev.Task]++
	}
	total := 0
	for id, a := range s.ledger.tasks {
		presses, err := s.store.Presses(id)
		if err != nil {
			s.t.Fatal(err)
		}
		if len(presses) != made[id.String()] {
			s.t.Errorf("%s: %d presses, %d recorded", id, made[id.String()], len(presses))
		}
		total += len(presses)
		s.signed(id, a, presses)
	}
	s.t.Logf("%d presses", total)
}

func (s *storm) signed(id task.ID, a *account, presses []task.Press) {
	s.t.Helper()
	rec, err := s.store.Record(id)
	if err != nil {
		s.t.Fatal(err)
	}
	used := map[uint64]bool{}
	for _, p := range presses {
		if p.Decision == 0 && rec.Request.Constraints.AllowDestructive {
			continue
		}
		if used[p.Decision] || a.decisions[p.Decision] != task.DecisionSpent {
			s.t.Errorf("%s: press %d by decision %d, which is %q", id, p.Seq, p.Decision, a.decisions[p.Decision])
		}
		used[p.Decision] = true
	}
}

// reopened compares what another start shows with what was last seen.
func (s *storm) reopened(path string, want map[task.ID]task.View) {
	s.t.Helper()
	s.open(path)
	live := s.list()
	for _, v := range live {
		s.same(v, want[v.ID])
		delete(want, v.ID)
	}
	for _, id := range slices.Sorted(maps.Keys(want)) {
		if v := want[id]; !v.Status.IsFinal() {
			s.t.Errorf("%s was %s and is not live any more", id, v.Status.State)
		}
		rec, err := s.store.Record(id)
		if err != nil {
			s.t.Fatal(err)
		}
		s.same(rec.View, want[id])
	}
	if err := s.c.Close(); err != nil {
		s.t.Error(err)
	}
}

func (s *storm) same(got, want task.View) {
	s.t.Helper()
	g, _ := json.Marshal(got)
	w, _ := json.Marshal(want)
	if string(g) != string(w) {
		s.t.Errorf("another start shows\n%s\nwant\n%s", g, w)
	}
}
