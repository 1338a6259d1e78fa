package inspector

import (
	"cmp"
	"fmt"
	"strings"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/ui/text"
)

// stepList holds the reports as rows, in the order the steps were reached. It
// grows at its end; a report that is already there is replaced in place.
type stepList struct {
	width int
	slots []slot
	rows  []stepRow
	byKey map[string]int // run and path to slot

	latest map[string]flows.StepReport // by path: what its newest run says

	failed  string                       // key of the top-level step that failed last
	rescues map[string][]task.RescueNote // by the key of the step each was for
	told    map[int]bool                 // attempts that are in rescues
}

// slot is one step; first is its first row.
type slot struct {
	key    string
	path   string
	report flows.StepReport // cleaned
	first  int
}

type stepRow struct {
	slot int
	kind rowKind
	text string
	ok   bool
}

type rowKind int

const (
	headRow rowKind = iota
	actRow
	whyRow
	noteRow
	runRow
	rescueRow
)

func newStepList() *stepList {
	return &stepList{width: 80, byKey: map[string]int{}, latest: map[string]flows.StepReport{}, rescues: map[string][]task.RescueNote{}, told: map[int]bool{}}
}

func (l *stepList) len() int { return len(l.rows) }

// load puts the reports before what events brought meanwhile; the journal says
// after which of them each rescue came.
func (l *stepList) load(reports []flows.StepReport, journal []task.Entry) {
	shown := l.failed
	for _, e := range journal {
		switch {
		case e.Report != nil:
			l.noteFailed(*e.Report)
		case e.Rescue != nil:
			l.attach(*e.Rescue)
		}
	}
	l.failed = cmp.Or(shown, l.failed)
	later := make([]flows.StepReport, 0, len(l.slots))
	for _, s := range l.slots {
		later = append(later, s.report)
	}
	l.slots, l.rows, l.byKey = make([]slot, 0, len(reports)), nil, make(map[string]int, len(reports))
	for _, r := range reports {
		l.place(cleanReport(r))
	}
	l.rebuild(0)
	for _, r := range later {
		l.put(r)
	}
}

func (l *stepList) add(r flows.StepReport) {
	l.noteFailed(r)
	l.put(cleanReport(r))
}

// noteFailed keeps which step a rescue would be for.
func (l *stepList) noteFailed(r flows.StepReport) {
	if r.Outcome == flows.OutcomeFailed && depth(r.Step) == 0 {
		l.failed = keyOf(r)
	}
}

// rescue shows why a rescue was made, under the step that failed.
func (l *stepList) rescue(n task.RescueNote) {
	if l.attach(n) {
		l.rebuild(l.byKey[l.failed])
	}
}

// attach is false for a rescue that is there already or has no step here.
func (l *stepList) attach(n task.RescueNote) bool {
	if l.failed == "" || l.told[n.Attempt] {
		return false
	}
	l.told[n.Attempt] = true
	n.Reason, n.Outcome = text.Line(n.Reason), text.Line(n.Outcome)
	l.rescues[l.failed] = append(l.rescues[l.failed], n)
	return true
}

// keyOf tells the steps of a rescue apart, which share the number of the step
// they stand in for.
func keyOf(r flows.StepReport) string { return fmt.Sprintf("%d/%d/%s", r.Run, r.StandIn, r.Step) }

// put adds or replaces one report and brings the rows up to date from there.
func (l *stepList) put(r flows.StepReport) {
	if i, ok := l.byKey[keyOf(r)]; ok && l.slots[i].report.Outcome != flows.OutcomeRunning && r.Outcome == flows.OutcomeRunning {
		return // the end of a step never turns back into its middle
	}
	l.rebuild(l.place(r))
}

// place finds or makes the slot of a report. A step that ends after the steps
// inside it, and was not seen to start, goes before them.
func (l *stepList) place(r flows.StepReport) int {
	if r.StandIn == 0 && r.Run >= l.latest[r.Step].Run {
		l.latest[r.Step] = r
	}
	k := keyOf(r)
	if i, ok := l.byKey[k]; ok {
		l.slots[i].report = r
		return i
	}
	at := len(l.slots)
	for at > 0 && l.slots[at-1].report.Run == r.Run && strings.HasPrefix(l.slots[at-1].path, r.Step+".") {
		at--
	}
	l.slots = append(l.slots, slot{})
	copy(l.slots[at+1:], l.slots[at:])
	l.slots[at] = slot{key: k, path: r.Step, report: r}
	for i := at; i < len(l.slots); i++ {
		l.byKey[l.slots[i].key] = i
	}
	return at
}

// rebuild makes the rows anew from a slot on. Steps are nearly always changed
// at the end, so this is short.
func (l *stepList) rebuild(from int) {
	if from > 0 {
		l.rows = l.rows[:l.slots[from].firstOr(l, from)]
	} else {
		l.rows = l.rows[:0]
	}
	for i := from; i < len(l.slots); i++ {
		l.slots[i].first = len(l.rows)
		l.rows = append(l.rows, l.rowsOf(i)...)
	}
}

// firstOr is where the slot's rows start: after those of the slot before it.
func (s slot) firstOr(l *stepList, i int) int {
	before := l.slots[i-1]
	return before.first + len(l.rowsOf(i-1))
}

func (l *stepList) setWidth(width int) {
	if width == l.width {
		return
	}
	l.width = width
	l.rebuild(0)
}

func (l *stepList) rowsOf(i int) []stepRow {
	r := l.slots[i].report
	rows := make([]stepRow, 0, 2+len(r.Actions))
	if i > 0 && r.Run != l.slots[i-1].report.Run {
		rows = append(rows, stepRow{slot: i, kind: runRow, text: fmt.Sprintf("run %d", r.Run)})
	}
	rows = append(rows, stepRow{slot: i, kind: headRow})
	for _, a := range r.Actions {
		rows = append(rows, stepRow{slot: i, kind: actRow, text: actText(a), ok: a.OK})
		if a.Why != "" {
			rows = append(rows, stepRow{slot: i, kind: whyRow, text: "found by " + a.Why})
		}
	}
	wrap := func(kind rowKind, words string) {
		if words == "" {
			return
		}
		for _, line := range text.Wrap(words, max(l.width-l.indent(r)-4, 20)) {
			rows = append(rows, stepRow{slot: i, kind: kind, text: line})
		}
	}
	wrap(noteRow, r.Note)
	for _, n := range l.rescues[l.slots[i].key] {
		wrap(rescueRow, rescueWords(n))
	}
	return rows
}

// rescueWords is a rescue in a sentence, the rescuer's reason last.
func rescueWords(n task.RescueNote) string {
	words := fmt.Sprintf("↳ rescue %d of %d", n.Attempt, n.Limit)
	switch {
	case n.Outcome != "guided":
		words += ", " + strings.ReplaceAll(n.Outcome, "_", " ")
	case n.Steps == 0:
		words += ", skipped"
	}
	if n.Reason == "" {
		return words
	}
	return words + ": " + n.Reason
}

// numberWidth is the column of a step's number.
const numberWidth = 6

func depth(path string) int { return min(strings.Count(path, "."), 6) }

func (l *stepList) indent(r flows.StepReport) int { return 3 + 2*depth(r.Step) + numberWidth }

func actText(a flows.ActionNote) string {
	s := a.Op
	if a.Target != nil {
		s += " " + a.Target.Role
		if a.Target.Name != "" {
			s += " “" + a.Target.Name + "”"
		}
	}
	if a.Code != "" {
		s += "  " + string(a.Code)
	}
	if a.Change != "" {
		s += "  → " + a.Change
	}
	return s
}

// cleanReport cleans every foreign text of a report.
func cleanReport(r flows.StepReport) flows.StepReport {
	r.Text, r.Note, r.Why = text.Line(r.Text), text.Line(r.Note), text.Line(r.Why)
	acts := make([]flows.ActionNote, len(r.Actions))
	for i, a := range r.Actions {
		a.Change, a.Why = text.Line(a.Change), text.Line(a.Why)
		if a.Target != nil {
			t := *a.Target
			t.Role, t.Name = text.Line(t.Role), text.Line(t.Name)
			a.Target = &t
		}
		acts[i] = a
	}
	r.Actions = acts
	return r
}

// words are what a search of the row looks at.
func (l *stepList) words(i int) string {
	sr := l.rows[i]
	if sr.kind != headRow {
		return sr.text
	}
	r := l.slots[sr.slot].report
	return r.Step + " " + kindWord(r) + r.Text
}

func (l *stepList) row(m *Model, i int) string {
	sr := l.rows[i]
	r := l.slots[sr.slot].report
	pad := strings.Repeat(" ", l.indent(r))
	room := max(m.width-l.indent(r)-1, 4)
	switch sr.kind {
	case runRow:
		return "  " + m.style(faint, "── ") + m.style(subtle, sr.text) + m.style(faint, " ──")
	case actRow:
		if sr.ok {
			return pad + m.style(faint, "· ") + m.style(subtle, text.Truncate(sr.text, room-2))
		}
		return pad + m.style(warn, "! ") + m.style(subtle, text.Truncate(sr.text, room-2))
	case whyRow:
		return pad + "  " + m.style(faint, text.Truncate(sr.text, room-2))
	case noteRow:
		return pad + m.style(noteRole(r.Outcome), sr.text)
	case rescueRow:
		return pad + m.style(accent, sr.text)
	case headRow:
		return l.head(m, r, room)
	default:
		return ""
	}
}

func noteRole(o flows.Outcome) role {
	switch o {
	case flows.OutcomeFailed:
		return warn
	case flows.OutcomeDone, flows.OutcomeAlreadyDone, flows.OutcomeGated, flows.OutcomeRunning:
		return quote
	default:
		return quote
	}
}

func (l *stepList) head(m *Model, r flows.StepReport, room int) string {
	glyph, glyphRole := outcomeGlyph(r.Outcome)
	right := m.style(subtle, text.Elapsed(r.ElapsedMS))
	if r.Outcome == flows.OutcomeRunning {
		right = m.style(accent, "now")
	}
	left := " " + m.style(glyphRole, glyph) + " " + strings.Repeat("  ", depth(r.Step)) + m.style(subtle, text.Pad(r.Step, numberWidth-1)) + " "
	kind := m.style(subtle, kindWord(r))
	if r.StandIn > 0 {
		kind = m.style(accent, "↳ rescue ") + kind
	}
	words := text.Truncate(r.Text, max(room-text.Width(kind)-text.Width(right)-1, 4))
	wordRole := plain
	if r.Outcome == flows.OutcomeRunning {
		wordRole = strong
	}
	return text.Spread(left+kind+m.style(wordRole, words), right+" ", m.width)
}

// kindWord is the kind of a step before its words, unless these begin with it.
func kindWord(r flows.StepReport) string {
	if first, _, _ := strings.Cut(r.Text, " "); strings.EqualFold(first, string(r.Kind)) {
		return ""
	}
	return string(r.Kind) + " "
}

func outcomeGlyph(o flows.Outcome) (string, role) {
	switch o {
	case flows.OutcomeRunning:
		return "●", accent
	case flows.OutcomeDone:
		return "✓", good
	case flows.OutcomeAlreadyDone:
		return "=", good
	case flows.OutcomeGated:
		return "◆", warn
	case flows.OutcomeFailed:
		return "✗", danger
	default:
		return "?", subtle
	}
}

func repeat(s string, n int) string { return strings.Repeat(s, max(n, 0)) }
