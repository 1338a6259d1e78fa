package corpus

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"countersign/flows"
)

// judge notes everything in which what came differs from what was wanted.
func (d *Did) judge(w Want) {
	r := &d.Result
	d.outcome(w)
	if w.At != "" && w.At != r.Failed {
		d.wrong("ended in step %s, wanted %s", cmp.Or(r.Failed, "none"), w.At)
	}
	if w.Code != "" && !d.hasCode(w.Code) {
		d.wrong("code %s, wanted %s", cmp.Or(string(r.Code), "none"), w.Code)
	}
	if w.Note != "" && !strings.Contains(d.note(), w.Note) {
		d.wrong("the note says %q, wanted %q in it", d.note(), w.Note)
	}
	for path, want := range w.Steps {
		if got := d.step(path); got != want {
			d.wrong("step %s came to %s, wanted %s", path, cmp.Or(got, "nothing"), want)
		}
	}
	if e := d.evidence(); w.Control != "" && (e == nil || e.Control.Name != w.Control) {
		d.wrong("stopped at %q, wanted %q", controlOf(e), w.Control)
	}
	if e := d.evidence(); w.Amount != "" && (e == nil || strings.TrimSpace(e.Amount+" "+e.Currency) != w.Amount) {
		d.wrong("the amount read is not %s: %+v", w.Amount, e)
	}
	for name, part := range w.Vars {
		if !strings.Contains(r.Vars[name], part) {
			d.wrong("%s is %q, wanted %q in it", name, r.Vars[name], part)
		}
	}
	if w.Presses > 0 && r.Actions > w.Presses {
		d.wrong("%d actions, wanted %d at most", r.Actions, w.Presses)
	}
	d.page(w)
}

func (d *Did) outcome(w Want) {
	want := cmp.Or(w.Outcome, "completed")
	if d.Outcome != want {
		d.wrong("%s, wanted %s: %s", d.Outcome, want, d.note())
	}
}

// page compares what the page shows and logged.
func (d *Did) page(w Want) {
	shown := strings.Join(d.Shown, "\n")
	for _, part := range w.Shows {
		if !strings.Contains(shown, part) {
			d.wrong("the page does not show %q but\n%s", part, shown)
		}
	}
	for _, part := range w.Hides {
		if strings.Contains(shown, part) {
			d.wrong("the page shows %q", part)
		}
	}
	if w.Log != nil && !slices.Equal(d.Log, *w.Log) {
		d.wrong("the page logged %q, wanted %q", d.Log, *w.Log)
	}
}

func (d *Did) wrong(format string, args ...any) {
	d.Wrong = append(d.Wrong, fmt.Sprintf(format, args...))
}

func (d *Did) hasCode(want string) bool {
	return string(d.Result.Code) == want || slices.ContainsFunc(d.Result.Errors, func(p flows.Problem) bool { return p.Code == want })
}

// note is why the run ended: its reason, else the last step's note.
func (d *Did) note() string {
	r := &d.Result
	if r.Reason != "" {
		return r.Reason
	}
	if len(r.Errors) > 0 {
		return r.Errors[0].Message
	}
	if len(r.Steps) > 0 {
		return r.Steps[len(r.Steps)-1].Note
	}
	return ""
}

func (d *Did) step(path string) string {
	outcome := ""
	for _, s := range d.Result.Steps {
		if s.Step == path {
			outcome = string(s.Outcome) // the last, when a signature ran it again
		}
	}
	return outcome
}

func (d *Did) evidence() *flows.Evidence {
	if d.Result.Pending != nil {
		return d.Result.Pending
	}
	return d.Result.Refused
}

func controlOf(e *flows.Evidence) string {
	if e == nil {
		return ""
	}
	return e.Control.Name
}
