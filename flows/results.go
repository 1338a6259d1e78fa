package flows

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"countersign/surfaces"
)

// mostPages is how many pages of results one step turns.
const mostPages = 20

var (
	nthWords  = []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"}
	nthResult = regexp.MustCompile(`(?i)^(?:please\s+)?(?:find\s+and\s+)?(?:click|press|tap|open|choose|select|go\s+to|visit)\s+(?:on\s+)?(?:the\s+)?(?:(\d{1,3})(?:st|nd|rd|th)|(` +
		strings.Join(nthWords, "|") + `))\s+(?:search\s+)?result(?:\s+link)?(?:\s+(?:in|of|on|from)\s+the\s+(?:list|page|results|search))?[.\s]*$`)
)

// resultAt reads the number of a result in a text that asks for no more, 0 for
// none.
func resultAt(text string) int {
	m := nthResult.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	return placeNumber(m[1], m[2])
}

// placeNumber is the number that digits say, or a word of nthWords; 0 for neither.
func placeNumber(digits, word string) int {
	if n, err := strconv.Atoi(digits); err == nil {
		return n
	}
	return slices.Index(nthWords, strings.ToLower(word)) + 1
}

// resultBeyond presses the nth result where the first page of results has fewer.
// What the results are tells the turning of a page: they are the one list of which
// nothing stays. beyond is false where that page has so many, or no other follows;
// then the loop looks for it there.
func (s *step) resultBeyond(ctx context.Context, n int) (beyond bool, outcome Outcome, note string, err error) {
	screen, err := s.lookReadable(ctx)
	if err != nil {
		return false, "", "", err
	}
	for page := 1; page <= mostPages; page++ {
		lists := openable(screen)
		next := pageAfter(screen, page)
		if page == 1 && (len(lists) == 0 || next == nil || len(lists[0]) >= n) {
			return false, "", "", nil
		}
		if next == nil {
			return true, "", "", failed("the results end on page %d, %d short of the one that is meant", page, n)
		}
		s.report.Turns++
		now, results, err := s.turnPage(ctx, screen, next, lists)
		if err != nil {
			return true, "", "", err
		}
		if n -= len(results.before); n <= len(results.after) {
			outcome, note, err = s.openCard(ctx, results.after[n-1])
			return true, outcome, note, err
		}
		screen = now
	}
	return true, "", "", failed("the result is not on the first %d pages", mostPages)
}

// openable are the lists of a screen whose every item can be opened, the longest
// first; where none shows, the links that stand in one place.
func openable(screen *surfaces.Screen) [][]card {
	lists := slices.DeleteFunc(listsOf(screen, false), func(list []card) bool {
		return slices.ContainsFunc(list, func(c card) bool { return c.primary() == nil })
	})
	if len(lists) > 0 {
		return lists
	}
	places := map[string][]card{}
	for _, c := range clickable(screen) {
		if c.Role == "link" && !pagerName(c.Name) {
			at := strings.Join(c.Path, "›")
			places[at] = append(places[at], card{controls: []*surfaces.Candidate{c}})
		}
	}
	lists = slices.DeleteFunc(slices.Collect(maps.Values(places)), func(list []card) bool { return len(list) < 2 })
	slices.SortFunc(lists, func(a, b []card) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0].controls[0].Order, b[0].controls[0].Order))
	})
	return lists
}

// turned is a list of results before and after a page was turned.
type turned struct{ before, after []card }

// turnPage presses what leads to the next page and waits for its results.
func (s *step) turnPage(ctx context.Context, before *surfaces.Screen, next *surfaces.Candidate, lists [][]card) (*surfaces.Screen, turned, error) {
	if err := s.mustPress(ctx, next); err != nil {
		return nil, turned{}, err
	}
	for range mostStalls {
		now, err := s.look(ctx)
		if err != nil {
			return nil, turned{}, err
		}
		if t, ok := turnedIn(lists, before, now); ok {
			return now, t, nil
		}
		s.place.AwaitChange(ctx, changeWaitMS)
	}
	return nil, turned{}, failed("%s did not lead to other results", next.Label())
}

// turnedIn finds the one list of which nothing stays, and what stands there now:
// the longest that is new. A last page may have a single result, which is no list.
func turnedIn(lists [][]card, before, now *surfaces.Screen) (turned, bool) {
	gone := slices.DeleteFunc(slices.Clone(lists), func(list []card) bool {
		return slices.ContainsFunc(list, func(c card) bool { return shows(now, c.primary()) })
	})
	if len(gone) != 1 {
		return turned{}, false
	}
	for _, list := range openable(now) {
		if !slices.ContainsFunc(list, func(c card) bool { return shows(before, c.primary()) }) {
			return turned{before: gone[0], after: list}, true
		}
	}
	var fresh []card
	for _, c := range clickable(now) {
		if c.Role == gone[0][0].primary().Role && !pagerName(c.Name) && !shows(before, c) {
			fresh = append(fresh, card{controls: []*surfaces.Candidate{c}})
		}
	}
	return turned{before: gone[0], after: fresh}, len(fresh) == 1
}

// shows reports a control of the same role and name on a screen.
func shows(screen *surfaces.Screen, c *surfaces.Candidate) bool {
	return slices.ContainsFunc(screen.Candidates, func(o surfaces.Candidate) bool { return o.Name == c.Name && o.Role == c.Role })
}

var (
	pageNumber = regexp.MustCompile(`^(?:(?:go to )?page )?(\d{1,4})$`)
	nextPage   = regexp.MustCompile(`^(?:>|›|»|→|(?:go to )?(?:the )?next(?: page| results)?[ >›»→]*|weiter|nächste(?: seite)?|siguiente|página siguiente)$`)
)

func pagerName(name string) bool {
	name = strings.ToLower(squash(name))
	return pageNumber.MatchString(name) || nextPage.MatchString(name)
}

// pageAfter finds what leads to the page after the nth: its number, where the
// number of another page stands beside it, else the only control called "next".
func pageAfter(screen *surfaces.Screen, n int) *surfaces.Candidate {
	var numbered, next []*surfaces.Candidate
	var to *surfaces.Candidate
	for _, c := range clickable(screen) {
		name := strings.ToLower(squash(c.Name))
		if m := pageNumber.FindStringSubmatch(name); m != nil {
			numbered = append(numbered, c)
			if m[1] == strconv.Itoa(n+1) {
				to = c
			}
		} else if nextPage.MatchString(name) {
			next = append(next, c)
		}
	}
	switch {
	case to != nil && len(numbered) > 1:
		return to
	case len(next) == 1:
		return next[0]
	}
	return nil
}

// openCard presses what opens a card.
func (s *step) openCard(ctx context.Context, c card) (Outcome, string, error) {
	s.report.Turns++
	if err := s.mustPress(ctx, c.primary()); err != nil {
		return "", "", err
	}
	return OutcomeDone, "pressed " + c.primary().Label(), nil
}
