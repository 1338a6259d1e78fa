package controller_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"slices"
	"testing"

	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// dot is a picture of one pixel.
func dot(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestA125_OnePictureWhereARunStops(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.opener.Paint(dot(t))
		v := d.start(task.StartRequest{Flow: flow(guard)})
		d.is(v, task.NeedsApproval)
		r := d.report(v.ID)
		if len(r.Artifacts) != 1 || r.Artifacts[0].ID != "p-"+r.Artifacts[0].SHA256[:16] || r.Approval.Picture != r.Artifacts[0].SHA256 {
			t.Fatalf("artifacts %+v, evidence names %q", r.Artifacts, r.Approval.Picture)
		}
		told := 0
		for _, e := range r.Journal {
			if e.Picture != nil && *e.Picture == r.Artifacts[0] {
				told++
			}
		}
		if told != 1 {
			t.Errorf("the journal tells of it %d times", told)
		}
		kept, err := d.Picture(t.Context(), r.Artifacts[0].SHA256)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(bytes.NewReader(kept)); err != nil {
			t.Errorf("the kept picture: %v", err)
		}
		if _, err := d.Picture(t.Context(), "unknown"); fault.CodeOf(err) != fault.NoSuchOutput {
			t.Errorf("an unknown one: %v", err)
		}
		d.cancel(v.ID, "")
		if n := len(d.report(v.ID).Artifacts); n != 1 || d.store.Pictures() != 1 {
			t.Errorf("after the cancel %d named, %d kept", n, d.store.Pictures())
		}
	})
}

func TestNoTwoPicturesAreTheSameBytes(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.opener.Paint(dot(t))
		for range 2 {
			d.is(d.start(task.StartRequest{Flow: flow(write)}), task.Done)
		}
		if d.store.Pictures() != 2 {
			t.Errorf("%d kept", d.store.Pictures())
		}
	})
}

func TestOldestPictureGoesButNoneADecisionNames(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.opener.Paint(dot(t))
		v := d.start(task.StartRequest{Flow: flow(guard, write)})
		signed := d.report(v.ID).Artifacts[0].SHA256
		d.opener.Place(v.ID.String()).Show("Verify you are human")
		d.runner.Fail("write the letter", slices.Repeat([]flows.Result{failing("", "no answer")}, 20)...)
		d.is(d.approve(v), task.NeedsHuman)
		for range 18 {
			d.is(d.answer(task.ContinueRequest{ID: v.ID}), task.NeedsHuman)
		}
		r := d.report(v.ID)
		if len(r.Artifacts) != 16 || d.store.Pictures() != 16 || r.Artifacts[0].SHA256 != signed {
			t.Errorf("%d named, %d kept, the first is the signed one: %v", len(r.Artifacts), d.store.Pictures(), r.Artifacts[0].SHA256 == signed)
		}
	})
}

func TestPictureHidesSecretsAndWhereTheyWereTyped(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.opener.Paint(dot(t))
		field := surfaces.Field{Origin: "https://shop.test", Role: "textbox", Name: "PIN"}
		d.runner.Next(func(context.Context, *controllertest.Place, flows.Request) flows.Result {
			res := failing("", "no answer")
			res.Failed, res.SecretFields = "1", []surfaces.Field{field}
			return res
		})
		enter := `{"enter": {"PIN": "${pin}"}}`
		v := d.start(task.StartRequest{Flow: flow(enter), Facts: map[string]string{"pin": "493817"}})
		place := d.opener.Place(v.ID.String())
		asked := place.Asked()
		if len(asked) != 1 || !asked[0].Text("PIN 49 38 17") || asked[0].Text("a letter") || len(asked[0].Fields) != 1 || !asked[0].Fields[0].Equal(field) {
			t.Fatalf("hidden was %+v", asked)
		}
	})
}

func TestNoPictureWhileASecretIsNotKnown(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.opener.Paint(dot(t))
		// No step types it, so it is not asked for again; a page may show it still.
		v := d.start(task.StartRequest{Flow: flow(write, guard), Facts: map[string]string{"pin": "493817"}})
		d.restart()
		d.is(d.approve(d.rest(v.ID)), task.Done)
		if n := len(d.report(v.ID).Artifacts); n != 1 {
			t.Errorf("%d pictures, want the one before the restart", n)
		}
	})
}

// What a run typed in another form, and what it read and is secret, stays hidden
// in the task's later runs, and nobody is asked for it.
func TestFormsOfSecretsOutliveTheRunThatTypedThem(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Next(func(_ context.Context, _ *controllertest.Place, req flows.Request) flows.Result {
			res := failing("", "24/03/1998 was refused")
			res.Failed = "1"
			res.Facts = req.Facts.WithForm("passport expiry", "24/03/1998").Merge(map[string]string{"one-time code": "887766"})
			return res
		})
		v := d.start(task.StartRequest{
			Flow: flow(`{"enter": {"expiry": "${passport expiry}"}}`, write), Facts: map[string]string{"passport expiry": "1998-03-24"},
		})
		if d.is(v, task.Failed); v.Status.Reason != "‹passport expiry› was refused" {
			t.Errorf("the reason is %q", v.Status.Reason)
		}
		d.opener.Paint(dot(t))
		d.runner.Next(func(_ context.Context, p *controllertest.Place, req flows.Request) flows.Result {
			p.Show("Please solve the captcha")
			res := failing("", "no answer")
			res.Failed, res.Facts = "1", req.Facts.WithForm("passport expiry", "24/03/1998").Merge(map[string]string{"one-time code": "887766"})
			return res
		})
		v = d.start(task.StartRequest{Flow: flow(write), Facts: map[string]string{"passport expiry": "1998-03-24"}})
		d.is(v, task.NeedsHuman)
		d.runner.Fail("write the letter", failing("", "24/03/1998 or 887-766"))
		d.opener.Place(v.ID.String()).Show("fine")
		v = d.answer(task.ContinueRequest{ID: v.ID})
		if d.is(v, task.Failed); v.Status.Reason != "‹passport expiry› or ‹one-time code›" {
			t.Errorf("the later reason is %q", v.Status.Reason)
		}
		asked := d.opener.Place(v.ID.String()).Asked()
		if last := asked[len(asked)-1]; !last.Text("24/03/1998") || !last.Text("887766") {
			t.Error("a later picture would show it")
		}
		if got := d.report(v.ID).Request.SecretFacts; !slices.Equal(got, []string{"passport expiry"}) {
			t.Errorf("secrets of the request: %q", got)
		}
	})
}
