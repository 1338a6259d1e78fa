package parse

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Date is a day. Year 0 means that none was given: "14 October".
type Date struct{ Year, Month, Day int }

var months = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

var weekdays = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

// DateOf reads a text that is a date and nothing else, when it reads in one way
// only and the day exists (flows.md 11.5): year first, or the month in words,
// or year last where only one reading is possible. A weekday before it is
// allowed. "14 October" gives a Date without a year.
func DateOf(s string) (Date, bool) {
	if d, ok := numericDate(strings.TrimSpace(s)); ok {
		return d, true
	}
	tokens := dateTokens(s)
	for len(tokens) > 0 && (isWeekday(tokens[0]) || tokens[0] == "the") {
		tokens = tokens[1:]
	}
	return spelledDate(tokens)
}

// DateIn finds the first date that stands in a longer text.
func DateIn(s string) (Date, bool) {
	fields := strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == '(' || r == ')' })
	for i := range fields {
		for n := min(4, len(fields)-i); n > 0; n-- {
			if d, ok := DateOf(strings.Join(fields[i:i+n], " ")); ok {
				return d, true
			}
		}
	}
	return Date{}, false
}

// Full reports whether the date has a year.
func (d Date) Full() bool { return d.Year != 0 }

// Next is the date itself when it is full, else its next occurrence on or after
// the given day: what "14 October" means to a calendar. 29 February goes on to
// the next leap year.
func (d Date) Next(year, month, day int) Date {
	if d.Full() {
		return d
	}
	next := Date{year, d.Month, d.Day}
	if next.Before(Date{year, month, day}) {
		next.Year++
	}
	for next.Day > daysIn(next.Year, next.Month) && next.Year < year+9 {
		next.Year++
	}
	return next
}

// Before reports whether d is an earlier day than other.
func (d Date) Before(other Date) bool {
	switch {
	case d.Year != other.Year:
		return d.Year < other.Year
	case d.Month != other.Month:
		return d.Month < other.Month
	default:
		return d.Day < other.Day
	}
}

// String is "15 November 2026", as a calendar's day describes itself, or
// "15 November" without a year.
func (d Date) String() string {
	if !d.Full() {
		return fmt.Sprintf("%d %s", d.Day, d.MonthName())
	}
	return fmt.Sprintf("%d %s %d", d.Day, d.MonthName(), d.Year)
}

// Heading is "November 2026", as a calendar heads a month; without a year,
// "November".
func (d Date) Heading() string {
	if !d.Full() {
		return d.MonthName()
	}
	return fmt.Sprintf("%s %d", d.MonthName(), d.Year)
}

// MonthName is the month in English, empty for none.
func (d Date) MonthName() string {
	if d.Month < 1 || d.Month > len(months) {
		return ""
	}
	name := months[d.Month-1]
	return strings.ToUpper(name[:1]) + name[1:]
}

// Layout writes a full date in one of the layouts LayoutOf gives.
func (d Date) Layout(layout string) string {
	return strings.NewReplacer(
		"YYYY", fmt.Sprintf("%04d", d.Year), "YY", fmt.Sprintf("%02d", d.Year%100),
		"MM", fmt.Sprintf("%02d", d.Month), "DD", fmt.Sprintf("%02d", d.Day),
	).Replace(layout)
}

// layouts are those recognised, most specific first (flows.md 11.5).
var layouts = []string{
	"YYYY-MM-DD", "YYYY/MM/DD", "DD-MM-YYYY", "DD/MM/YYYY", "DD.MM.YYYY", "MM-DD-YYYY", "MM/DD/YYYY",
	"DD-MM-YY", "DD/MM/YY", "MM/DD/YY",
}

// LayoutOf finds the layout of dates that a field's hints name, in any case.
func LayoutOf(hints ...string) (layout string, ok bool) {
	for _, layout := range layouts {
		for _, hint := range hints {
			if named(hint, layout) {
				return layout, true
			}
		}
	}
	return "", false
}

// Reformat puts a date into the layout a field's hints name. A value that is no
// full date, or hints that name no layout, give the value unchanged and false.
func Reformat(value string, hints ...string) (string, bool) {
	d, ok := DateOf(value)
	if !ok || !d.Full() {
		return value, false
	}
	layout, ok := LayoutOf(hints...)
	if !ok {
		return value, false
	}
	return d.Layout(layout), true
}

// named reports whether a hint holds the layout as a word of its own; spaces
// round its separators are overlooked.
func named(hint, layout string) bool {
	hint = strings.ToUpper(hint)
	for _, sep := range []string{"-", "/", "."} {
		hint = strings.ReplaceAll(strings.ReplaceAll(hint, " "+sep, sep), sep+" ", sep)
	}
	part := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '/' || r == '-' }
	for from := 0; ; {
		i := strings.Index(hint[from:], layout)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(layout)
		if !part(runeBefore(hint, start)) && !part(runeAfter(hint, end)) {
			return true
		}
		from = end
	}
}

// numericDate reads 1998-03-24, 1998/3/4 and, where only one reading exists,
// 24/03/1998.
func numericDate(s string) (Date, bool) {
	sep := strings.IndexAny(s, "-/.")
	if sep < 0 {
		return Date{}, false
	}
	parts := strings.Split(s, s[sep:sep+1])
	if len(parts) != 3 {
		return Date{}, false
	}
	for i, p := range parts {
		parts[i] = strings.TrimSpace(p)
		if digitsEnd(parts[i], 0) != len(parts[i]) || parts[i] == "" || len(parts[i]) > 4 {
			return Date{}, false
		}
	}
	a, b, c := atoi(parts[0]), atoi(parts[1]), atoi(parts[2])
	switch {
	case len(parts[0]) == 4 && len(parts[1]) <= 2 && len(parts[2]) <= 2:
		return existing(Date{a, b, c})
	case len(parts[2]) != 4 || len(parts[0]) > 2 || len(parts[1]) > 2:
		return Date{}, false
	}
	dayFirst, okDay := existing(Date{c, b, a})
	monthFirst, okMonth := existing(Date{c, a, b})
	switch {
	case okDay && (!okMonth || dayFirst == monthFirst):
		return dayFirst, true
	case okMonth && !okDay:
		return monthFirst, true
	default:
		return Date{}, false
	}
}

// spelledDate reads a day, a month in words and maybe a year, in any order.
func spelledDate(tokens []string) (Date, bool) {
	if len(tokens) < 2 || len(tokens) > 3 {
		return Date{}, false
	}
	var d Date
	for _, t := range tokens {
		if m := monthOf(t); m > 0 && d.Month == 0 {
			d.Month = m
			continue
		}
		digits := strings.TrimRight(t, "stndrh")
		if digits == "" || digitsEnd(digits, 0) != len(digits) {
			return Date{}, false
		}
		suffix := t[len(digits):]
		switch {
		case len(digits) == 4 && suffix == "" && d.Year == 0:
			d.Year = atoi(digits)
			if d.Year == 0 {
				return Date{}, false
			}
		case len(digits) <= 2 && d.Day == 0 && slices.Contains([]string{"", "st", "nd", "rd", "th"}, suffix):
			d.Day = atoi(digits)
		default:
			return Date{}, false
		}
	}
	return existing(d)
}

// dateTokens splits a spelled date; "of" and punctuation between its parts are
// dropped.
func dateTokens(s string) []string {
	fields := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return unicode.IsSpace(r) || r == ',' || r == '.' || r == '-' || r == '/'
	})
	return slices.DeleteFunc(fields, func(f string) bool { return f == "of" })
}

// monthOf gives the number of an English month, full or abbreviated; 0 for
// none.
func monthOf(word string) int {
	if word == "sept" {
		return 9
	}
	for i, name := range months {
		if word == name || word == name[:3] {
			return i + 1
		}
	}
	return 0
}

func isWeekday(word string) bool {
	return slices.ContainsFunc(weekdays, func(day string) bool {
		return word == day || len(word) >= 3 && len(word) <= 5 && strings.HasPrefix(day, word)
	})
}

// existing gives a date whose day exists; without a year, in some year.
func existing(d Date) (Date, bool) {
	year := d.Year
	if year == 0 {
		year = 2000 // a leap year
	}
	if d.Year < 0 || d.Year > 0 && d.Year < 1000 || d.Month < 1 || d.Month > 12 || d.Day < 1 || d.Day > daysIn(year, d.Month) {
		return Date{}, false
	}
	return d, true
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	default:
		return 31
	}
}
