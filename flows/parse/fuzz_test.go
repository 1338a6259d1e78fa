package parse

import (
	"slices"
	"testing"
)

func seeds(f *testing.F) {
	for _, s := range []string{"₹6,240", "1.234,50 €", "9.30 a.m.", "2h35", "3+ stops", "24th March 1998", "1998/3/4", "\xff", "1 2 3", "A$4.5", "13 PM"} {
		f.Add(s)
	}
}

func FuzzPrice(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		p, ok := PriceOf(s)
		if !ok {
			return
		}
		again, ok := PriceOf(p.Text + " " + p.Currency)
		if p.Currency == "EUR" { // three digits after a point are thousands there
			return
		}
		if !ok || again != p {
			t.Errorf("PriceOf(%q) = %+v, read again %+v %v", s, p, again, ok)
		}
	})
}

func FuzzTimes(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		if m, ok := ClockOf(s); ok && (m < 0 || m >= 24*60) {
			t.Errorf("ClockOf(%q) = %d", s, m)
		}
		if m, ok := DurationOf(s); ok && m < 0 {
			t.Errorf("DurationOf(%q) = %d", s, m)
		}
		if n, ok := StopsOf(s); ok && (n < 0 || n > 99) {
			t.Errorf("StopsOf(%q) = %d", s, n)
		}
	})
}

func FuzzDate(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		d, ok := DateOf(s)
		if !ok {
			return
		}
		if again, ok := DateOf(d.String()); !ok || again != d {
			t.Errorf("DateOf(%q) = %v, read again %v %v", s, d, again, ok)
		}
		for _, layout := range []string{"YYYY-MM-DD", "YYYY/MM/DD"} {
			if again, ok := DateOf(d.Layout(layout)); d.Full() && (!ok || again != d) {
				t.Errorf("%v as %s reads %v %v", d, layout, again, ok)
			}
		}
		if in, ok := DateIn(s); !ok {
			t.Errorf("DateIn(%q) = %v, but the whole is %v", s, in, d)
		}
	})
}

func FuzzRank(f *testing.F) {
	f.Add("cheapest", "₹900", "₹800", "text")
	f.Add("closest to 9", "1", "x", "text_2")
	f.Fuzz(func(t *testing.T, by, a, b, field string) {
		c, ok := CriterionOf(by)
		if !ok {
			return
		}
		order, ok := Rank(c, []map[string]string{{field: a}, {field: b, "text": a}, {}})
		if !ok {
			return
		}
		slices.Sort(order)
		if !slices.Equal(order, []int{0, 1, 2}) {
			t.Errorf("Rank lost records: %v", order)
		}
	})
}
