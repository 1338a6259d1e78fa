package decider

import "strings"

// kindSigns are the words by which a page's kind is told, in the title first.
// The answer only briefs the next request, so a wrong one costs little.
var kindSigns = []struct {
	kind  string
	signs []string
}{
	{"captcha", []string{"captcha", "not a robot", "are you human", "verify you are", "unusual traffic"}},
	{"error", []string{"not found", "went wrong", "server error", "unavailable", "bad gateway"}},
	{"confirmation", []string{"thank you", "confirmed", "has been sent", "order number", "booking reference", "we have received"}},
	{"payment", []string{"card number", "payment", "cvc", "cvv", "pay "}},
	{"login", []string{"sign in", "log in", "password", "one-time code"}},
	{"review", []string{"review", "summary", "check your"}},
	{"seats", []string{"seat map", "choose your seat", "seats"}},
	{"extras", []string{"extras", "add-ons", "insurance", "baggage"}},
	{"traveller_form", []string{"traveller", "passenger", "delivery address", "first name", "your details"}},
	{"fare_options", []string{"fare", "flexible", "economy"}},
	{"results", []string{"results", "found", "sort by"}},
	{"search_form", []string{"search", "from", "where"}},
}

func (r *reading) pageKind(q Question) Answer {
	title := strings.ToLower(r.state.Window)
	body := r.text + "\n" + strings.ToLower(strings.Join(r.state.Elements, "\n"))
	fits := make([]fit, 0, len(q.Options))
	for _, o := range q.Options {
		kind := strings.ReplaceAll(strings.ToLower(o.Key), " ", "_")
		f := fit{key: o.Key, id: kind, p: unrelated.p()}
		for rank, k := range kindSigns {
			if !strings.Contains(kind, k.kind) && !strings.Contains(strings.ReplaceAll(strings.ToLower(o.Text), " ", "_"), k.kind) {
				continue
			}
			order := 0.001 * float64(len(kindSigns)-rank)
			if said, ok := firstOf(title, k.signs); ok {
				f.p, f.why = nameInWords.p()+order, []string{said}
			} else if said, ok := firstOf(body, k.signs); ok {
				f.p, f.why = nameInWords.p()-0.2+order, []string{said}
			}
			break
		}
		if kind == "other" {
			f.p = 0.3
		}
		fits = append(fits, f)
	}
	return choose(fits, leanFloor)
}
