package flows

import (
	"strconv"
	"strings"
)

// stepAt reads one step's value; path ends in the step's kind.
type stepAt struct {
	*walker
	path    string
	number  string
	nesting int
	kind    Kind
}

func (s stepAt) read(t jsonTree) Step {
	switch s.kind {
	case KindEnter:
		return s.enter(t)
	case KindRepeatUntil, KindIf:
		return s.branches(t)
	case KindChoose:
		return s.object(t, "what", "option")
	case KindRead, KindExtract:
		return s.object(t, "what", "into")
	case KindPick:
		return s.object(t, "from", "by", "into")
	case KindOpen:
		return s.single(t, saysName)
	case KindBrowse:
		return s.single(t, saysAddress)
	case KindDo:
		return s.single(t, saysAct)
	case KindVerify, KindWaitFor:
		return s.single(t, saysCondition)
	case KindStopBefore:
		return s.single(t, saysGuard)
	default:
		return Step{}
	}
}

func (s stepAt) single(t jsonTree, as standing) Step {
	text := s.text(s.path, t)
	s.note(s.path, "", as, text)
	return Step{Kind: s.kind, Text: text}
}

// object reads a step whose fields are all required strings.
func (s stepAt) object(t jsonTree, fields ...string) Step {
	step := Step{Kind: s.kind}
	if !s.isObject(t, fields) {
		return step
	}
	got := s.fields(s.path, t, fields, nil)
	for _, name := range fields {
		item, ok := got[name]
		if !ok {
			continue
		}
		path := joined(s.path, name)
		if name == "into" {
			step.Into = s.into(path, item)
			continue
		}
		text := s.text(path, item)
		s.note(path, name, saysWanted, text)
		switch name {
		case "what":
			step.What = text
		case "option":
			step.Option = text
		case "from":
			step.From = text
		case "by":
			step.By = text
		}
	}
	return step
}

func (s stepAt) into(path string, t jsonTree) string {
	switch {
	case t.sort != jsonString:
		s.add(path, WrongType, "into is the name of a variable as a string, not %s", t.sort)
	case !intoName.MatchString(t.text):
		s.add(path, BadInto, "%q is no name for a variable: a small letter, then up to 63 small letters, digits or _", excerpt(t.text))
	}
	s.note(path, "into", saysInto, t.text)
	return t.text
}

func (s stepAt) enter(t jsonTree) Step {
	step := Step{Kind: KindEnter}
	if t.sort != jsonObject {
		s.add(s.path, WrongType, "enter is an object of fields and what is typed into each, not %s", t.sort)
		return step
	}
	if len(t.keys) == 0 {
		s.add(s.path, EmptySlots, "enter names no field to fill")
	}
	seen := map[string]string{}
	for i, name := range t.keys {
		path := keyed(s.path, name)
		folded := strings.ToLower(strings.TrimSpace(name))
		first, twice := seen[folded]
		switch {
		case folded == "":
			s.add(path, EmptySlots, "a field's name must not be blank")
		case twice:
			s.add(path, DuplicateSlot, "this is the same field as %q", excerpt(first))
		}
		seen[folded] = name
		text := s.text(path, t.items[i])
		s.note(path, "", saysSlot, name)
		s.note(path, name, saysTyped, text)
		step.Slots = append(step.Slots, Slot{Name: name, Text: text})
	}
	return step
}

// branches reads the two kinds that hold steps.
func (s stepAt) branches(t jsonTree) Step {
	step := Step{Kind: s.kind}
	required, optional := []string{"condition", "then"}, []string{"else"}
	if s.kind == KindRepeatUntil {
		required, optional = []string{"condition", "steps"}, []string{"max"}
	}
	if !s.isObject(t, append(required, optional...)) {
		return step
	}
	got := s.fields(s.path, t, required, optional)
	if item, ok := got["condition"]; ok {
		path := joined(s.path, "condition")
		step.Condition = s.text(path, item)
		s.note(path, "condition", saysCondition, step.Condition)
	}
	if s.kind == KindRepeatUntil {
		step.Max = s.max(got)
	}
	for _, name := range []string{"steps", "then", "else"} {
		item, ok := got[name]
		if !ok {
			continue
		}
		path := joined(s.path, name)
		nested := s.list(path, s.number, s.nesting+1, item)
		switch name {
		case "steps":
			step.Steps = nested
			if item.sort == jsonArray && len(item.items) == 0 {
				s.add(path, EmptyFlow, "repeat_until needs at least one step to repeat")
			}
		case "then":
			step.Then = nested
		case "else":
			step.Else = nested
		}
	}
	return step
}

// max reads how often a repeat_until runs at most.
func (s stepAt) max(got map[string]jsonTree) int {
	t, ok := got["max"]
	if !ok {
		return defaultMax
	}
	n, err := strconv.Atoi(t.text)
	if t.sort != jsonNumber || err != nil || n < 1 || n > maxRounds {
		s.add(joined(s.path, "max"), BadMax, "max is a whole number from 1 to %d", maxRounds)
		return defaultMax
	}
	return n
}

func (s stepAt) isObject(t jsonTree, fields []string) bool {
	if t.sort != jsonObject {
		s.add(s.path, WrongType, "%s is an object with %s, not %s", s.kind, strings.Join(fields, ", "), t.sort)
		return false
	}
	return true
}

func (s stepAt) note(path, part string, as standing, text string) {
	s.say(saying{path: path, step: s.number, kind: s.kind, as: as, part: part, text: text})
}
