package decider

import (
	"strings"
)

// outcomes are what a page says when an act went through.
var outcomes = inAllTongues("outcomes",
	"thank you", "thanks for", "success", "confirmed", "confirmation", "has been", "have been", "is on its way",
	"we have received", "we received", "order number", "reference", "complete", "sent", "submitted", "booked", "placed", "paid",
	"deleted", "removed", "published", "posted", "registered", "welcome", "saved", "cancelled", "canceled", "done",
)

// happened judges after a guard's press whether the act went through: the page
// answered, says so, and complains of nothing.
func (r *reading) happened(phrase string) verdict {
	p := purposeOf(phrase)
	last := r.state.Last
	said, against := r.complaint()
	if !against {
		said, against = firstOf(strings.ToLower(r.state.Window)+"\n"+r.text, refusals)
	}
	if against {
		return verdict{denied.p() + 0.1, []string{said}}
	}
	told := false
	said, told = firstOf(strings.ToLower(r.state.Window)+"\n"+r.text, outcomes)
	moved := last != nil && last.OK && last.Changed
	switch {
	case told && moved:
		return verdict{allStated.p(), []string{said, "after the press"}}
	case told:
		if hit, why := covered(p.words, r.linesWith(said)); hit > 0 {
			return verdict{allPresent.p(), append(why, said)}
		}
		return verdict{mostPresent.p(), []string{said}}
	case moved && (last.Window || !r.stillThere(last)):
		return verdict{mostPresent.p(), []string{"the screen changed and says nothing of it"}}
	}
	return verdict{halfPresent.p() / 2, []string{"nothing says so"}}
}

func (r *reading) linesWith(said string) []word {
	var out []word
	for i := range r.lines {
		if strings.Contains(strings.ToLower(r.lines[i].text), said) {
			out = append(out, r.lines[i].words...)
		}
	}
	return out
}

func (r *reading) stillThere(last *LastAction) bool {
	for i := range r.controls {
		if r.controls[i].role == last.Role && r.controls[i].name == last.Name {
			return true
		}
	}
	return false
}
