package facts

import (
	"strings"
	"testing"
	"time"
)

func TestMask(t *testing.T) {
	secrets := map[string]string{"card number": card, "cvv": "123", "password": "correct horse", "pin": "7", "iban": "DE89370400440532013000"}
	s := set(t, secrets)
	for _, row := range []struct{ name, text, want string }{
		{"FL-18 A66 groups of four", "Card 4111 1111 1111 1111 ok", "Card ${card number} ok"},
		{"no spaces", "4111111111111111", "${card number}"},
		{"dashes", "4111-1111-1111-1111", "${card number}"},
		{"odd groups", "41 11-1111 1111 111-1", "${card number}"},
		{"no-break spaces", "4111\u00a01111\u00a01111\u00a01111", "${card number}"},
		{"part of a longer number", "41111111111111112", "41111111111111112"},
		{"behind other digits", "94111111111111111", "94111111111111111"},
		{"next number follows", "4111111111111111 12/31", "${card number} 12/31"},
		{"A67 price shares two digits", "₹12.99 and 1,230", "₹12.99 and 1,230"},
		{"cvv as it is", "cvv 123.", "cvv ${cvv}."},
		{"cvv inside a number", "order 51234", "order 51234"},
		{"cvv with gaps is not matched", "1 2 3", "1 2 3"},
		{"words", "the correct horse ran", "the ${password} ran"},
		{"one character, whole word", "7 of 17, a7", "${pin} of 17, a7"},
		{"grouped letters and digits", "DE89 3704 0044 0532 0130 00", "${iban}"},
		{"twice", "correct horse, correct horse", "${password}, ${password}"},
		{"already masked", "type ${card number}", "type ${card number}"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := s.Mask(row.text); got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

func TestA68_FL19_LongerSecretIsReplacedWhole(t *testing.T) {
	s := set(t, map[string]string{"password": "opensesame", "passcode": "sesame"})
	if got, want := s.Mask("opensesame and sesame"), "${password} and ${passcode}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	overlapping := set(t, map[string]string{"password": "abcdef", "passcode": "efghi"})
	if got, want := overlapping.Mask("abcdefghi"), "${password}${passcode}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The name of a secret may hold the value of another; a placeholder must not be
// masked again.
func TestPlaceholdersAreLeftAlone(t *testing.T) {
	s := set(t, map[string]string{"card number": card, "word": "card", "password": "number"})
	masked := s.Mask("4111111111111111 card number")
	if want := "${card number} card ${password}"; masked != want {
		t.Errorf("masked %q, want %q", masked, want)
	}
	redacted := s.Redact(masked)
	if want := "${card number} ‹word› ${password}"; redacted != want {
		t.Errorf("redacted %q, want %q", redacted, want)
	}
	if again := s.Redact(redacted); again != redacted {
		t.Errorf("redacted twice %q, want %q", again, redacted)
	}
}

func TestA69_Redact(t *testing.T) {
	s := set(t, map[string]string{"full name": "Mira Olsen", "city": "Aarhus", "phone": "+45 20 30 40 50", "count": "2", "address": "Elm Row 4\nAarhus"})
	for text, want := range map[string]string{
		"delivery to Mira Olsen, Aarhus": "delivery to ‹full name›, ‹city›",
		"call +45 20 30 40 50":           "call ‹phone›",
		"call 4520304050":                "call ‹phone›",
		"2 notebooks, 12 pens":           "‹count› notebooks, 12 pens",
		"to Elm Row 4 Aarhus":            "to ‹address›",
	} {
		if got := s.Redact(text); got != want {
			t.Errorf("Redact(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestConvertedFormIsMasked(t *testing.T) {
	s := set(t, map[string]string{"passport expiry": "1998-03-24"}).WithForm("passport expiry", "24-03-1998")
	if got, want := s.Mask("1998-03-24 or 24-03-1998 or 24/03/1998"), "${passport expiry} or ${passport expiry} or 24/03/1998"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, _ := s.Reveal("passport expiry"); got != "1998-03-24" {
		t.Errorf("the form replaced the value: %q", got)
	}
}

// A value of a megabyte that repeats itself costs nothing on a text too short
// to hold it; compared from every place it would take minutes.
func TestAHugeValueIsNotComparedWithAShortText(t *testing.T) {
	s := set(t, map[string]string{"password": strings.Repeat("x", 1<<20)})
	text := strings.Repeat("x", 256<<10)
	began := time.Now()
	if got := s.Mask(text); got != text {
		t.Error("a text that does not hold the value was changed")
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("took %s", took)
	}
}

func FuzzMask(f *testing.F) {
	f.Add("a 4111 1111 1111 1111 b", "4111111111111111", "11")
	f.Add("${password}", "password", "${")
	f.Add("‹x›", "›", "\xff")
	f.Fuzz(func(t *testing.T, text, first, second string) {
		s := new(Set).Merge(map[string]string{"password": first, "passcode": second, "city": "x"})
		once := s.Mask(text)
		for _, value := range []string{first, second} {
			value = strings.TrimSpace(value)
			// A placeholder's own letters are not a leak, nor are values that
			// may stay inside a longer word or number.
			bare := strings.NewReplacer("${password}", "\x00", "${passcode}", "\x00", "‹password›", "\x00", "‹passcode›", "\x00").Replace(once)
			if len([]rune(value)) > shortValue && !isNumber(value) && strings.Contains(bare, value) &&
				!strings.ContainsAny(value, "\x00${}‹›") {
				t.Errorf("Mask(%q) = %q still holds %q", text, once, value)
			}
		}
		s.Redact(text)
	})
}

// Text for the rescuer is masked first and then redacted (tasks.md 5.4).
func TestA70_MaskedThenRedacted(t *testing.T) {
	s := set(t, map[string]string{"card number": card, "password": "hunter2", "city": "Aarhus", "name": "Jo"})
	text := "Jo of Aarhus typed hunter2 and 4111-1111-1111-1111"
	got := s.Redact(s.Mask(text))
	if want := "‹name› of ‹city› typed ${password} and ${card number}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
