package flows

import (
	"encoding/json"
	"sort"

	"countersign/flows/decider"
)

// deal keeps a request within the limit of bytes: first the state loses the
// tails of its longest lists, then the questions are dealt, in order, to parts
// that each carry the whole state.
func deal(req decider.Request) []decider.Request {
	for size(req.State) > requestLimit/2 && trimTail(&req.State) {
	}
	if size(req) <= requestLimit {
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
		need := size(req.Questions[id]) + len(id) + len(`"":,`)
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
		for size(parts[i]) > requestLimit && trimTail(&parts[i].State) {
		}
	}
	return parts
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
