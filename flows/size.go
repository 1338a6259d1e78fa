package flows

import (
	"encoding/json"
	"slices"
	"sort"

	"countersign/flows/decider"
)

// deal keeps a request within the limit of bytes, in every framing: first the
// state loses the tails of its longest lists, then the questions are dealt, in
// order, to parts that each carry the whole state. Only a part of one question
// can still be too big: its state goes, then the tails of its longest texts.
func deal(req decider.Request) []decider.Request {
	for size(req.State) > requestLimit/2 && trimTail(&req.State) {
	}
	if size(req)+framed(req.Questions) <= requestLimit {
		return []decider.Request{req}
	}
	ids := make([]string, 0, len(req.Questions))
	for id := range req.Questions {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool { return naturalLess(ids[i], ids[j]) })
	var parts []decider.Request
	part := decider.Request{State: req.State, Questions: questions{}}
	used := size(part)
	for _, id := range ids {
		need := size(req.Questions[id]) + framed(questions{id: req.Questions[id]}) + len(id) + len(`"":,`)
		if len(part.Questions) > 0 && used+need > requestLimit {
			parts = append(parts, part)
			part = decider.Request{State: req.State, Questions: questions{}}
			used = size(part)
		}
		part.Questions[id] = req.Questions[id]
		used += need
	}
	parts = append(parts, part)
	for i := range parts {
		for size(parts[i])+framed(parts[i].Questions) > requestLimit && (trimTail(&parts[i].State) || trimQuestions(parts[i].Questions)) {
		}
	}
	return parts
}

// framed is how much longer a framing can make questions: a perspective each,
// and a byte for a key in the other style.
func framed(qs questions) int {
	n := 0
	for _, q := range qs {
		n += longestPerspective + len(q.Options)
	}
	return n
}

// trimQuestions drops the second half of the longest text among questions;
// false when nothing is left to drop. It never changes texts others share.
func trimQuestions(qs questions) bool {
	longest, id := 0, ""
	for key, q := range qs {
		if n := len(*longestText(&q)); n > longest {
			longest, id = n, key
		}
	}
	if id == "" {
		return false
	}
	q := qs[id]
	q.Options = slices.Clone(q.Options)
	for i, o := range q.Options {
		if o.Description != nil {
			d := *o.Description
			q.Options[i].Description = &d
		}
	}
	text := longestText(&q)
	*text = half(*text)
	qs[id] = q
	return true
}

func longestText(q *decider.Question) *string {
	longest := &q.Instructions
	for i := range q.Options {
		o := &q.Options[i]
		texts := []*string{&o.Text}
		if d := o.Description; d != nil {
			texts = []*string{&d.What, &d.Where, &d.Near, &d.Says, &d.Holds}
		}
		for _, text := range texts {
			if len(*text) > len(*longest) {
				longest = text
			}
		}
	}
	return longest
}

// half is the first half of a text's characters.
func half(text string) string {
	runes := []rune(text)
	return string(runes[:len(runes)/2])
}

// naturalLess orders ids so that group_2 comes before group_10.
func naturalLess(a, b string) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}

// trimTail drops the last quarter of the state's longest list; false when
// nothing is left to drop. It never changes the list others share.
func trimTail(st *decider.State) bool {
	longest := &st.VisibleText
	for _, list := range []*[]string{&st.Elements, &st.RecentActions, &st.AlreadyCollected} {
		if size(*list) > size(*longest) {
			longest = list
		}
	}
	n := len(*longest)
	if n == 0 {
		return false
	}
	*longest = (*longest)[: n-(n+3)/4 : n-(n+3)/4]
	return true
}

func size(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return requestLimit + 1 // cannot happen for our types; counts as too big
	}
	return len(b)
}
