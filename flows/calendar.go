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

// leastDays is how many day cells make a calendar of bare numbers (9.6).
const leastDays = 7

// day is a date to be picked, with its year.
type day struct{ parse.Date }

// dayOf reads a text that is a date; one without a year means its next
// occurrence (11.5).
func dayOf(text string) (day, bool) {
	d, ok := parse.DateOf(text)
	if ok && !d.Full() {
		year, month, today := time.Now().Date()
		d = d.Next(year, int(month), today)
	}
	return day{d}, ok
}

// dayCells are the cells of a calendar on screen.
func dayCells(screen *surfaces.Screen) []*surfaces.Candidate {
	var out []*surfaces.Candidate
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		if (c.Role == "gridcell" || c.Role == "cell" || c.Role == "button" && bareDay.MatchString(c.Name)) && !c.Has(surfaces.Covered) && dayNumber(c) > 0 {
			out = append(out, c)
		}
	}
	return out
}

var bareDay = regexp.MustCompile(`^\d{1,2}$`)

// calendarShows reports whether a calendar is open: enough days, or its arrow to
// the next month, which alone is left at the end of a month whose past days are
// switched off.
func calendarShows(screen *surfaces.Screen) bool {
	if len(dayCells(screen)) >= leastDays {
		return true
	}
	for _, c := range clickable(screen) {
		if pagesMonth.MatchString(c.Name) && !c.Has(surfaces.Covered) {
			return true
		}
	}
	return false
}

var pagesMonth = regexp.MustCompile(`(?i)^\W*next month\W*$`)

// dayNumber reads the number a day cell starts with; 0 for none.
func dayNumber(c *surfaces.Candidate) int {
	n := 0
	for _, r := range strings.TrimSpace(c.Name) {
		if r < '0' || r > '9' {
			break
		}
		if n = n*10 + int(r-'0'); n > 31 {
			return 0
		}
	}
	return n
}

// shows reports whether a cell is the day, by the date in its description or
// name.
func (d day) shows(c *surfaces.Candidate) bool {
	for _, text := range []string{c.Description, c.Name} {
		if got, ok := parse.DateIn(text); ok && got.Full() {
			return got == d.Date
		}
	}
	return false
}

// inHeading reports whether a text names the day's month: "October 2026", or
// "October" alone.
func (d day) inHeading(text string) bool {
	year := yearIn.FindString(text)
	if year != "" && year != strconv.Itoa(d.Year) {
		return false
	}
	return slices.ContainsFunc(safety.Words(text), func(w string) bool { return isNameOf(time.Month(d.Month), w) })
}

var yearIn = regexp.MustCompile(`\b\d{4}\b`)

// pageTo pages towards the day's month until the day shows, at most twelve
// presses and never past the month, and presses it.
func (s *step) pageTo(ctx context.Context, d day) error {
	var way direction
	for range mostMonths + 1 {
		screen, err := s.lookReadable(ctx)
		if err != nil {
			return err
		}
		cells := dayCells(screen)
		if c := d.among(screen, cells); c != nil {
			if c.Has(surfaces.Disabled) {
				return failed("the calendar does not offer that day")
			}
			return s.pressDay(ctx, c)
		}
		if d.monthShown(screen, cells) {
			return failed("the calendar shows the month but does not offer that day")
		}
		if set, err := s.setMonth(ctx, screen, d); err != nil {
			return err
		} else if set {
			continue
		}
		to, far := d.wayFrom(screen, cells)
		if way != "" && to != way {
			return failed("the calendar goes past the month of that day")
		}
		way = to
		arrow := s.arrow(screen, way, far)
		if arrow == nil {
			return failed("the calendar cannot be paged %s", way)
		}
		reply, err := s.act(ctx, action{op: surfaces.Click, target: arrow})
		if err != nil {
			return err
		}
		if !reply.OK {
			return failedWith(reply.Err())
		}
	}
	return failed("that day was not found within %d months", mostMonths)
}

// among finds the day: by a dated description, or, where days are bare
// numbers, under a heading that names the month.
func (d day) among(screen *surfaces.Screen, cells []*surfaces.Candidate) *surfaces.Candidate {
	dated := false
	for _, c := range cells {
		if d.shows(c) {
			return c
		}
		_, ok := parse.DateIn(c.Description)
		dated = dated || ok
	}
	if dated || len(cells) < leastDays || !d.monthShown(screen, cells) {
		return nil
	}
	for _, c := range cells {
		if dayNumber(c) == d.Day {
			return c
		}
	}
	return nil
}

// monthShown reports whether a heading near the first cells names the month.
func (d day) monthShown(screen *surfaces.Screen, cells []*surfaces.Candidate) bool {
	if len(cells) == 0 {
		return false
	}
	if d.monthTaken(screen) {
		return true
	}
	inMonth := 0 // the weeks at the edges show days of the neighbouring months
	for _, c := range cells {
		if got, ok := parse.DateIn(c.Description); ok && got.Month == d.Month && got.Year == d.Year {
			inMonth++
		}
	}
	if inMonth > 2*leastDays {
		return true
	}
	return slices.ContainsFunc(headings(screen, cells), d.inHeading)
}

func (s *step) pressDay(ctx context.Context, c *surfaces.Candidate) error {
	if c.Has(surfaces.Selected) {
		return nil
	}
	reply, err := s.press(ctx, c)
	if err != nil {
		return err
	}
	if !reply.OK {
		return failedWith(reply.Err())
	}
	_, err = s.lookReadable(ctx)
	return err
}
