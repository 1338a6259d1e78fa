package surfaces_test

import (
	"encoding/json"
	"testing"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

func TestSF03EveryFailureHasCodeAndHintAndNoData(t *testing.T) {
	for _, code := range fault.Codes() {
		raw, err := json.Marshal(surfaces.Fail("click", code, "it did not work"))
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]json.RawMessage
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		var failure struct{ Code, Hint string }
		if err := json.Unmarshal(got["error"], &failure); err != nil {
			t.Fatal(err)
		}
		if _, has := got["data"]; has || failure.Code != string(code) || failure.Hint == "" {
			t.Errorf("%s: %s, want its code, a hint and no data", code, raw)
		}
	}
}

func TestSF04MissingDispositionIsUnknown(t *testing.T) {
	var r surfaces.Reply
	raw := `{"version":"1","ok":false,"command":"click","error":{"code":"TIMEOUT","message":"m","hint":"h"}}`
	if err := json.Unmarshal([]byte(raw), &r); err != nil {
		t.Fatal(err)
	}
	if r.Error.Delivery != surfaces.DeliveryUnknown || r.Error.Delivery.Retry() != surfaces.RetryUnknown {
		t.Errorf("got %s/%s, want unknown/unknown", r.Error.Delivery, r.Error.Delivery.Retry())
	}
}

func TestSF05RetryFollowsDelivery(t *testing.T) {
	tests := map[surfaces.Delivery]surfaces.Retry{
		surfaces.NotDelivered:        surfaces.RetrySafe,
		surfaces.DeliveryUncertain:   surfaces.RetryUnsafe,
		surfaces.DeliveredUnverified: surfaces.RetryUnsafe,
		surfaces.DeliveredVerified:   surfaces.RetryUnsafe,
		surfaces.DeliveryUnknown:     surfaces.RetryUnknown,
	}
	for delivery, want := range tests {
		if got := delivery.Retry(); got != want {
			t.Errorf("%s.Retry() = %s, want %s", delivery, got, want)
		}
	}
}

func TestReplySurvivesTheWire(t *testing.T) {
	fail := surfaces.Fail("click", fault.NotActionable, `button "Apply" is under a dialog`)
	fail.Error.Details.Cover = `dialog "Sign up"`
	fail.Error.Delivery = surfaces.NotDelivered
	raw, err := json.Marshal(fail)
	if err != nil {
		t.Fatal(err)
	}
	var back surfaces.Reply
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if back.Code() != fault.NotActionable || back.Error.Details.Cover != `dialog "Sign up"` || back.Error.Delivery != surfaces.NotDelivered {
		t.Errorf("came back as %+v", back.Error)
	}
}
