package flows

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// hopelessCodes are those after which looking or acting again cannot help: the
// step fails at once and the controller decides.
var hopelessCodes = [...]fault.Code{
	fault.NoSuchSession, fault.BrowserUnavailable, fault.LimitExceeded, fault.PolicyDenied,
	fault.DesktopNotAvailable, fault.BrowserNotAvailable, fault.PermDenied, fault.PlatformNotSupported, fault.OwnWindow,
}

func hopeless(code fault.Code) bool { return slices.Contains(hopelessCodes[:], code) }

// look reads the app once. A reading that failed comes back as a screen with
// nothing in front, so that a shortcut may still be pressed; the third in a
// row, and a code that cannot get better, end the step.
func (s *step) look(ctx context.Context) (*surfaces.Screen, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	screen, reply := s.place.Observe(ctx, s.app, "", surfaces.Full)
	if screen == nil {
		s.unreadable++
		if s.unreadable >= mostUnreadable || hopeless(reply.Code()) {
			s.unreadable = 0
			return nil, failedWith(reply.Err())
		}
		s.note("the window could not be read (%s); a keyboard shortcut may still work", reply.Code())
		return &surfaces.Screen{App: s.app, Surface: surfaces.FrontNone, Side: sideOf(s.app)}, nil
	}
	s.unreadable = 0
	s.explore(ctx, screen)
	if s.screen == nil {
		s.screen = &surfaces.Screen{Surface: screen.Surface} // before the first look there was nothing
	}
	changed := surfaces.ChangeNote(s.screen, screen, s.req.IncludeValues)
	s.settleChange(screen)
	s.minded(screen)
	s.screen = screen
	if s.began == nil {
		s.began = screen
	}
	s.report.Side = screen.Side
	if s.req.Observer != nil {
		s.req.Observer.Seen(s.seen(screen, changed))
	}
	return screen, nil
}

// lookReadable looks until the app can be read, at most three times.
func (s *step) lookReadable(ctx context.Context) (*surfaces.Screen, error) {
	for {
		screen, err := s.look(ctx)
		if err != nil || screen.Surface != surfaces.FrontNone {
			return screen, err
		}
		s.place.AwaitChange(ctx, openPauseMS)
	}
}

// explore reads up to four subtrees that were cut short and merges them.
func (s *step) explore(ctx context.Context, screen *surfaces.Screen) {
	const mostSubtrees = 4
	for _, root := range screen.Unexplored[:min(len(screen.Unexplored), mostSubtrees)] {
		part, _ := s.place.Observe(ctx, s.app, root, surfaces.Full)
		if part == nil {
			continue
		}
		screen.Candidates = append(screen.Candidates, part.Candidates...)
		screen.TextNodes = append(screen.TextNodes, part.TextNodes...)
		for _, line := range part.Context {
			if !slices.Contains(screen.Context, line) && len(screen.Context) < mostVisible {
				screen.Context = append(screen.Context, line)
			}
		}
	}
	screen.Unexplored = nil
}

// settleChange tells the action that waits for it what the next look shows;
// nil when there is no further look in this step.
func (s *step) settleChange(screen *surfaces.Screen) {
	act := s.awaiting
	if act == nil {
		return
	}
	s.awaiting = nil
	if screen == nil {
		return
	}
	d := surfaces.Difference(s.screen, screen)
	change := d.Note(s.req.IncludeValues)
	if s.file != "" {
		change = "downloaded " + s.file
	}
	act.Change = s.mask(change)
	s.note("%s: %s", act.Op, act.Change)
	if s.last != nil {
		s.last.Changed = !d.Empty() || s.file != ""
		s.last.Note = act.Change
		s.last.Opened, s.last.Gone = d.Appeared, d.Gone
		s.last.Window = d.Window
		s.last.Said = newLines(s.screen, screen)
	}
}

// newLines are the visible lines that were not there before.
func newLines(before, now *surfaces.Screen) []string {
	var out []string
	for _, line := range now.Context {
		if before == nil || !slices.Contains(before.Context, line) {
			out = append(out, line)
		}
	}
	return out
}

// minded keeps track of a dialog our own press or typing put in front.
func (s *step) minded(now *surfaces.Screen) {
	if !layered(now) {
		s.ownDialog = false
		return
	}
	if s.screen == nil || layered(s.screen) || s.last == nil || !s.last.OK {
		return
	}
	s.ownDialog = slices.Contains(opening[:], surfaces.Op(s.last.Op))
}

// opening are the acts that can put a dialog of our own in front.
var opening = [...]surfaces.Op{surfaces.Click, surfaces.Expand, surfaces.TypeText, opPaste, opPress}

// layered reports whether something lies in front of the window.
func layered(screen *surfaces.Screen) bool {
	switch screen.Surface {
	case surfaces.FrontSheet, surfaces.FrontDialog, surfaces.FrontAlert:
		return true
	default:
		return false
	}
}

// seen is a look as the desk shows it: masked, in document order.
func (r *run) seen(screen *surfaces.Screen, changed string) Seen {
	out := Seen{
		Side: screen.Side, Address: r.mask(screen.Address), Window: r.mask(screen.Window), Surface: screen.Surface,
		Lines: []string{}, Fields: []SeenField{}, Changed: r.mask(changed),
	}
	for _, line := range documentLines(screen) {
		out.Lines = append(out.Lines, r.mask(line))
	}
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		if !isField(c) {
			continue
		}
		label := c.Name
		if label == "" {
			label = c.Role
		}
		value := r.held(screen, c, label, c.Value)
		if r.blind() && value == c.Value {
			value = "" // a page may repeat the secret anywhere
		}
		out.Fields = append(out.Fields, SeenField{Label: r.mask(label), Value: value})
	}
	return out
}

// mostSeenOptions is how many unchosen options of one list a person is shown: a
// list of countries would bury the page.
const mostSeenOptions = 6

// documentLines are the visible texts and control labels in document order,
// without what fields hold.
func documentLines(screen *surfaces.Screen) []string {
	type line struct {
		order int
		text  string
	}
	var lines []line
	for _, t := range screen.TextNodes {
		if !t.Field && strings.TrimSpace(t.Text) != "" {
			lines = append(lines, line{t.Order, squash(t.Text)})
		}
	}
	if len(lines) == 0 {
		for _, text := range screen.Context {
			lines = append(lines, line{-1, text})
		}
	}
	options := map[string]int{}
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		if c.Role == "option" && !chosen(c) {
			list := strings.Join(c.Path, "›")
			if options[list]++; options[list] > mostSeenOptions {
				continue
			}
		}
		lines = append(lines, line{c.Order, surfaces.Line(c, false)})
	}
	sort.SliceStable(lines, func(i, j int) bool { return lines[i].order < lines[j].order })
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.text
	}
	return out
}

// isField reports whether a control holds text or a choice of its own.
func isField(c *surfaces.Candidate) bool {
	switch c.Role {
	case "textbox", "searchbox", "combobox", "textarea", "spinbutton":
		return true
	default:
		return c.TakesText() || c.InputType == "select"
	}
}

// find gives the control of another reading that is the same to a person: role,
// name and path. Among look-alikes the one with the same ref, else the nearest
// to where it stood; find says with alone whether there was no look-alike.
func find(screen *surfaces.Screen, want *surfaces.Candidate) (match *surfaces.Candidate, alone bool) {
	count := 0
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		if c.Role != want.Role || c.Name != want.Name || !slices.Equal(c.Path, want.Path) {
			continue
		}
		if c.Ref == want.Ref {
			return c, true
		}
		count++
		if match == nil || distance(c, want) < distance(match, want) {
			match = c
		}
	}
	return match, count == 1
}

func distance(a, b *surfaces.Candidate) int { return max(a.Order-b.Order, b.Order-a.Order) }

// same is find for those who may take the nearest look-alike.
func same(screen *surfaces.Screen, want *surfaces.Candidate) *surfaces.Candidate {
	c, _ := find(screen, want)
	return c
}

// placeOf names a control by label and where it stands, so that it stays the
// same over readings and a toggle's two faces differ only in label.
func placeOf(c *surfaces.Candidate) string {
	return fmt.Sprintf("%s|%s|%s", c.Role, c.Name, strings.Join(c.Path, "›"))
}
