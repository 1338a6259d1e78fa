package parse

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The tables of flows.md section 11, row by row, then our own.

func TestFL86_PriceOf(t *testing.T) {
	for _, row := range []struct {
		in       string
		amount   float64
		currency string
		text     string
	}{
		{"SkyHop · ₹6,240", 6240, "INR", "6240"},
		{"4250 Indian rupees", 4250, "INR", "4250"},
		{"$1,234.56", 1234.56, "USD", "1234.56"},
		{"1.234,50 €", 1234.5, "EUR", "1234.50"},
		{"€ 99", 99, "EUR", "99"},
		{"6,50 €", 6.5, "EUR", "6.50"},
		{"₹1,23,456", 123456, "INR", "123456"},
		{"Rs. 450 onwards", 450, "INR", "450"},
		{"Rs1,999", 1999, "INR", "1999"},
		{"INR 18,450", 18450, "INR", "18450"},
		{"USD 45", 45, "USD", "45"},
		{"£0.99", 0.99, "GBP", "0.99"},
		{"¥12,000", 12000, "JPY", "12000"},
		{"1 234,50 €", 1234.5, "EUR", "1234.50"},
		{"1.234 €", 1234, "EUR", "1234"},
		{"$3.459", 3.459, "USD", "3.459"},
		{"5120", 5120, "", "5120"},
		{"20% off ₹500", 500, "INR", "500"},
		{"2 adults, ₹9,000 total", 9000, "INR", "9000"},
		{"was ₹7,000 now ₹6,500", 7000, "INR", "7000"},

		{"Pay 12.00 EUR", 12, "EUR", "12.00"},
		{"₹2,480.00", 2480, "INR", "2480.00"},
		{"US$45", 45, "USD", "45"},
		{"A$45.50", 45.5, "AUD", "45.50"},
		{"1’234.50 CHF", 1234.5, "CHF", "1234.50"},
		{"CHF 1'234", 1234, "CHF", "1234"},
		{"12\u00a0345,00 €", 12345, "EUR", "12345.00"},
		{"1,234,567.89 USD", 1234567.89, "USD", "1234567.89"},
		{"1.234.567 €", 1234567, "EUR", "1234567"},
		{"45 US dollars", 45, "USD", "45"},
		{"45 euros", 45, "EUR", "45"},
		{"3 pounds", 3, "GBP", "3"},
		{"900 yen", 900, "JPY", "900"},
		{"₹450.", 450, "INR", "450"},
		{"from 120 to 140", 120, "", "120"},
		{"₹500-₹700", 500, "INR", "500"},
		{"18.40 EUR", 18.4, "EUR", "18.40"},
	} {
		got, ok := PriceOf(row.in)
		want := Price{Amount: row.amount, Text: row.text, Currency: row.currency}
		if !ok || got != want {
			t.Errorf("PriceOf(%q) = %+v %v, want %+v", row.in, got, ok, want)
		}
	}
	for _, in := range []string{
		"7K-2146", "Free cancellation",
		"", "20% off", "A-380", "18:45", "₹7K", "₹2 lakh", "$5 million", "1,2,3", "1,5", "12x", "version 1.2.3", "€1.2.3",
		"99999999999999999999 €",
	} {
		if got, ok := PriceOf(in); ok {
			t.Errorf("PriceOf(%q) = %+v, want not read", in, got)
		}
	}
}

func readAll(t *testing.T, name string, read func(string) (int, bool), rows map[string]int, refused []string) {
	t.Helper()
	for in, want := range rows {
		if got, ok := read(in); !ok || got != want {
			t.Errorf("%s(%q) = %d %v, want %d", name, in, got, ok, want)
		}
	}
	for _, in := range refused {
		if got, ok := read(in); ok {
			t.Errorf("%s(%q) = %d, want not read", name, in, got)
		}
	}
}

func TestFL86_ClockOf(t *testing.T) {
	readAll(t, "ClockOf", ClockOf, map[string]int{
		"Departs 6:45 PM": 1125, "06:45": 405, "12:00 AM": 0, "12:30 pm": 750, "23:59": 1439, "7 pm": 1140, "9.30 a.m.": 570,
		"09:10 → 11:40": 550, "00:40 +1": 40, "noon": 720,
		"2026-10-14T06:45Z": 405, "at 7am": 420, "18:45:30": 1125, "6:45PM–7:45PM": 1125, "13 PM or 14:05": 845, "Noon, then 9:00": 720,
		"9:00 to noon": 540, "6:45\u202fPM": 1125, "7 p.m.": 1140,
	}, []string{"24:00", "7:60", "13 PM", "2h 15m", "", "16:9", "12:345", "7 parking", "13:30 PM", "9.30", "this afternoon", "3 AMG", "7"})
}

func TestFL86_DurationOf(t *testing.T) {
	readAll(t, "DurationOf", DurationOf, map[string]int{
		"2h 15m": 135, "2 hr 15 min": 135, "2 hours 5 mins": 125, "135 min": 135, "1h": 60, "45m": 45, "2h35": 155, "1.5 hours": 90,
		"1d 3h":   1620,
		"1d3h20m": 1640, "2h15m": 135, "Takes 2H 05M": 125, "2h 30": 120, "2h35m": 155, "2h35 min": 155, "2 hrs. 15 mins.": 135, "1 day": 1440,
	}, []string{"15 months", "2:15", "non-stop", "", "1,5 hours", "₹45 min", "h2", "5 mm"})
}

func TestFL86_StopsOf(t *testing.T) {
	readAll(t, "StopsOf", StopsOf, map[string]int{
		"Non-stop": 0, "Nonstop": 0, "non stop": 0, "Direct": 0, "1 stop · DEL": 1, "2 stops": 2, "3+ stops": 3, "one stop": 1,
		"1-stop": 1, "no stops": 0, "Two stops": 2, "0 stops": 0,
	}, []string{"via DEL", "bus stop", "Directions", "", "stop", "not direct", "non-direct", "100 stops"})
}

func TestFL86_DateOf(t *testing.T) {
	for in, want := range map[string]Date{
		"1998-03-24": {1998, 3, 24}, "1998/3/4": {1998, 3, 4}, "24 Mar 1998": {1998, 3, 24}, "March 24, 1998": {1998, 3, 24},
		"24th March 1998": {1998, 3, 24}, "24/03/1998": {1998, 3, 24}, "14 October": {0, 10, 14},
		"03/24/1998": {1998, 3, 24}, "24.03.1998": {1998, 3, 24}, "05/05/1998": {1998, 5, 5}, "Wed, 14 Oct 2026": {2026, 10, 14},
		"1998 March 24": {1998, 3, 24}, "1st of May 2026": {2026, 5, 1}, "Sept. 3rd, 2026": {2026, 9, 3}, "24-Mar-1998": {1998, 3, 24},
		"29 Feb 2024": {2024, 2, 29}, "29 February": {0, 2, 29}, "May 2": {0, 5, 2}, " 2026-10-14 ": {2026, 10, 14},
	} {
		if got, ok := DateOf(in); !ok || got != want {
			t.Errorf("DateOf(%q) = %v %v, want %v", in, got, ok, want)
		}
	}
	for _, in := range []string{
		"03/04/1998", "30 Feb 1998", "1 Mar 98",
		"", "01/02/2000", "1998-13-01", "29 Feb 2023", "March 1998", "14", "October", "12:30", "1998-03", "24-03/1998", "32 May 2026",
		"24 Mar 1998 18:00", "0 May 2026", "1 Mar 0000", "14 14 October", "-1/2/1998", "departs 14 October", "14xx October",
	} {
		if got, ok := DateOf(in); ok {
			t.Errorf("DateOf(%q) = %v, want not read", in, got)
		}
	}
}

func TestDateMethods(t *testing.T) {
	full, bare := Date{2026, 11, 15}, Date{0, 10, 14}
	for _, row := range []struct{ got, want any }{
		{full.String(), "15 November 2026"},
		{full.Heading(), "November 2026"},
		{bare.String(), "14 October"},
		{bare.Heading(), "October"},
		{full.Full(), true},
		{bare.Full(), false},
		{bare.Next(2026, 10, 14), Date{2026, 10, 14}},
		{bare.Next(2026, 10, 15), Date{2027, 10, 14}},
		{full.Next(2030, 1, 1), full},
		{Date{0, 2, 29}.Next(2026, 1, 1), Date{2028, 2, 29}},
		{Date{}.String(), "0 "},
	} {
		if row.got != row.want {
			t.Errorf("got %v, want %v", row.got, row.want)
		}
	}
}

func TestDateIn(t *testing.T) {
	for in, want := range map[string]Date{
		"Choose Wednesday, 14 October 2026 (cheapest)": {2026, 10, 14},
		"15 November 2026, sold out":                   {2026, 11, 15},
		"on 2026-10-14 at 18:00":                       {2026, 10, 14},
		"the 14 October sale":                          {0, 10, 14},
	} {
		if got, ok := DateIn(in); !ok || got != want {
			t.Errorf("DateIn(%q) = %v %v, want %v", in, got, ok, want)
		}
	}
	if got, ok := DateIn("October 2026"); ok {
		t.Errorf("DateIn(October 2026) = %v, want none", got)
	}
}

func TestFL73_FL86_Reformat(t *testing.T) {
	for _, row := range []struct {
		value string
		hints []string
		want  string
		ok    bool
	}{
		{"1998-03-24", []string{"DD-MM-YYYY"}, "24-03-1998", true},
		{"1998-03-24", []string{"Format: dd/mm/yyyy"}, "24/03/1998", true},
		{"24 Mar 1998", []string{"", "YYYY-MM-DD"}, "1998-03-24", true},
		{"24 Mar 1998", []string{"YYYY/MM/DD"}, "1998/03/24", true},
		{"24 Mar 1998", []string{"DD.MM.YYYY"}, "24.03.1998", true},
		{"24 Mar 1998", []string{"MM-DD-YYYY"}, "03-24-1998", true},
		{"24 Mar 1998", []string{"(MM/DD/YYYY)"}, "03/24/1998", true},
		{"24 Mar 1998", []string{"DD-MM-YY"}, "24-03-98", true},
		{"24 Mar 1998", []string{"DD/MM/YY"}, "24/03/98", true},
		{"24 Mar 1998", []string{"mm/dd/yy"}, "03/24/98", true},
		{"24 Mar 1998", []string{"DD / MM / YYYY"}, "24/03/1998", true},
		{"01/02/2000", []string{"DD/MM/YYYY"}, "01/02/2000", false},
		{"14 October", []string{"DD/MM/YYYY"}, "14 October", false},
		{"1998-03-24", []string{"MM/YY"}, "1998-03-24", false},
		{"1998-03-24", nil, "1998-03-24", false},
		{"soon", []string{"DD/MM/YYYY"}, "soon", false},
	} {
		if got, ok := Reformat(row.value, row.hints...); got != row.want || ok != row.ok {
			t.Errorf("Reformat(%q, %q) = %q %v, want %q %v", row.value, row.hints, got, ok, row.want, row.ok)
		}
	}
	if got, _ := LayoutOf("DD-MM-YY", "YYYY-MM-DD"); got != "YYYY-MM-DD" {
		t.Errorf("LayoutOf = %q, want the most specific", got)
	}
}

func TestFL86_CriterionOf(t *testing.T) {
	for by, want := range map[string]Criterion{
		"cheapest": {Kind: LowestPrice}, "lowest price": {Kind: LowestPrice}, "lowest fare": {Kind: LowestPrice},
		"lowest cost": {Kind: LowestPrice}, "least expensive": {Kind: LowestPrice},
		"most expensive": {Kind: HighestPrice}, "highest price": {Kind: HighestPrice},
		"earliest": {Kind: Earliest}, "earliest departure": {Kind: Earliest}, "earliest time": {Kind: Earliest},
		"latest": {Kind: Latest}, "latest departure": {Kind: Latest}, "latest time": {Kind: Latest},
		"fewest stops": {Kind: FewestStops}, "least stops": {Kind: FewestStops},
		"shortest": {Kind: Shortest}, "shortest duration": {Kind: Shortest}, "fastest": {Kind: Shortest}, "quickest": {Kind: Shortest},
		"first": {Kind: First}, "the first one": {Kind: First}, "last": {Kind: Last}, "the last one": {Kind: Last},
		"closest to 9": {Kind: Nearest, Nearest: 9}, "nearest to size 42": {Kind: Nearest, Nearest: 42},
		"first rated 4 stars or more":      {Kind: FirstWhere, Condition: "rated 4 stars or more"},
		"the first hotel with a pool":      {Kind: FirstWhere, Condition: "hotel with a pool"},
		"first under ₹500":                 {Kind: FirstWhere, Condition: "under ₹500"},
		"First available slot":             {Kind: FirstWhere, Condition: "available slot"},
		"the cheapest option":              {Kind: LowestPrice},
		"lowest total price":               {Kind: LowestPrice},
		"Fewest number of stops":           {Kind: FewestStops},
		"shortest travel time":             {Kind: Shortest},
		"the item closest to 9.5 in total": {Kind: Nearest, Nearest: 9.5},
		"closest to €50":                   {Kind: Nearest, Nearest: 50},
	} {
		if got, ok := CriterionOf(by); !ok || got != want {
			t.Errorf("CriterionOf(%q) = %+v %v, want %+v", by, got, ok, want)
		}
	}
	for _, by := range []string{
		"a morning flight with at most one stop", "First AC", "first to depart", "cheapest non-stop", "earliest arrival",
		"", "closest to the centre", "closest to 9 am", "best rated", "closest to 9 or 10", "price",
	} {
		if got, ok := CriterionOf(by); ok {
			t.Errorf("CriterionOf(%q) = %+v, want none", by, got)
		}
	}
}

func cards(texts ...string) []map[string]string {
	out := make([]map[string]string, len(texts))
	for i, text := range texts {
		out[i] = map[string]string{"text": text}
	}
	return out
}

func TestRank(t *testing.T) {
	for _, row := range []struct {
		name    string
		by      string
		records []map[string]string
		want    []int
	}{
		{"FL-79 lowest price", "lowest price", cards("₹8,150", "₹7,905"), []int{1, 0}},
		{"FL-81 closest, page order breaks the tie", "closest to 9", cards("8", "10", "11"), []int{0, 1, 2}},
		{"FL-117 unreadable ones follow in page order", "cheapest", cards("sold out", "₹900", "ask us", "₹800"), []int{3, 1, 0, 2}},
		{"ties keep page order", "cheapest", cards("₹900 A", "₹900 B", "₹100"), []int{2, 0, 1}},
		{"highest price", "highest price", cards("$5", "$9", "none"), []int{1, 0, 2}},
		{"earliest", "earliest", cards("Departs 9:10", "Departs 6:45 AM"), []int{1, 0}},
		{"latest", "latest departure", cards("09:10", "18:45", "12:00"), []int{1, 2, 0}},
		{"fewest stops", "fewest stops", cards("2 stops", "Non-stop", "1 stop"), []int{1, 2, 0}},
		{"shortest", "fastest", cards("2h 15m", "1h 50m"), []int{1, 0}},
		{"first", "first", cards("a", "b"), []int{0, 1}},
		{"last", "last", cards("a", "b"), []int{1, 0}},
		{"FL-118 first where, page order", "first rated 4 stars or more", cards("3 stars", "5 stars"), []int{0, 1}},
		{"a bare number counts in a price field", "cheapest", []map[string]string{{"price": "900"}, {"price": "800"}}, []int{1, 0}},
		{"a bare number counts nowhere else", "cheapest", cards("900", "$5"), []int{1, 0}},
		{"the named field wins", "cheapest", []map[string]string{{"text": "save $1", "price": "$9"}, {"text": "save $8", "price": "$7"}}, []int{1, 0}},
		{"fields in card order", "closest to 9", []map[string]string{{"text_10": "9", "text_2": "1"}, {"text": "8", "text_2": "1"}}, []int{1, 0}},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, ok := CriterionOf(row.by)
			if !ok {
				t.Fatalf("%q is no criterion", row.by)
			}
			got, ok := Rank(c, row.records)
			if !ok || !cmp.Equal(got, row.want) {
				t.Errorf("got %v %v, want %v", got, ok, row.want)
			}
		})
	}
}

func TestFL87_NoRanking(t *testing.T) {
	for name, records := range map[string][]map[string]string{
		"no readable price": cards("ask us", "sold out"),
		"two currencies":    cards("$5", "€4"),
		"no records":        nil,
	} {
		if order, ok := Rank(Criterion{Kind: LowestPrice}, records); ok {
			t.Errorf("%s: ranked %v", name, order)
		}
	}
	if order, ok := Rank(Criterion{}, cards("$5")); ok {
		t.Errorf("no criterion: ranked %v", order)
	}
}
