package decider

import (
	"encoding/json"
	"math"
	"strings"

	"countersign/surfaces/fault"
)

// readReply reads the answers out of what a model wrote. A fence or a word
// around the object is passed over; what is no answer to a question asked is
// left out.
func readReply(c Completion, qs map[string]Question) (Answers, error) {
	start := strings.IndexByte(c.Text, '{')
	if start < 0 {
		return nil, unreadable("it holds no JSON object")
	}
	dec := json.NewDecoder(strings.NewReader(c.Text[start:]))
	if _, err := dec.Token(); err != nil {
		return nil, unreadable("it is no JSON")
	}
	out := Answers{}
	for dec.More() {
		id, err := dec.Token()
		if err != nil {
			return nil, unreadable("it is no JSON")
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, unreadable("it is no JSON")
		}
		name, _ := id.(string)
		q, asked := qs[name]
		if !asked {
			continue
		}
		end := start + int(dec.InputOffset())
		if a, ok := readAnswer(q, value{raw, span{end - len(raw), end}, &c}); ok {
			out[name] = a
		}
	}
	if _, err := dec.Token(); err != nil {
		return nil, unreadable("it is cut short")
	}
	if len(out) == 0 {
		return nil, unreadable("it answers none of the questions")
	}
	return out, nil
}

func unreadable(why string) error {
	return fault.New(fault.DeciderInvalidResponse, "the model's reply could not be read: "+why)
}

// value is one value of a reply and where it stands.
type value struct {
	raw json.RawMessage
	at  span
	of  *Completion
}

// readAnswer reads one value as q's type wants it; false when it is no answer.
func readAnswer(q Question, v value) (Answer, bool) {
	switch q.Type {
	case Noul:
		p, ok := readNoul(v)
		return Answer{P: p}, ok
	case Score:
		levels, ok := readScore(q.keys(), v)
		return Answer{Levels: levels}, ok
	case Choice:
		return readChoice(q.keys(), v)
	}
	return Answer{}, false
}

func readNoul(v value) (float64, bool) {
	var p float64
	if json.Unmarshal(v.raw, &p) == nil && v.raw[0] != 'n' { // null is no number
		return within(p), true
	}
	var yes bool
	if json.Unmarshal(v.raw, &yes) == nil && v.raw[0] != 'n' {
		if yes {
			return 1, true
		}
		return 0, true
	}
	shares := v.named([]string{"yes", "no"}, strings.ToLower)
	return shares["yes"], shares != nil
}

func readScore(keys []string, v value) ([]float64, bool) {
	var levels []float64
	if json.Unmarshal(v.raw, &levels) == nil && len(levels) == len(keys) {
		return evened(levels)
	}
	shares, ok := v.shares(keys)
	if !ok {
		return nil, false
	}
	known := 0.0
	levels = make([]float64, len(keys))
	for i, key := range keys {
		levels[i] = shares[key]
		known += shares[key]
	}
	if known < 0.5 {
		return nil, false // most of it went to levels that nobody offered
	}
	return evened(levels)
}

// readChoice picks the likeliest key offered. What was given to keys that
// nobody offered counts for none: dropping it alone would make a doubtful key
// a sure one.
func readChoice(keys []string, v value) (Answer, bool) {
	shares, ok := v.shares(keys)
	if !ok {
		return Answer{}, false
	}
	known := 0.0
	for _, key := range keys {
		known += shares[key]
	}
	shares[None] += max(1-known, 0)
	a := Answer{Choice: None, Probabilities: map[string]float64{}, Confidence: 1}
	for _, key := range keys {
		a.Probabilities[key] = shares[key]
		if shares[key] > shares[a.Choice] {
			a.Choice = key
		}
	}
	return a, true
}

// shares reads a distribution: a list of keys with their shares, an object of
// them, or one key alone. Each share is brought to [0,1] and all of them to a
// sum of 1; keys not offered are dropped after that.
func (v value) shares(keys []string) (map[string]float64, bool) {
	if one := v.named(keys, func(s string) string { return s }); one != nil {
		return one, true
	}
	given := map[string]float64{}
	var list []struct {
		Key string  `json:"key"`
		P   float64 `json:"p"`
	}
	if json.Unmarshal(v.raw, &list) == nil {
		for _, entry := range list {
			given[entry.Key] += within(entry.P)
		}
	} else if json.Unmarshal(v.raw, &given) != nil {
		return nil, false
	}
	sum := 0.0
	for key, p := range given {
		given[key] = within(p)
		sum += given[key]
	}
	if sum == 0 {
		return nil, false
	}
	out := make(map[string]float64, len(keys))
	for _, key := range keys {
		if p, ok := given[key]; ok {
			out[key] = p / sum
		}
	}
	return out, true
}

// evened brings levels to [0,1] and to a sum of 1.
func evened(levels []float64) ([]float64, bool) {
	sum := 0.0
	for i, p := range levels {
		levels[i] = within(p)
		sum += levels[i]
	}
	if sum == 0 {
		return nil, false
	}
	for i := range levels {
		levels[i] /= sum
	}
	return levels, true
}

func within(p float64) float64 {
	if math.IsNaN(p) {
		return 0
	}
	return min(max(p, 0), 1)
}
