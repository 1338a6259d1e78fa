package flows

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"countersign/flows/parse"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// delivery says how a text arrived.
type delivery struct {
	path     string // set_value or paste
	verified bool
}

// deliver puts text into a field and reads it back: set, and where that does
// not land, paste (flows.md 9.3). TEXT_NOT_DELIVERED when neither landed; a
// field that takes no text strikes off its whole kind.
func (s *step) deliver(ctx context.Context, field *surfaces.Candidate, text string) (delivery, error) {
	s.typed[placeOf(field)] = text
	if field.Can(surfaces.CanSetValue) {
		reply, err := s.act(ctx, action{op: surfaces.TypeText, target: field, text: text})
		if err != nil {
			return delivery{}, err
		}
		if reply.Code() == fault.NotATextField {
			return delivery{}, s.noText(field, reply)
		}
		if reply.OK {
			if landed, verified := s.readBack(ctx, field, text); landed {
				return delivery{"set_value", verified}, nil
			}
		}
	}
	reply, err := s.act(ctx, action{op: opPaste, target: field, text: text})
	if err != nil {
		return delivery{}, err
	}
	if reply.Code() == fault.NotATextField {
		return delivery{}, s.noText(field, reply)
	}
	if reply.OK {
		if landed, verified := s.readBack(ctx, field, text); landed {
			return delivery{"paste", verified}, nil
		}
		reply = surfaces.Fail("type_text", fault.TextNotDelivered, "the text did not arrive in "+field.Label())
	}
	return delivery{}, failedWith(reply.Err())
}

// noText strikes off every element of a kind that turned out to take no text.
func (s *step) noText(field *surfaces.Candidate, reply *surfaces.Reply) error {
	s.noKinds[field.Role] = true
	return failedWith(reply.Err())
}

// readBack reports whether the text is in the field, and whether that could be
// read. It reads twice, a moment apart.
func (s *step) readBack(ctx context.Context, field *surfaces.Candidate, text string) (landed, verified bool) {
	for try := range 2 {
		held, readable := s.place.ReadValue(ctx, field)
		if !readable || tokens(held) {
			return true, false
		}
		if holdsText(held, text) {
			return true, true
		}
		if try == 0 {
			s.place.Settle(ctx)
		}
	}
	return false, false
}

// tokens reports a field that shows its text as tokens: objects, commas, space.
func tokens(held string) bool {
	return strings.ContainsRune(held, '\uFFFC') && strings.Trim(held, "\uFFFC,; \t\r\n") == ""
}

// holdsText compares with white space collapsed on both sides; a text of digits
// also as the field groups them, an amount also as the field writes it.
func holdsText(held, text string) bool {
	held, text = squash(held), squash(text)
	if strings.Contains(held, text) {
		return true
	}
	if bare := bareDigits(text); bare != "" && bareDigits(held) == bare {
		return true
	}
	if !amount.MatchString(text) {
		return false
	}
	want, okWant := parse.PriceOf(text)
	got, okGot := parse.PriceOf(held)
	return okWant && okGot && want.Amount == got.Amount
}

// amount is a number and no more than the sign of a currency beside it.
var amount = regexp.MustCompile(`^\W{0,2}\d[\d.,' ]*\W{0,2}$`)

// bareDigits is a text of digits without what groups them; empty for any other.
func bareDigits(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			b.WriteRune(r)
		case !unicode.IsSpace(r) && !strings.ContainsRune("-/.()+", r):
			return ""
		}
	}
	return b.String()
}

// inLayout puts a date into the layout a field's hints name, and dates and times
// as the browser's own fields are set; any other text, or a field that names no
// layout, keeps the text as it is.
func inLayout(field *surfaces.Candidate, text string) string {
	hints := append([]string{field.Description, field.Name}, field.Hints...)
	switch field.InputType {
	case "date":
		hints = []string{"YYYY-MM-DD"}
	case "time":
		if minutes, ok := parse.ClockOf(text); ok {
			return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60)
		}
		return text
	case "datetime-local":
		date, okDate := parse.DateIn(text)
		minutes, okTime := parse.ClockOf(text)
		if okDate && okTime && date.Full() {
			return fmt.Sprintf("%sT%02d:%02d", date.Layout("YYYY-MM-DD"), minutes/60, minutes%60)
		}
		return text
	case "month":
		if date, ok := parse.DateOf("1 " + text); ok && date.Full() {
			return date.Layout("YYYY-MM-DD")[:len("YYYY-MM")]
		}
		return text
	}
	if form, ok := parse.Reformat(text, hints...); ok {
		return form
	}
	return text
}
