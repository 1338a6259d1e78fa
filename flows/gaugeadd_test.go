package flows

import "testing"

func TestSoManyOfOneThing(t *testing.T) {
	for says, want := range map[string]setting{
		"Add 3 soups to the order":          {of: "soups", to: "3", adds: true},
		"Put 2 of the tacos in your basket": {of: "tacos", to: "2", adds: true},
		"Order 4 pizzas.":                   {of: "pizzas", to: "4", adds: true},
		"add ${count} soups to the cart":    {of: "soups", to: "${count}", adds: true},
		"Put 5 in the quantity field":       {},
		"Add a soup to the order":           {},
		"Set the soups to 3":                {of: "soups", to: "3"},
	} {
		var got setting
		if a := settingIn(says); a != nil {
			got = *a
		}
		if got != want {
			t.Errorf("%s: %+v, want %+v", says, got, want)
		}
	}
}
