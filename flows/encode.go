package flows

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"countersign/surfaces/fault"
)

// MarshalJSON writes the flow as flows.md section 1 has it.
func (f Flow) MarshalJSON() ([]byte, error) {
	steps := f.Steps
	if steps == nil {
		steps = []Step{}
	}
	return json.Marshal(struct {
		App   string            `json:"app"`
		Vars  map[string]string `json:"vars,omitempty"`
		Steps []Step            `json:"steps"`
	}{f.App, f.Vars, steps})
}

// UnmarshalJSON reads a flow; problems of its shape are one INVALID_FLOW fault
// that lists them all.
func (f *Flow) UnmarshalJSON(raw []byte) error {
	flow, problems := Decode(raw)
	if len(problems) > 0 {
		return invalid(problems)
	}
	*f = flow
	return nil
}

// MarshalJSON writes one step: a do as its plain words, anything else as an
// object with its kind as the one key.
func (s Step) MarshalJSON() ([]byte, error) {
	var body any = s.Text
	switch s.Kind {
	case KindDo:
		return json.Marshal(s.Text)
	case KindOpen, KindBrowse, KindVerify, KindWaitFor, KindStopBefore:
	case KindEnter:
		body = slotObject(s.Slots)
	case KindChoose:
		body = pairs{{"what", s.What}, {"option", s.Option}}
	case KindRead, KindExtract:
		body = pairs{{"what", s.What}, {"into", s.Into}}
	case KindPick:
		body = pairs{{"from", s.From}, {"by", s.By}, {"into", s.Into}}
	case KindRepeatUntil:
		body = pairs{{"condition", s.Condition}, {"steps", stepList(s.Steps)}, {"max", s.Max}}
	case KindIf:
		p := pairs{{"condition", s.Condition}, {"then", stepList(s.Then)}}
		if len(s.Else) > 0 {
			p = append(p, pair{"else", s.Else})
		}
		body = p
	default:
		return nil, fmt.Errorf("a step of no kind cannot be written")
	}
	return json.Marshal(pairs{{string(s.Kind), body}})
}

// UnmarshalJSON reads one step; problems are one INVALID_FLOW fault.
func (s *Step) UnmarshalJSON(raw []byte) error {
	steps, problems := decodeSteps(raw, false)
	if len(problems) > 0 {
		return invalid(problems)
	}
	*s = steps[0]
	return nil
}

// decodeSteps reads steps outside a flow: a list of them, or a single one.
func decodeSteps(raw []byte, list bool) ([]Step, []Problem) {
	if !json.Valid(raw) {
		return nil, []Problem{{Path: "steps", Code: NotJSON, Message: "this is not JSON"}}
	}
	body := raw
	if !list {
		body = slices.Concat([]byte("["), raw, []byte("]"))
	}
	flow, problems := Decode(slices.Concat([]byte(`{"app":"browser","steps":`), body, []byte("}")))
	return flow.Steps, problems
}

func invalid(problems []Problem) error {
	lines := make([]string, len(problems))
	for i, p := range problems {
		lines[i] = strings.TrimSpace(p.Path + " " + p.Code + ": " + p.Message)
	}
	return fault.New(fault.InvalidFlow, strings.Join(lines, "; "))
}

// pairs is a JSON object with its keys in the order given.
type pairs []pair

type pair struct {
	key   string
	value any
}

func (p pairs) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, kv := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(kv.key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(kv.value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func slotObject(slots []Slot) pairs {
	out := make(pairs, len(slots))
	for i, s := range slots {
		out[i] = pair{s.Name, s.Text}
	}
	return out
}

func stepList(steps []Step) []Step {
	if steps == nil {
		return []Step{}
	}
	return steps
}
