package facts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"countersign/surfaces/fault"

	"github.com/google/go-cmp/cmp"
)

// card is the usual test number; it passes the Luhn check.
const card = "4111 1111 1111 1111"

func set(t *testing.T, values map[string]string, secret ...string) *Set {
	t.Helper()
	s, err := New(values, secret)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestA17_SecretNameThatIsNoFact(t *testing.T) {
	_, err := New(map[string]string{"note": "x"}, []string{"nota"})
	if !errors.Is(err, fault.New(fault.UnknownSecret, "")) {
		t.Errorf("got %v, want UNKNOWN_SECRET", err)
	}
	if err != nil && !strings.Contains(err.Error(), "nota") {
		t.Errorf("%v does not name the name", err)
	}
}

func TestA64_SensitiveNames(t *testing.T) {
	for name, want := range map[string]bool{
		"card number": true, "cvv": true, "CVC": true, "security code": true, "card expiry": true, "expiry date": true,
		"expiry": true, "card pin": true, "password": true, "passcode": true, "pin": true, "otp": true,
		"one-time code": true, "one time password": true, "passport": true, "passport number": true, "ssn": true,
		"social security": true, "aadhaar": true, "pan": true, "national id": true, "iban": true,
		"account number": true, "bank account": true, "routing number": true, "sort code": true,
		"Passport Number": true, "card_cvv": true, "login password": true, "PAN": true, "pin code": true,
		"passport.number": true, "cardNumber": true, "myPINCode": true,
		"date of birth": false, "company": false, "spinning class": false, "loyalty number": false,
		"email": false, "phone": false, "expand": false, "japan": false,
	} {
		if got := Sensitive(name); got != want {
			t.Errorf("Sensitive(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestCardData(t *testing.T) {
	s := set(t, map[string]string{"notes": card, "memo": "hello"})
	for name, want := range map[string]bool{
		"card number": true, "cvv": true, "card expiry": true, "expiry": true,
		"passport expiry": false, "password": false, "iban": false,
		"notes": true, "memo": false, "absent": false,
	} {
		if got := s.IsCardData(name); got != want {
			t.Errorf("IsCardData(%q) = %v, want %v", name, got, want)
		}
	}
	var none *Set
	if !none.IsCardData("card number") {
		t.Error("the empty set does not know a card number by its name")
	}
}

func TestA65_FL23_CardLookingValueIsSecret(t *testing.T) {
	s := set(t, map[string]string{"notes": card, "short": "4111"})
	if !s.IsSecret("notes") || s.IsSecret("short") {
		t.Errorf("notes %v, short %v; want true, false", s.IsSecret("notes"), s.IsSecret("short"))
	}
	if _, ok := s.Shared("notes"); ok {
		t.Error("a card number is handed out as shared")
	}
}

func TestCardNumber(t *testing.T) {
	for value, want := range map[string]bool{
		"4242 4242 4242 4242": true, "4111-1111-1111-1111": true, "4111111111111111": true,
		"4222222222222": true, "378282246310005": true,
		"4111 1111 1111 1112": false, "411111111111": false, "4111 1111 1111 1111x": false,
		"4111.1111.1111.1111": false, "": false, "41111111111111111111": false,
	} {
		if got := CardNumber(value); got != want {
			t.Errorf("CardNumber(%q) = %v, want %v", value, got, want)
		}
	}
}

func TestA72_SecretStaysSecretWhenMerged(t *testing.T) {
	s := set(t, map[string]string{"note": "a", "city": "Pune"}, "note")
	s = s.Merge(map[string]string{"note": "b", "city": "Oslo", "blank": " \t"})
	if got, _ := s.Reveal("note"); got != "b" || !s.IsSecret("note") {
		t.Errorf("note: %q, secret %v", got, s.IsSecret("note"))
	}
	if s.Has("blank") {
		t.Error("a blank value counts as given")
	}
	if got, want := s.SharedValues(), map[string]string{"city": "Oslo"}; !cmp.Equal(got, want) {
		t.Errorf("shared: %v, want %v", got, want)
	}
	if got, want := s.Names(), []string{"city", "note"}; !cmp.Equal(got, want) {
		t.Errorf("names: %v, want %v", got, want)
	}
	if got, want := s.SecretNames(), []string{"note"}; !cmp.Equal(got, want) {
		t.Errorf("secret names: %v, want %v", got, want)
	}
	later := s.Merge(nil, "wish").Merge(map[string]string{"wish": "tea"})
	if !later.IsSecret("wish") {
		t.Error("a name declared secret before its value came is shared")
	}
	if s.Has("wish") {
		t.Error("merging changed the set merged into")
	}
}

func TestNilSetIsEmpty(t *testing.T) {
	var s *Set
	if s.Has("a") || s.IsSecret("a") || len(s.Names()) != 0 || len(s.SecretNames()) != 0 || len(s.SharedValues()) != 0 {
		t.Error("the nil set holds something")
	}
	if got := s.Mask("a") + s.Redact("b") + s.String(); got != "abfacts[]" {
		t.Errorf("got %q", got)
	}
	if got, _ := s.Merge(map[string]string{"a": "x"}).WithForm("a", "y").Reveal("a"); got != "x" {
		t.Errorf("got %q, want x", got)
	}
}

// A value must not appear under any verb, whether the set is printed by
// pointer, by value or inside something else.
func TestA71_NoVerbPrintsAValue(t *testing.T) {
	s := set(t, map[string]string{"city": "Trondheim", "password": "hunter2"}).WithForm("password", "HUNTER-2")
	copied := *s
	holder := struct {
		Facts *Set
		inner *Set
		Copy  Set
	}{s, s, copied}
	for _, v := range []any{s, copied, &copied, holder, &holder, []*Set{s}, []Set{copied}, map[string]*Set{"f": s}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%X", "%T", "%t", "%p", "%c", "%U", "%e"} {
			leak(t, verb, fmt.Sprintf(verb, v))
		}
		leak(t, "Sprint", fmt.Sprint(v))
		j, err := json.Marshal(v)
		if err != nil {
			t.Errorf("encoding %T: %v", v, err)
		}
		leak(t, "json", string(j))
		var log bytes.Buffer
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "facts", v)
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "facts", v)
		leak(t, "slog", log.String())
	}
	if got := s.String(); !strings.Contains(got, "city") || !strings.Contains(got, "password (secret)") {
		t.Errorf("String() = %q; want the names", got)
	}
}

func leak(t *testing.T, how, text string) {
	t.Helper()
	for _, value := range []string{"Trondheim", "hunter2", "HUNTER-2", fmt.Sprintf("%x", "hunter2"), fmt.Sprintf("%X", "Trondheim")} {
		if strings.Contains(text, value) {
			t.Errorf("%s prints %q: %s", how, value, text)
		}
	}
}

func TestA29_KindOf(t *testing.T) {
	for name, want := range map[string]string{
		"email": "email", "Work Email": "email", "phone": "phone", "mobile": "phone", "travel date": "date",
		"birth place": "date", "dob": "date", "passenger count": "number", "number of seats": "number",
		"travellers": "number", "country": "number", "account": "number", "candidate": "date", "name": "text",
		"email date": "email",
	} {
		if got := KindOf(name); got != want {
			t.Errorf("KindOf(%q) = %q, want %q", name, got, want)
		}
	}
}
