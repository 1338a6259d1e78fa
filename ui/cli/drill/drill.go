package drill

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"countersign/controller/task"
	"countersign/surfaces/fault"
)

// Options say how much is drilled.
type Options struct {
	Kills      int      // bounds the whole; at least 1
	Seed       uint64   // of every random instant
	Flows      []string // some of Flows; empty: all of them
	Executable string   // of the browser; empty: found in PATH
	// Told hears of each finished trial, one after the other; kills is how many
	// there were so far.
	Told func(kills int)
}

// Row is a line of the table.
type Row struct {
	Flow, Kind   string
	Trials       int
	Kills        int
	Done, Failed int // how the tasks ended
	Verdict
}

// Found is a trial in which something was found.
type Found struct {
	Flow, Kind string
	Notes      []string
	Folder     string // what is left of it
}

// Summary is what a drill came to.
type Summary struct {
	Kills int `json:"kills"`
	Verdict
	Rows   []Row         `json:"-"`
	Found  []Found       `json:"-"`
	Failed []string      `json:"-"` // why tasks ended as failed, one line each
	Took   time.Duration `json:"-"`
}

// mostJobs bounds the trials at one time: each has a browser and a desk.
const mostJobs = 4

// rounds bounds how often random trials are drawn when kills came too late to
// hit anything.
const rounds = 6

// drill is one drill under way.
type drill struct {
	Options
	folder string // holds the folders of the trials

	mu      sync.Mutex // guards the rest
	left    int        // kills that may still be planned
	rows    map[string]*Row
	summary Summary
}

// Run drills, which takes about a second for each kill. The error is the
// machine's, such as BROWSER_UNAVAILABLE, ctx's own, or INTERNAL when a flow
// does not even come to its end undisturbed. Nothing is left running; a folder
// stays only where something was found.
func Run(ctx context.Context, o Options) (Summary, error) {
	folder, err := os.MkdirTemp("", folderPrefix)
	if err != nil {
		return Summary{}, fault.Wrap(fault.StoreReadOnly, err, "no folder can be made for the drill").
			WithHint("Let TMPDIR name a folder that can be written.")
	}
	if len(o.Flows) == 0 {
		o.Flows = Flows()
	}
	d := &drill{Options: o, folder: folder, left: o.Kills, rows: map[string]*Row{}}
	began := time.Now()
	err = d.all(ctx)
	d.endBrowsers(folder)
	if len(d.summary.Found) == 0 {
		err = errors.Join(err, os.RemoveAll(folder))
	}
	d.summary.Took = time.Since(began)
	for _, flow := range d.Flows {
		for _, kind := range kinds() {
			if r := d.rows[flow+kind]; r != nil {
				d.summary.Rows = append(d.summary.Rows, *r)
			}
		}
	}
	return d.summary, err
}

func (d *drill) all(ctx context.Context) error {
	flows, err := d.measure(ctx)
	if err != nil {
		return err
	}
	if err := d.each(ctx, plan(d.Kills, d.Seed, flows), d.record); err != nil {
		return err
	}
	drawn := 0
	for range rounds {
		var specs []spec
		for planned := 0; planned < d.budget(); drawn++ {
			s := anywhere(d.Seed, drawn, flows)
			specs = append(specs, s)
			planned += len(s.kills)
		}
		if err := d.each(ctx, specs, d.record); err != nil {
			return err
		}
	}
	return nil
}

// measure runs every flow once without a kill.
func (d *drill) measure(ctx context.Context) ([]measured, error) {
	var specs []spec
	for _, name := range d.Flows {
		specs = append(specs, spec{flow: name, kind: kindNone})
	}
	var flows []measured
	err := d.each(ctx, specs, func(o outcome) error {
		if o.final.State != task.Done || !o.Clean() {
			_ = d.record(o)
			return fault.Newf(fault.Internal, "%s does not come to its end undisturbed: %s", o.spec.flow,
				strings.Join(append([]string{describe(o.final)}, o.notes...), "; "))
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		flows = append(flows, measured{o.spec.flow, o.writes, o.took})
		return nil
	})
	slices.SortFunc(flows, func(a, b measured) int { return strings.Compare(a.flow, b.flow) }) // they ended in any order
	return flows, err
}

// each runs trials, some at a time, until one cannot be run or ended refuses
// what came of it.
func (d *drill) each(ctx context.Context, specs []spec, ended func(outcome) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	todo := make(chan spec)
	var work sync.WaitGroup
	for range min(runtime.NumCPU(), mostJobs) {
		work.Go(func() { // ends when todo is closed
			for s := range todo {
				o, err := d.run(ctx, s)
				if err == nil {
					err = ended(o)
				}
				if err != nil {
					stop(err)
					return
				}
			}
		})
	}
	for _, s := range specs {
		select {
		case todo <- s:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(todo)
	work.Wait()
	return context.Cause(ctx)
}

// take gives a kill, while there are some left; giveBack returns one that came
// too late.
func (d *drill) take() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.left == 0 {
		return false
	}
	d.left--
	return true
}

func (d *drill) giveBack() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left++
}

func (d *drill) budget() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.left
}

// record adds an outcome to the table.
func (d *drill) record(o outcome) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	key := o.spec.flow + o.spec.kind
	r := d.rows[key]
	if r == nil {
		r = &Row{Flow: o.spec.flow, Kind: o.spec.kind}
		d.rows[key] = r
	}
	r.Trials++
	r.Kills += o.kills
	r.Verdict = r.plus(o.Verdict)
	switch {
	case o.final.State == task.Done:
		r.Done++
	case o.final.IsFinal():
		r.Failed++
		d.summary.Failed = append(d.summary.Failed, fmt.Sprintf("%s, killed %s: %s", o.spec.flow, o.spec.where(), describe(o.final)))
	}
	d.summary.Kills += o.kills
	d.summary.Verdict = d.summary.plus(o.Verdict)
	if !o.Clean() {
		d.summary.Found = append(d.summary.Found, Found{o.spec.flow, o.spec.kind + ", " + o.spec.where(), o.notes, o.kept})
	}
	if d.Told != nil {
		d.Told(d.summary.Kills)
	}
	return nil
}

// where names the planned moments of a trial.
func (s spec) where() string {
	var all []string
	for _, k := range s.kills {
		words := string(k.When)
		if k.N > 0 {
			words += fmt.Sprintf(" %d", k.N)
		}
		if k.Delay > 0 && (k.When == withinPress || k.When == anyMoment) {
			words += " " + k.Delay.Round(time.Millisecond).String()
		}
		all = append(all, words)
	}
	return strings.Join(all, ", then ")
}
