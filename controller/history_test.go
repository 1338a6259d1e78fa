package controller_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"countersign/controller"
	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/store"
	"countersign/store/storetest"
	"countersign/surfaces/fault"
)

// kept is a desk on a real store.
type kept struct {
	*controller.Controller
	t      *testing.T
	store  *store.Store
	path   string
	opener *controllertest.Opener
}

// inKeptDesk runs a test on a desk with a store on disk.
func inKeptDesk(t *testing.T, test func(*kept)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "desk.db")
	synctest.Test(t, func(t *testing.T) {
		k := &kept{t: t, path: path, opener: controllertest.NewOpener()}
		k.opener.Paint(dot(t))
		k.open()
		defer k.close()
		test(k)
	})
}

func (k *kept) open() {
	k.t.Helper()
	k.store = storetest.OpenAt(k.t, k.path)
	c, err := controller.New(k.t.Context(), controller.Options{Store: k.store, Runner: controllertest.NewRunner(), Opener: k.opener, Version: "test"})
	if err != nil {
		k.t.Fatal(err)
	}
	k.Controller = c
}

func (k *kept) close() {
	k.t.Helper()
	if err := k.Close(); err != nil {
		k.t.Error(err)
	}
	storetest.Close(k.t, k.store)
}

// start starts a task and gives its view once nothing moves.
func (k *kept) start(req task.StartRequest) task.View {
	k.t.Helper()
	v, err := k.StartTask(k.t.Context(), req)
	if err != nil {
		k.t.Fatal(err)
	}
	synctest.Wait()
	if v, err = k.AwaitTask(k.t.Context(), v.ID, time.Second); err != nil {
		k.t.Fatal(err)
	}
	return v
}

// page gives the ids of one page of history.
func (k *kept) page(query string, before task.ID, limit int) []task.ID {
	k.t.Helper()
	views, err := k.History(k.t.Context(), query, before, limit)
	if err != nil {
		k.t.Fatal(err)
	}
	ids := []task.ID{}
	for _, v := range views {
		ids = append(ids, v.ID)
	}
	return ids
}

// TestHistoryIsPagedSearchedAndPruned leads forty tasks into history, by
// eviction and by a restart.
func TestHistoryIsPagedSearchedAndPruned(t *testing.T) {
	inKeptDesk(t, func(k *kept) {
		for n := range 40 {
			k.start(task.StartRequest{Task: fmt.Sprintf("Letter %d to Ana", n+1), Flow: flow(write)})
		}
		waits := k.start(mail())
		check := func(when string) {
			t.Helper()
			var all []task.ID
			for before := task.ID(0); ; {
				page := k.page("", before, 16)
				if len(page) == 0 {
					break
				}
				all, before = append(all, page...), page[len(page)-1]
			}
			want := make([]task.ID, 40)
			for i := range want {
				want[i] = task.ID(40 - i)
			}
			if !slices.Equal(all, want) {
				t.Errorf("%s, page by page: %v", when, all)
			}
			if got := k.page("letter 3 TO", 0, 0); !slices.Equal(got, []task.ID{3}) {
				t.Errorf("%s, a title: %v", when, got)
			}
			if got := k.page("done", 20, 3); !slices.Equal(got, []task.ID{19, 18, 17}) {
				t.Errorf("%s, a state: %v", when, got)
			}
			if got := k.page("saturday", 0, 0); len(got) != 0 {
				t.Errorf("%s, nothing: %v", when, got)
			}
		}
		check("while the desk is open")
		k.close()
		k.open()
		check("after a restart")
		views, err := k.ListTasks(t.Context())
		if err != nil || len(views) != 1 || views[0].ID != waits.ID {
			t.Errorf("live after a restart: %+v (%v)", views, err)
		}
		within(2 * time.Hour)
		k.start(task.StartRequest{Task: "young", Flow: flow(write)})
		k.close()
		k.open()
		pruned, err := k.Prune(t.Context(), time.Hour)
		if err != nil || len(pruned) != 40 {
			t.Errorf("pruned %v (%v)", pruned, err)
		}
		if got := k.page("", 0, 0); !slices.Equal(got, []task.ID{42}) {
			t.Errorf("left %v", got)
		}
		if v := k.start(task.StartRequest{Flow: flow(write)}); v.ID != 43 {
			t.Errorf("the next id is %s", v.ID)
		}
	})
}

func TestA112_A134_EvictedFromARealStore(t *testing.T) {
	inKeptDesk(t, func(k *kept) {
		done := k.start(task.StartRequest{Flow: flow(write)})
		for range 32 {
			k.start(task.StartRequest{Task: "plan me"})
		}
		evicted := func(when string) {
			t.Helper()
			r, err := k.TaskReport(t.Context(), done.ID, true)
			if err != nil || r.View.Status.State != task.Done || len(r.Steps) != 1 || len(r.Artifacts) != 1 || uint64(len(r.Journal)) == 0 {
				t.Errorf("%s: report %+v (%v)", when, r, err)
			}
			_, await := k.AwaitTask(t.Context(), done.ID, 0)
			_, answer := k.ContinueTask(t.Context(), task.ContinueRequest{ID: done.ID, Approve: yes()})
			_, cancel := k.CancelTask(t.Context(), done.ID, "")
			for call, err := range map[string]error{"AwaitTask": await, "ContinueTask": answer, "CancelTask": cancel} {
				if fault.CodeOf(err) != fault.NoSuchTask {
					t.Errorf("%s: %s gave %v", when, call, err)
				}
			}
			if _, err := k.StartTask(t.Context(), task.StartRequest{Task: "too many"}); fault.CodeOf(err) != fault.TooManyTasks {
				t.Errorf("%s: a 33rd gave %v", when, err)
			}
		}
		evicted("while the desk is open")
		k.close()
		k.open()
		evicted("after a restart")
	})
}

func TestA126_PicturesOutliveTheDeskAndGoWithTheirTask(t *testing.T) {
	inKeptDesk(t, func(k *kept) {
		picture := func(id task.ID) string {
			t.Helper()
			r, err := k.TaskReport(t.Context(), id, true)
			if err != nil || len(r.Artifacts) != 1 {
				t.Fatalf("%s: artifacts %+v (%v)", id, r.Artifacts, err)
			}
			return r.Artifacts[0].SHA256
		}
		old := picture(k.start(task.StartRequest{Flow: flow(write)}).ID)
		within(2 * time.Hour)
		young := picture(k.start(mail()).ID)
		k.close()
		k.open()
		for _, sum := range []string{old, young} {
			if png, err := k.Picture(t.Context(), sum); err != nil || len(png) == 0 {
				t.Errorf("after a restart: %v", err)
			}
		}
		if _, err := k.Prune(t.Context(), time.Hour); err != nil {
			t.Fatal(err)
		}
		unknown := "00" + old[2:]
		for what, sum := range map[string]string{"one of a pruned task": old, "an unknown one": unknown, "no digest": "../desk.db"} {
			if _, err := k.Picture(t.Context(), sum); fault.CodeOf(err) != fault.NoSuchOutput {
				t.Errorf("%s gave %v", what, err)
			}
		}
		if _, err := k.Picture(t.Context(), young); err != nil {
			t.Errorf("that of the task that waits: %v", err)
		}
		files, err := os.ReadDir(filepath.Join(k.path+".d", "pictures"))
		if err != nil || len(files) != 1 {
			t.Errorf("files %v (%v)", files, err)
		}
	})
}
