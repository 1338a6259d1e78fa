package flows

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"countersign/flows/parse"
	"countersign/flows/safety"
	"countersign/surfaces"
)

// direction is where a calendar is paged.
type direction string

const (
	onward   direction = "forward"
	backward direction = "back"
)

const (
	yearMonths = 12 // of a list of months, and from which a year's arrow serves
	headReach  = 30 // week days and arrows stand between a heading and its days
)

// months counts the day's month from the year 0 on.
func months(d parse.Date) int { return d.Year*yearMonths + d.Month - 1 }

// wayFrom tells where the day's month lies from the one that shows, and whether
// a year or more away. A calendar that tells no month is paged forward.
func (d day) wayFrom(screen *surfaces.Screen, cells []*surfaces.Candidate) (way direction, far bool) {
	shown, ok := monthOf(screen, cells)
	if !ok {
		return onward, false
	}
	distance := months(d.Date) - months(shown)
	if distance < 0 {
		return backward, -distance >= yearMonths
	}
	return onward, distance >= yearMonths
}

// monthOf is the month a calendar shows: that of most of its days, since the
// weeks at the edges hold days of its neighbours, else that of its heading.
func monthOf(screen *surfaces.Screen, cells []*surfaces.Candidate) (parse.Date, bool) {
	days := map[parse.Date]int{}
	var most parse.Date
	for _, c := range cells {
		if got, ok := parse.DateIn(c.Description); ok && got.Full() {
			got.Day = 0
			if days[got]++; days[got] > days[most] {
				most = got
			}
		}
	}
	if days[most] > 0 {
		return most, true
	}
	for _, heading := range headings(screen, cells) {
		if month, ok := monthIn(heading); ok {
			return month, true
		}
	}
	return most, false
}

// headings are the texts that may head the days: those shortly before the first
// of them, and the parts of the screen they stand in.
func headings(screen *surfaces.Screen, cells []*surfaces.Candidate) []string {
	if len(cells) == 0 {
		return nil
	}
	var out []string
	for _, t := range screen.TextNodes {
		if before := cells[0].Order - t.Order; before >= 0 && before <= headReach {
			out = append(out, t.Text)
		}
	}
	slices.Reverse(out) // the nearest first
	return append(out, cells[0].Path...)
}

// monthIn reads a month and its year: "October 2026", "Oct 2026".
func monthIn(text string) (parse.Date, bool) {
	year, err := strconv.Atoi(yearIn.FindString(text))
	if err != nil {
		return parse.Date{}, false
	}
	for _, w := range safety.Words(text) {
		for m := time.January; m <= time.December; m++ {
			if isNameOf(m, w) {
				return parse.Date{Year: year, Month: int(m)}, true
			}
		}
	}
	return parse.Date{}, false
}

func isNameOf(m time.Month, word string) bool {
	name := m.String()
	return strings.EqualFold(word, name) || strings.EqualFold(word, name[:3])
}

// arrows mark what pages a calendar: a year where one is far, else a month.
var arrows = map[direction]struct{ month, year *regexp.Regexp }{
	onward:   {regexp.MustCompile(`(?i)^\W*(next month|next|›|»|>|→|forward)\W*$`), regexp.MustCompile(`(?i)^\W*next year\W*$`)},
	backward: {regexp.MustCompile(`(?i)^\W*(previous month|prev month|previous|prev|‹|«|<|←)\W*$`), regexp.MustCompile(`(?i)^\W*(previous|prev|last) year\W*$`)},
}

// arrow finds what pages the calendar: one that says it pages months, else any.
func (s *step) arrow(screen *surfaces.Screen, way direction, far bool) *surfaces.Candidate {
	var month, other, year *surfaces.Candidate
	for _, c := range clickable(screen) {
		isMonth, isYear := arrows[way].month.MatchString(c.Name), arrows[way].year.MatchString(c.Name)
		if !isMonth && !isYear || c.Has(surfaces.Disabled) || s.gate(screen, c) != nil {
			continue
		}
		switch {
		case isYear:
			year = c
		case month == nil && strings.Contains(strings.ToLower(c.Name), "month"):
			month = c
		case other == nil:
			other = c
		}
	}
	switch {
	case far && year != nil:
		return year
	case month != nil:
		return month
	default:
		return other
	}
}

// setMonth takes the year, then the month, in drop-downs of the calendar's own;
// false when both are right already or there are none.
func (s *step) setMonth(ctx context.Context, screen *surfaces.Screen, d day) (bool, error) {
	lists := dropDowns(screen)
	for _, right := range []func(list []*surfaces.Candidate) *surfaces.Candidate{d.yearOf, d.monthOf} {
		option, taken := take(lists, right)
		if option == nil || taken {
			continue
		}
		reply, err := s.act(ctx, action{op: surfaces.Click, target: option})
		if err != nil || !reply.OK {
			return false, err
		}
		return true, nil
	}
	return false, nil
}

// take finds the right option of the lists, and whether one of them stands at it.
func take(lists [][]*surfaces.Candidate, right func([]*surfaces.Candidate) *surfaces.Candidate) (option *surfaces.Candidate, taken bool) {
	for _, list := range lists {
		c := right(list)
		if c == nil {
			continue
		}
		if c.Has(surfaces.Selected) {
			return c, true
		}
		if option == nil && !c.Has(surfaces.Covered) {
			option = c
		}
	}
	return option, false
}

// monthTaken reports whether drop-downs stand at the day's month and year.
func (d day) monthTaken(screen *surfaces.Screen) bool {
	lists := dropDowns(screen)
	_, year := take(lists, d.yearOf)
	_, month := take(lists, d.monthOf)
	return year && month
}

// dropDowns are the options of a screen, by the list they stand in.
func dropDowns(screen *surfaces.Screen) [][]*surfaces.Candidate {
	var out [][]*surfaces.Candidate
	var last *surfaces.Candidate
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		if c.Role != "option" {
			last = nil
			continue
		}
		if last == nil || c.Bounds != last.Bounds || !slices.Equal(c.Path, last.Path) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], c)
		last = c
	}
	return out
}

func (d day) yearOf(list []*surfaces.Candidate) *surfaces.Candidate {
	for _, c := range list {
		if squash(c.Name) == strconv.Itoa(d.Year) {
			return c
		}
	}
	return nil
}

// monthOf is the day's month in a list: by its English name, or, where twelve
// options have names of their own, by its place among them.
func (d day) monthOf(list []*surfaces.Candidate) *surfaces.Candidate {
	words := 0
	for _, c := range list {
		if isNameOf(time.Month(d.Month), squash(c.Name)) {
			return c
		}
		if !yearIn.MatchString(c.Name) {
			words++
		}
	}
	if words == yearMonths && len(list) == yearMonths {
		return list[d.Month-1]
	}
	return nil
}
