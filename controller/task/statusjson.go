package task

import "encoding/json"

type wireInput struct {
	State  State   `json:"state"`
	Fields []Field `json:"fields"`
}

type wireApproval struct {
	State  State  `json:"state"`
	Action string `json:"action"`
	Target string `json:"target"`
	Digest string `json:"digest"`
}

type wireHuman struct {
	State  State  `json:"state"`
	Reason string `json:"reason"`
}

type wireCheckpoint struct {
	State       State          `json:"state"`
	Kind        CheckpointKind `json:"kind"`
	Reason      string         `json:"reason"`
	Location    string         `json:"location"`
	Summary     string         `json:"summary"`
	Continuable bool           `json:"continuable"`
}

type wirePlan struct {
	State State  `json:"state"`
	Guide string `json:"guide"`
}

type wireDone struct {
	State   State           `json:"state"`
	Answer  string          `json:"answer"`
	Records map[string]Rows `json:"records"`
	Result  json.RawMessage `json:"result,omitempty"`
}

type wireFailed struct {
	State       State  `json:"state"`
	Step        int    `json:"step,omitempty"`
	Reason      string `json:"reason"`
	Hint        string `json:"hint"`
	Recoverable bool   `json:"recoverable"`
}

type wireBare struct {
	State State `json:"state"`
}

// MarshalJSON writes the shape of the state, key for key.
func (s Status) MarshalJSON() ([]byte, error) {
	switch s.State {
	case NeedsInput:
		fields := make([]Field, len(s.Fields))
		copy(fields, s.Fields)
		for i := range fields {
			if fields[i].Options == nil {
				fields[i].Options = []string{}
			}
		}
		return json.Marshal(wireInput{s.State, fields})
	case NeedsApproval:
		return json.Marshal(wireApproval{s.State, s.Action, s.Target, s.Digest})
	case NeedsHuman:
		return json.Marshal(wireHuman{s.State, s.Reason})
	case Checkpoint:
		return json.Marshal(wireCheckpoint{s.State, s.Kind, s.Reason, s.Location, s.Summary, s.Continuable})
	case NeedsPlan:
		return json.Marshal(wirePlan{s.State, s.Guide})
	case Done:
		records := s.Records
		if records == nil {
			records = map[string]Rows{}
		}
		return json.Marshal(wireDone{s.State, s.Answer, records, s.Result})
	case Failed:
		return json.Marshal(wireFailed{s.State, s.Step, s.Reason, s.Hint, s.Recoverable})
	case Running, Cancelled:
		return json.Marshal(wireBare{s.State})
	default:
		return json.Marshal(wireBare{s.State})
	}
}

// UnmarshalJSON reads any of the nine shapes.
func (s *Status) UnmarshalJSON(b []byte) error {
	var w struct {
		State       State           `json:"state"`
		Fields      []Field         `json:"fields"`
		Action      string          `json:"action"`
		Target      string          `json:"target"`
		Digest      string          `json:"digest"`
		Reason      string          `json:"reason"`
		Kind        CheckpointKind  `json:"kind"`
		Location    string          `json:"location"`
		Summary     string          `json:"summary"`
		Continuable bool            `json:"continuable"`
		Guide       string          `json:"guide"`
		Answer      string          `json:"answer"`
		Records     map[string]Rows `json:"records"`
		Result      json.RawMessage `json:"result"`
		Step        int             `json:"step"`
		Hint        string          `json:"hint"`
		Recoverable bool            `json:"recoverable"`
	}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	*s = Status(w)
	return nil
}
