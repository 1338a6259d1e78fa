package rescuer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"countersign/controller/chat"
	"countersign/flows"
)

// turns render the briefing. Every text in it is cleaned on its own, before it
// is cut or written as JSON, so that no value can hide in an escape.
func turns(b Briefing) []chat.Turn {
	var s strings.Builder
	s.WriteString("Goal of the task:\n" + chat.Data("goal", chat.Cut(b.Clean(b.Goal), maxWords)))
	s.WriteString("Standing rules:\n- " + strings.Join(b.Rules, "\n- ") + "\n")
	s.WriteString("The flow as it runs:\n" + chat.Data("flow", flowText(b)))
	s.WriteString("Why the step failed:\n" + chat.Data("failure", chat.Cut(b.Clean(b.Failure), maxWords)))
	s.WriteString("What the steps of this run came to:\n" + chat.Data("reports", reportText(b)))
	if len(b.Earlier) > 0 {
		s.WriteString("Earlier rescues of this task; do not repeat what did not help:\n" + chat.Data("rescues", earlierText(b)))
	}
	if len(b.Values) > 0 {
		s.WriteString("Values saved already; do not fetch them again:\n" + chat.Data("values", valueText(b)))
	}
	s.WriteString("What the screen shows:\n" + chat.Data("screen", shed(strings.Split(b.Clean(strings.Join(b.Screen, "\n")), "\n"))))
	s.WriteString("Names you may use: " + names(b) + ".\n")
	return []chat.Turn{{Role: chat.System, Text: protocol + flows.Guide()}, {Role: chat.User, Text: s.String()}}
}

func flowText(b Briefing) string {
	var s strings.Builder
	for i, step := range b.Flow.Steps {
		raw, err := json.Marshal(cleaned(step, b.Clean))
		if err != nil {
			continue // a step of a running flow always has a kind
		}
		mark := ""
		if i == b.Failed {
			mark = "   <== this step failed"
		}
		fmt.Fprintf(&s, "%d. %s%s\n", i+1, raw, mark)
	}
	return s.String()
}

// cleaned is a step with every text in it cleaned.
func cleaned(s flows.Step, clean func(string) string) flows.Step {
	for _, text := range []*string{&s.Text, &s.What, &s.Option, &s.From, &s.By, &s.Condition} {
		*text = clean(*text)
	}
	s.Slots = slices.Clone(s.Slots)
	for i, slot := range s.Slots {
		s.Slots[i] = flows.Slot{Name: clean(slot.Name), Text: clean(slot.Text)}
	}
	for _, list := range []*[]flows.Step{&s.Steps, &s.Then, &s.Else} {
		*list = slices.Clone(*list)
		for i, inner := range *list {
			(*list)[i] = cleaned(inner, clean)
		}
	}
	return s
}

func reportText(b Briefing) string {
	var s strings.Builder
	for _, r := range b.Reports[max(0, len(b.Reports)-maxItems):] {
		fmt.Fprintf(&s, "step %s, %s: %s. %s\n", r.Step, chat.Cut(b.Clean(r.Text), maxValue), r.Outcome, chat.Cut(b.Clean(r.Note), maxValue))
	}
	return s.String()
}

func earlierText(b Briefing) string {
	var s strings.Builder
	for _, r := range b.Earlier {
		steps := chat.Cut(b.Clean(string(r.Steps)), maxWords)
		fmt.Fprintf(&s, "step %d failed: %s\nadvice: %s, steps %s, covers %d\noutcome: %s\n",
			r.Step, chat.Cut(b.Clean(r.Failure), maxValue), chat.Cut(b.Clean(r.Reason), maxReason), steps, r.Covers, r.Outcome)
	}
	return s.String()
}

func valueText(b Briefing) string {
	var s strings.Builder
	for _, v := range b.Values[max(0, len(b.Values)-maxItems):] {
		s.WriteString(v.Name + ": " + chat.Cut(b.Clean(v.Text), maxValue) + "\n")
	}
	return s.String()
}

// shed leaves out the longest lines until the rest fits.
func shed(lines []string) string {
	room := 0
	order := make([]int, len(lines))
	for i, line := range lines {
		order[i] = i
		room += utf8.RuneCountInString(line) + 1
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(lines[b]) - len(lines[a]) })
	left := make([]bool, len(lines))
	for _, i := range order {
		if room <= maxScreen {
			break
		}
		left[i] = true
		room -= utf8.RuneCountInString(lines[i]) + 1
	}
	var kept []string
	for i, line := range lines {
		if !left[i] {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// names lists what ${} may hold: facts, variables and what steps have saved.
func names(b Briefing) string {
	var out []string
	for _, name := range b.Names {
		if slices.Contains(b.Secrets, name) {
			out = append(out, "${"+name+"} (secret)")
		} else {
			out = append(out, "${"+name+"}")
		}
	}
	var vars []string
	for name := range b.Flow.Vars {
		if !slices.Contains(b.Names, name) {
			vars = append(vars, "${"+name+"}")
		}
	}
	slices.Sort(vars)
	out = append(out, vars...)
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out[:min(len(out), 2*maxItems)], ", ")
}
