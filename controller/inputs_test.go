package controller_test

import (
	"strings"
	"testing"

	"countersign/controller/task"
)

const join = `{"enter":{"name":"${name}","telephone":"${phone}"}}`

func library() task.StartRequest {
	return task.StartRequest{Flow: flow(open, join), Facts: map[string]string{"name": "Jo Park"}}
}

func TestA28_MissingNameIsAskedBeforeAnythingOpens(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(library())
		d.is(v, task.NeedsInput)
		if len(v.Status.Fields) != 1 || v.Status.Fields[0].Name != "phone" || v.Status.Fields[0].Kind != "phone" {
			t.Errorf("fields %+v", v.Status.Fields)
		}
		if want := "step 2 needs ${phone}, which was not supplied"; v.Status.Fields[0].Why != want {
			t.Errorf("why %q, want %q", v.Status.Fields[0].Why, want)
		}
		if v.Summary != "Waiting for 1 value before starting." || v.Progress != 0 || d.opener.Opened() != 0 {
			t.Errorf("summary %q, progress %v, %d places", v.Summary, v.Progress, d.opener.Opened())
		}
		d.is(d.answer(task.ContinueRequest{ID: v.ID, Inputs: map[string]string{"phone": "+45 20 30 40 50"}}), task.Done)
	})
}

func TestA29_KindIsOnlyAHint(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(task.StartRequest{Flow: flow(`{"enter":{"a":"${email}","b":"${mobile}","c":"${birth day}","d":"${country}","e":"${street}"}}`)})
		kinds := map[string]string{"email": "email", "mobile": "phone", "birth day": "date", "country": "number", "street": "text"}
		for _, f := range v.Status.Fields {
			if f.Kind != kinds[f.Name] || f.Options == nil {
				t.Errorf("%s is %s, want %s", f.Name, f.Kind, kinds[f.Name])
			}
		}
		given := map[string]string{"email": "none", "mobile": "no digits", "birth day": "soon", "country": "Chile", "street": "Elm Row"}
		d.is(d.answer(task.ContinueRequest{ID: v.ID, Inputs: given}), task.Done)
	})
}

func TestA30_A31_A32_OnlyWhatIsMissingIsAskedAgain(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(task.StartRequest{Flow: flow(join)})
		if len(v.Status.Fields) != 2 {
			t.Fatalf("fields %+v", v.Status.Fields)
		}
		same := d.answer(task.ContinueRequest{ID: v.ID})
		if same.Revision != v.Revision {
			t.Errorf("A31: an empty answer published revision %d after %d", same.Revision, v.Revision)
		}
		v = d.answer(task.ContinueRequest{ID: v.ID, Inputs: map[string]string{"name": "Jo", "phone": "  "}})
		if v.Status.State != task.NeedsInput || len(v.Status.Fields) != 1 || v.Status.Fields[0].Name != "phone" {
			t.Errorf("A32: %+v", v.Status)
		}
	})
}

func TestA33_AValueThatTurnsOutACardFailsTheTask(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(task.StartRequest{Flow: flow(`"search for ${item}"`)})
		d.is(v, task.NeedsInput)
		v = d.answer(task.ContinueRequest{ID: v.ID, Inputs: map[string]string{"item": "4242 4242 4242 4242"}})
		d.is(v, task.Failed)
		if v.Status.Recoverable || !strings.HasPrefix(v.Status.Reason, "INVALID_FLOW: ") || len(d.runner.Requests()) != 0 {
			t.Errorf("%+v after %d runs", v.Status, len(d.runner.Requests()))
		}
		if strings.Contains(d.store.Written(), "4242") {
			t.Error("the card is in the store")
		}
	})
}

func TestA34_A35_DeclaredAndSavedNamesAreNotAsked(t *testing.T) {
	inDesk(t, func(d *desk) {
		req := task.StartRequest{Flow: []byte(`{"app":"browser","vars":{"city":""},"steps":["search ${city}",{"read":{"what":"the price","into":"price"}},"compare ${price}"]}`)}
		d.is(d.start(req), task.Done)
	})
}

func TestD13_A74_SecretsNeverReachTheStore(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(task.StartRequest{
			Task: "Sign in as hunter22", Flow: flow(`{"enter":{"password":"${password}","word":"${word}"}}`, guard),
			Facts: map[string]string{"password": "hunter22", "word": "sesame-open"}, SecretFacts: []string{"word"},
		})
		d.is(v, task.NeedsApproval)
		v = d.answer(task.ContinueRequest{ID: v.ID, Approve: no(), Answer: "not with hunter22"})
		d.is(v, task.Cancelled)
		for _, secret := range []string{"hunter22", "sesame-open"} {
			if strings.Contains(d.store.Written(), secret) {
				t.Errorf("%s is in the store", secret)
			}
		}
		if r := d.report(v.ID); strings.Join(r.Request.SecretFacts, " ") != "password word" || len(r.Request.Facts) != 0 {
			t.Errorf("request %+v", r.Request)
		}
	})
}

// A value typed in answer to a question is as secret as the person says.
func TestD13_AValueMarkedSecretStaysOutOfTheStore(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(task.StartRequest{Flow: flow(`{"enter":{"membership code":"${membership code}","city":"${city}"}}`, guard)})
		d.is(v, task.NeedsInput)
		given := map[string]string{"membership code": "sesame-open", "city": "Aarhus"}
		v = d.answer(task.ContinueRequest{ID: v.ID, Inputs: given, Secret: []string{"membership code"}})
		d.is(v, task.NeedsApproval)
		if strings.Contains(d.store.Written(), "sesame-open") {
			t.Error("the value is in the store")
		}
		if !d.runner.Requests()[0].Facts.IsSecret("membership code") || d.runner.Requests()[0].Facts.IsSecret("city") {
			t.Error("the run does not know which value is secret")
		}
		if r := d.report(v.ID); strings.Join(r.Request.SecretFacts, " ") != "membership code" || len(r.Request.Facts) != 1 {
			t.Errorf("request %+v", r.Request)
		}
	})
}

func TestA72_ASecretNameStaysSecretWhenItsValueComesLater(t *testing.T) {
	inDesk(t, func(d *desk) {
		req := task.StartRequest{Flow: flow(`{"enter":{"word":"${word}"}}`), Facts: map[string]string{"word": " "}, SecretFacts: []string{"word"}}
		v := d.start(req)
		d.is(v, task.NeedsInput)
		d.is(d.answer(task.ContinueRequest{ID: v.ID, Inputs: map[string]string{"word": "sesame-open"}}), task.Done)
		if !d.runner.Requests()[0].Facts.IsSecret("word") || strings.Contains(d.store.Written(), "sesame-open") {
			t.Error("the word is not secret any more")
		}
	})
}

func TestA131_SecretsAreAskedForAgainAfterARestart(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Fail("write the letter", failing("", "no such page"))
		d.runner.Before("write the letter", nil)
		req := task.StartRequest{Flow: flow(open, write, `{"enter":{"password":"${password}"}}`), Facts: map[string]string{"password": "hunter22"}}
		release := d.block("https://mail.test")
		v, err := d.StartTask(d.t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		d.rest(v.ID)
		d.opener.Place("t-1").Show("Verify you are human")
		close(release)
		d.is(d.rest(v.ID), task.NeedsHuman)
		d.restart()
		v = d.answer(task.ContinueRequest{ID: v.ID})
		d.is(v, task.NeedsInput)
		if len(v.Status.Fields) != 1 || v.Status.Fields[0].Name != "password" {
			t.Fatalf("fields %+v", v.Status.Fields)
		}
		runs := len(d.runner.Requests())
		d.is(d.answer(task.ContinueRequest{ID: v.ID, Inputs: map[string]string{"password": "hunter22"}}), task.Done)
		got := d.runner.Requests()[runs]
		if got.FirstStep != 2 || !got.Facts.IsSecret("password") {
			t.Errorf("went on at step %d, password secret: %v", got.FirstStep, got.Facts.IsSecret("password"))
		}
	})
}
