package controller_test

import (
	"testing"

	"countersign/controller/task"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// Only a browser that has a window is brought forward; of another the person
// gets the address. Nothing of the task changes.
func TestABrowserIsBroughtForward(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.failOn("write the letter", "captcha")
		v := d.start(mail())
		d.is(v, task.NeedsHuman)
		place := d.opener.Place("t-1")
		for _, tt := range []struct {
			reach surfaces.Reach
			want  int
		}{{surfaces.Reach{Endpoint: "http://127.0.0.1:9222"}, 0}, {surfaces.Reach{Address: "https://mail.test", Headed: true}, 1}} {
			place.Found(tt.reach)
			got, err := d.BringForward(d.t.Context(), v.ID)
			if err != nil || got != tt.reach || place.Forwards() != tt.want {
				t.Errorf("%+v: got %+v, %v, brought %d times, want %d", tt.reach, got, err, place.Forwards(), tt.want)
			}
		}
		if got := d.rest(v.ID); got.Revision != v.Revision {
			t.Errorf("the task changed: %+v", got)
		}
		_, err := d.BringForward(d.t.Context(), 9)
		d.refused("unknown", err, fault.NoSuchTask)
		d.is(d.answer(task.ContinueRequest{ID: v.ID, Answer: "done"}), task.NeedsApproval)
		if _, err := d.CancelTask(d.t.Context(), v.ID, ""); err != nil {
			t.Fatal(err)
		}
		_, err = d.BringForward(d.t.Context(), v.ID)
		d.refused("nothing held", err, fault.BrowserUnavailable)
	})
}
