package flows

import (
	"context"
	"regexp"
	"strings"
	"time"

	"countersign/flows/parse"
	"countersign/surfaces"
)

// leastDays is how many day cells make a calendar of bare numbers (9.6).
const leastDays = 7

// day is a date to be picked; its year is the calendar's own when none was
// given.
type day struct{ parse.Date }

// dayOf reads a text that is a date and nothing else worth typing.
func dayOf(text string) (day, bool) {
	d, ok := parse.DateOf(text)
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
// name. A day without a year is any year's: the calendar pages forward, so the
// first one met is the next.
func (d day) shows(c *surfaces.Candidate) bool {
	for _, text := range []string{c.Description, c.Name} {
		if got, ok := parse.DateOf(text); ok {
			return got.Day == d.Day && got.Month == d.Month && (d.Year == 0 || got.Year == d.Year)
		}
	}
	return false
}

// month is the month a heading names, as "October 2026"; with year 0 any year.
func (d day) inHeading(text string) bool {
	text = strings.ToLower(text)
	name := strings.ToLower(time.Month(d.Month).String())
	if !strings.Contains(text, name) && !regexp.MustCompile(`\b`+name[:3]+`\b`).MatchString(text) {
		return false
	}
	year := regexp.MustCompile(`\b\d{4}\b`).FindString(text)
	return d.Year == 0 || year == "" || year == time.Date(d.Year, 1, 1, 0, 0, 0, 0, time.UTC).Format("2006")
}

// nextMonth marks the control that pages a calendar forward.
var nextMonth = regexp.MustCompile(`(?i)^\W*(next month|next|›|»|>|→|forward)\W*$`)

// pageTo pages forward until the day shows, at most twelve months and never
// past the month, and presses it.
func (s *step) pageTo(ctx context.Context, d day) error {
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
		arrow := s.arrow(screen)
		if arrow == nil {
			return failed("the calendar cannot be paged forward")
		}
		reply, err := s.act(ctx, action{op: surfaces.Click, target: arrow})
		if err != nil {
			return err
		}
		if !reply.OK {
			return failedWith(reply.Err())
		}
	}
	return failed("that day was not found in the next %d months", mostMonths)
}

// among finds the day: by a dated description, or, where days are bare
// numbers, under a heading that names the month.
func (d day) among(screen *surfaces.Screen, cells []*surfaces.Candidate) *surfaces.Candidate {
	dated := false
	for _, c := range cells {
		if d.shows(c) {
			return c
		}
		_, ok := parse.DateOf(c.Description)
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
	inMonth := 0 // the weeks at the edges show days of the neighbouring months
	for _, c := range cells {
		if got, ok := parse.DateOf(c.Description); ok && got.Month == d.Month && (d.Year == 0 || got.Year == d.Year) {
			inMonth++
		}
	}
	if inMonth > 2*leastDays {
		return true
	}
	const before = 30 // week days and arrows stand between a heading and its days
	for _, t := range screen.TextNodes {
		if t.Order <= cells[0].Order && cells[0].Order-t.Order <= before && d.inHeading(t.Text) {
			return true
		}
	}
	for _, part := range cells[0].Path {
		if d.inHeading(part) {
			return true
		}
	}
	return false
}

// arrow finds what pages the calendar forward: in its own layer, else any.
func (s *step) arrow(screen *surfaces.Screen) *surfaces.Candidate {
	var best *surfaces.Candidate
	for _, c := range clickable(screen) {
		if !nextMonth.MatchString(c.Name) || c.Has(surfaces.Disabled) || s.gate(screen, c) != nil {
			continue
		}
		if strings.Contains(strings.ToLower(c.Name), "month") {
			return c
		}
		if best == nil {
			best = c
		}
	}
	return best
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
