package decision

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/idna"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/ui/text"
)

func approvalKind(a Asked) Kind {
	e := evidence(a)
	switch {
	case e == nil:
		return Sign
	case e.Blind() || text.Blank(e.Control.Name):
		return Blind
	case e.Class == "pay", e.Amount != "" && a.Report.Request.Constraints.Payment == "fill_then_approve":
		return Pay
	default:
		return Sign
	}
}

// evidence is what the present view asks about, or nil until it was read.
func evidence(a Asked) *task.Approval {
	if a.Report == nil || a.Report.Approval == nil {
		return nil
	}
	if a.View.Status.State == task.NeedsApproval && a.Report.Approval.Digest != a.View.Status.Digest {
		return nil
	}
	return a.Report.Approval
}

func (c *Card) approval(a Asked) {
	c.digest = a.View.Status.Digest
	e := evidence(a)
	if e == nil {
		c.title, c.waiting = "OTHER", true
		c.add(Note, "", "Reading what is to be signed …")
		return
	}
	if e.AskedAt > 0 {
		c.asked = e.AskedAt
	}
	if limit := a.Report.Request.Constraints.ApprovalDeadlineMS; limit > 0 {
		c.expires = c.asked + limit
	}
	c.picture = e.Picture != ""
	c.title = "OTHER"
	if t, ok := titles[string(e.Class)]; ok {
		c.title = t
	}
	if c.kind == Pay {
		c.title = "PAY"
	}
	c.differences(e)
	c.destination(e)
	c.measured(a, e)
	c.form(e)
	c.words(e)
	if d := Words(c.digest); d != "" {
		c.add(Fact, "digest", d)
	}
	c.changed(a)
	if c.kind == Blind {
		c.add(Warn, "", "The control has no name, so nobody can say what it does. Decline, or do it by hand in the browser.")
	}
	if c.kind == Pay {
		c.expect = payWord(e)
	}
}

func payWord(e *task.Approval) string {
	if e.Amount != "" && e.Currency != "" {
		return text.Line(e.Amount + " " + e.Currency)
	}
	if u, err := url.Parse(e.Origin); err == nil && u.Host != "" {
		return text.Line(u.Host)
	}
	return text.Line(e.Origin)
}

func (c *Card) differences(e *task.Approval) {
	if len(e.Differs) == 0 {
		return
	}
	c.add(Warn, "", "It is not what you signed any more. Nothing was pressed.")
	c.sideBySide("signed", e.Differs)
}

// sideBySide shows what fields held and what they hold now.
func (c *Card) sideBySide(was string, differs []flows.Difference) {
	c.rows = append(c.rows, Row{Role: Heading, Text: was, Now: "now"})
	for _, d := range differs {
		if name, ok := strings.CutPrefix(d.Field, "form: "); ok { // a name of the page is no label of ours
			name = text.Line(name) + " = "
			c.rows = append(c.rows, Row{Role: Differ, Label: "typed", Text: name + quoted(d.Signed), Now: name + quoted(d.Now)})
			continue
		}
		c.rows = append(c.rows, Row{Role: Differ, Label: text.Line(d.Field), Text: quoted(d.Signed), Now: quoted(d.Now)})
	}
}

func quoted(s string) string {
	if s == "" {
		return "(nothing)"
	}
	if box, ok := boxes[s]; ok {
		return box.word
	}
	return "“" + text.Line(s) + "”"
}

func (c *Card) measured(a Asked, e *task.Approval) {
	c.origin(e.Origin)
	c.fact("page", e.Address)
	c.fact("control", control(e))
	unread := ""
	if c.kind == Pay {
		unread = "could not be read"
	}
	c.factOr(amountLabel, strings.TrimSpace(e.Amount+" "+e.Currency), unread)
	c.factOr("payee", e.Payee, unread)
	c.fact("flow says", e.Phrase)
	c.taskRows(a)
	if c.kind == Pay {
		c.fact("mode", string(a.Report.Request.Constraints.Payment))
	}
}

// control is what is pressed. Each part is cleaned by itself: a sequence without
// an end in the name would take what stands behind it along.
func control(e *task.Approval) string {
	of := e.Control
	of.Role, of.Name, of.Path = text.Line(of.Role), text.Line(of.Name), slices.Clone(of.Path)
	for i, p := range of.Path {
		of.Path[i] = text.Line(p)
	}
	return of.String()
}

// destination warns of a press that leads to another site than the page's own.
func (c *Card) destination(e *task.Approval) {
	if !e.LeavesSite() {
		return
	}
	c.add(Warn, "", "It does not go to the site of this page, but to another one:")
	c.add(Differ, "goes to", text.Line(e.Destination))
	c.letters(e.Destination)
}

func (c *Card) origin(origin string) {
	c.fact("origin", origin)
	c.letters(origin)
}

// letters shows the letters a reader would see beside the ones that count, when
// they differ in a host.
func (c *Card) letters(address string) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return
	}
	host := u.Hostname()
	if shown, err := idna.ToUnicode(host); err == nil && shown != host {
		c.fact("looks like", shown)
	}
	if real, err := idna.ToASCII(host); err == nil && real != host {
		c.fact("really is", real)
	}
}

func (c *Card) form(e *task.Approval) {
	label := "typed"
	for _, f := range e.Form {
		row := text.Line(f.Name) + " = " + quoted(f.Value)
		if box, ok := boxes[f.Value]; ok {
			row = box.sign + " " + text.Line(f.Name) + "  (" + box.word + ")"
		}
		c.add(Fact, label, row)
		label = ""
	}
}

// boxes are what evidence says of a box, a radio or a switch, as it is read.
var boxes = map[string]struct{ sign, word string }{"checked: true": {"☑", "ticked"}, "checked: false": {"☐", "not ticked"}}

func (c *Card) words(e *task.Approval) {
	if len(e.Words) == 0 {
		return
	}
	c.add(Note, "", "The page says:")
	for _, w := range e.Words {
		for _, line := range text.Clean(w) {
			if strings.TrimSpace(line) != "" { // a page could push the rest away with nothing
				c.add(Quote, "", "“"+line+"”")
			}
		}
	}
}

func (c *Card) changed(a Asked) {
	if a.Look == nil {
		return
	}
	if a.Look.Missed != "" {
		c.add(Warn, "", "The page changed since you were asked: what is to be signed was not found there again.")
		c.add(Differ, "looked", text.Line(a.Look.Missed))
		return
	}
	if len(a.Look.Differs) == 0 {
		return
	}
	c.add(Warn, "", "The page changed since you were asked:")
	c.sideBySide("before", a.Look.Differs)
}
