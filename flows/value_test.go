package flows

import "testing"

func TestValueOfWhatIsAskedFor(t *testing.T) {
	for _, row := range []struct{ piece, what, want string }{
		{"Booking reference: XK7-22B", "the booking reference", "XK7-22B"},
		{"The code is ZX-4410", "the code", "ZX-4410"},
		{"Your order number is: 5512", "the order number", "5512"},
		{"Total: 24,90 EUR", "total", "24,90 EUR"},
		{"Departure: 12:40", "the departure time", "12:40"},
		{"total = 7 EUR", "the total", "7 EUR"},
		// What the step does not name stays.
		{"Total due: 24,90 EUR", "the total", "Total due: 24,90 EUR"},
		{"Old total: 30 EUR", "the total", "Old total: 30 EUR"},
		{"12:40 departure", "departure", "12:40 departure"},
		{"This is the code", "the code", "This is the code"},
		{"Note: bring it along", "the message", "Note: bring it along"},
		{"Note: bring it along", "the note", "bring it along"},
		{"https://a.example/x", "the https address", "https://a.example/x"},
		{"Total:", "the total", "Total:"},
		{"27 EUR", "the total", "27 EUR"},
	} {
		if got := valueOf(row.piece, row.what); got != row.want {
			t.Errorf("%q of %q is %q, want %q", row.what, row.piece, got, row.want)
		}
	}
}

func TestOnlyNames(t *testing.T) {
	for _, row := range []struct {
		piece, what string
		want        bool
	}{
		{"Seat", "the seat", true}, {"Booking reference:", "the booking reference", true}, {"Welcome", "the heading Welcome", false}, {"14C", "the seat", false}, {"The", "the", false},
	} {
		if got := onlyNames(row.piece, row.what); got != row.want {
			t.Errorf("%q for %q: %v", row.piece, row.what, got)
		}
	}
}
