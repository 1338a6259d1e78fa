package demosite_test

import (
	"maps"
	"slices"
	"testing"

	"countersign/flows"
	"countersign/surfaces/demosite"
)

func addresses() map[string]string {
	all := map[string]string{}
	for _, site := range []string{"shop", "rail", "mail", "library", "bank", "seats"} {
		all[site] = "http://127.0.0.1:8100/" + site
	}
	return all
}

func TestFlowsAreValid(t *testing.T) {
	card := []string{"card expiry", "card number", "cvv"}
	missing := map[string][]string{"library": {"phone"}, "membership": {"pin"}}
	for _, name := range demosite.FlowNames() {
		t.Run(name, func(t *testing.T) {
			r, err := demosite.RequestFor(name, addresses())
			if err != nil {
				t.Fatal(err)
			}
			known, secret := slices.Collect(maps.Keys(r.Facts)), []string(nil)
			if name == "shop-pay" {
				known, secret = append(known, card...), card
			}
			got := flows.Check(r.Flow, known, secret, nil, flows.Payment(r.Payment))
			for _, p := range append(got.Errors, got.Warnings...) {
				t.Errorf("%s %s: %s", p.Path, p.Code, p.Message)
			}
			var asked []string
			for _, m := range got.Missing {
				asked = append(asked, m.Name)
			}
			if !slices.Equal(asked, missing[name]) {
				t.Errorf("asks for %v, want %v", asked, missing[name])
			}
		})
	}
}

// A flow that was written out runs without any fact beside what its task is
// about: the phone number, or the card.
func TestWrittenFlowsNeedNoFurtherFacts(t *testing.T) {
	want := map[string][]string{"library": {"phone"}, "membership": {"pin"}, "shop-pay": {"card number", "card expiry", "cvv"}}
	for _, name := range demosite.FlowNames() {
		raw, err := demosite.Flow(name, addresses())
		if err != nil {
			t.Fatal(err)
		}
		var asked []string
		for _, m := range flows.Check(raw, nil, nil, nil, flows.FillThenApprove).Missing {
			asked = append(asked, m.Name)
		}
		if !slices.Equal(asked, want[name]) {
			t.Errorf("%s asks for %v, want %v", name, asked, want[name])
		}
	}
}
