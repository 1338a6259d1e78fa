package flows

import "testing"

func TestHowATextIsSpelled(t *testing.T) {
	for says, want := range map[string]struct {
		field  string
		casing casing
		odd    bool
	}{
		`Enter "Ann" in lower case into Message`:                {"Message", lowerCase, false},
		`Enter Ann in lowercase into the Message field`:         {"Message field", lowerCase, false},
		`Type "Ann", all in capital letters, into the box`:      {onlyBox, upperCase, false},
		`Type the text "Ann" in all caps in the message field`:  {"message field", upperCase, false},
		`Copy the code below in upper case into Answer`:         {"Answer", upperCase, false},
		`Enter "in lower case" into Message`:                    {"Message", asWritten, false},
		`Enter "5" in Block A`:                                  {"Block A", asWritten, false},
		`Enter "Ann" backwards into Message`:                    {odd: true},
		`Enter HELLO in reverse into Message`:                   {odd: true},
		`Enter "Ann" in bold in the message field`:              {odd: true},
		`Enter backwards into Title`:                            {"Title", asWritten, false},
		`Enter "Ann" as the message`:                            {"message", asWritten, false},
		`Enter the word "Ann" in the text field`:                {onlyBox, asWritten, false},
		`Enter the username "kim" in the box`:                   {"username", asWritten, false},
		`Enter "Ann" into the text`:                             {onlyBox, asWritten, false},
		`Press the button in lower case and enter "x" into Pin`: {},
	} {
		c := clausesOf(says)[0]
		field := ""
		if c.types() {
			field = c.slots[0].Name
		}
		if field != want.field || c.casing != want.casing || c.odd != want.odd {
			t.Errorf("%s: into %q spelled %d odd %v, want %v", says, field, c.casing, c.odd, want)
		}
	}
	if got := lowerCase.of("ÄB") + upperCase.of("äb") + asWritten.of("äB"); got != "äbÄBäB" {
		t.Error(got)
	}
}
