package decider

import (
	"bytes"
	"encoding/json"

	"countersign/surfaces"
)

// nothingFits is the description of None, which every Choice offers.
const nothingFits = "nothing here fits"

// MarshalJSON writes a question as a language model reads it: the levels of a
// Score as a list, the options of a Choice by key, in the order offered, and
// none.
func (q Question) MarshalJSON() ([]byte, error) {
	out := struct {
		Type         Type   `json:"type"`
		Instructions string `json:"instructions"`
		Criteria     any    `json:"criteria,omitempty"`
	}{Type: q.Type, Instructions: q.Instructions}
	switch q.Type {
	case Noul: // yes or no needs no criteria
	case Score:
		out.Criteria = q.keys()
	case Choice:
		out.Criteria = offer(q.Options)
	}
	return plain(out)
}

// keys are what a question can be answered with: its levels, or its options
// and none.
func (q Question) keys() []string {
	keys := make([]string, 0, len(q.Options)+1)
	for _, o := range q.Options {
		if o.Key != None || q.Type == Score {
			keys = append(keys, o.Key)
		}
	}
	if q.Type == Choice {
		keys = append(keys, None)
	}
	return keys
}

// offer is an object that keeps its order: which option leads is part of a
// framing.
type offer []Option

func (o offer) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, option := range o {
		if option.Key == None {
			continue
		}
		var described any = option.Text
		if option.Description != nil {
			described = option.Description
		}
		if err := pair(&b, option.Key, described); err != nil {
			return nil, err
		}
		b.WriteByte(',')
	}
	if err := pair(&b, None, nothingFits); err != nil {
		return nil, err
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func pair(b *bytes.Buffer, key string, value any) error {
	k, err := plain(key)
	if err != nil {
		return err
	}
	v, err := plain(value)
	if err != nil {
		return err
	}
	b.Write(k)
	b.WriteByte(':')
	b.Write(v)
	return nil
}

// MarshalJSON writes the state with what was read off the screen marked as
// data.
func (s State) MarshalJSON() ([]byte, error) {
	type bare State // without this method
	out := struct {
		bare
		VisibleText      surfaces.Untrusted  `json:"visible_text"`
		Elements         surfaces.Untrusted  `json:"elements"`
		FieldContents    *surfaces.Untrusted `json:"field_contents,omitempty"`
		AlreadyCollected *surfaces.Untrusted `json:"already_collected,omitempty"`
	}{bare: bare(s), VisibleText: surfaces.Untrusted{Data: s.VisibleText}, Elements: surfaces.Untrusted{Data: s.Elements}}
	if len(s.FieldContents) > 0 {
		out.FieldContents = &surfaces.Untrusted{Data: s.FieldContents}
	}
	if len(s.AlreadyCollected) > 0 {
		out.AlreadyCollected = &surfaces.Untrusted{Data: s.AlreadyCollected}
	}
	return plain(out)
}

// plain is JSON without the escapes that only a web page needs: they cost a
// model tokens and tell it nothing.
func plain(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
