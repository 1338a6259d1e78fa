package demosite

import (
	"net/url"
	"regexp"
	"strings"
	"time"
)

// field is one entry of a form, as the shared template draws it.
type field struct {
	Name, Label  string
	Type         string // text, email, tel, password, number, textarea, select or checkbox
	Autocomplete string
	Placeholder  string
	Hint         string
	Options      []string // select; the first is what stands there unchosen
	Optional     bool
	Check        func(value string) string // what is wrong with it, empty when nothing

	Value string
	Error string
}

// form is filled and checked as a whole.
type form []field

// fill returns the form holding what was sent, and whether all of it is right.
func (f form) fill(sent url.Values) (form, bool) {
	filled, right := make(form, len(f)), true
	for i, one := range f {
		one.Value = strings.TrimSpace(sent.Get(one.Name))
		one.Error = one.problem()
		right = right && one.Error == ""
		filled[i] = one
	}
	return filled, right
}

func (f field) problem() string {
	if f.Value == "" {
		switch {
		case f.Optional:
			return ""
		case f.Type == "checkbox":
			return "Please accept this to go on."
		case f.Type == "select":
			return "Please choose one."
		}
		return "Please fill in this field."
	}
	if f.Check == nil {
		return ""
	}
	return f.Check(f.Value)
}

// value gives what one field holds.
func (f form) value(name string) string {
	for _, one := range f {
		if one.Name == name {
			return one.Value
		}
	}
	return ""
}

// fault marks one field as wrong.
func (f form) fault(name, message string) {
	for i := range f {
		if f[i].Name == name {
			f[i].Error = message
		}
	}
}

// Wrong counts the fields with something wrong.
func (f form) Wrong() int {
	n := 0
	for _, one := range f {
		if one.Error != "" {
			n++
		}
	}
	return n
}

func checkEmail(v string) string {
	name, host, ok := strings.Cut(v, "@")
	if !ok || name == "" || !strings.Contains(host, ".") || strings.ContainsAny(v, " ,;") {
		return "Please enter an e-mail address such as name@example.org."
	}
	return ""
}

func checkPhone(v string) string {
	if n := len(digits(v)); n < 6 || n > 15 {
		return "Please enter a phone number with 6 to 15 digits."
	}
	return ""
}

func checkCardNumber(v string) string {
	d := digits(v)
	if len(d) < 13 || len(d) > 19 || !luhn(d) {
		return "Please check the card number."
	}
	return ""
}

func checkSecurityCode(v string) string {
	if d := digits(v); d != v || len(d) < 3 || len(d) > 4 {
		return "Please enter the 3 or 4 digits on the back of the card."
	}
	return ""
}

// checkExpiry wants MM/YY not before the given day's month.
func checkExpiry(today func() time.Time) func(string) string {
	shape := regexp.MustCompile(`^(0[1-9]|1[0-2]) ?/ ?(?:20)?(\d\d)$`)
	return func(v string) string {
		m := shape.FindStringSubmatch(v)
		if m == nil {
			return "Please enter the expiry date as MM/YY."
		}
		if m[2]+m[1] < today().Format("0601") {
			return "This card has expired."
		}
		return ""
	}
}

func digits(v string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, v)
}

// luhn is the check sum of ISO/IEC 7812-1 annex B.
func luhn(d string) bool {
	sum := 0
	for i := range len(d) {
		n := int(d[len(d)-1-i] - '0')
		if i%2 == 1 {
			n *= 2
		}
		sum += n/10 + n%10
	}
	return sum%10 == 0
}
