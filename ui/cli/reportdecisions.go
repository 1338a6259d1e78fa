package cli

import (
	"strings"
	"time"

	"countersign/controller/task"
	"countersign/ui/decision"
	"countersign/ui/text"
)

// printDecisions draws every question of a task again as it was put, with the
// answer below.
func (c *command) printDecisions(r task.Report) {
	if len(r.Decisions) == 0 {
		c.printf("%s asked nothing.\n", r.View.ID)
	}
	for i, d := range r.Decisions {
		if i > 0 {
			c.printf("\n")
		}
		c.printf("%d of %d  %s  asked %s\n", i+1, len(r.Decisions), d.Question, day(d.AskedAt))
		for _, line := range decision.Replay(r, d) {
			c.printf("  │ %s\n", text.Spaced(line))
		}
		if d.Evidence != nil && d.Evidence.Picture != "" {
			c.printf("  picture   p-%.16s  taken as it was asked\n", clean(d.Evidence.Picture))
		}
		c.printf("  %s\n", ending(d))
	}
}

// ending says how a decision came out, by whom, when, and after how long a look.
func ending(d task.Decision) string {
	if d.State == task.DecisionAsked {
		return "not answered yet"
	}
	out := []string{string(d.State) + "  " + day(d.AnsweredAt)}
	if d.Answer != "" {
		out = append(out, "answer: "+clean(d.Answer))
	}
	if d.Words != "" {
		out = append(out, "words: “"+clean(d.Words)+"”")
	}
	if d.Who != "" {
		out = append(out, "by "+clean(d.Who))
	}
	if d.ShownMS > 0 {
		out = append(out, "stood "+text.Elapsed(d.ShownMS)+" on the screen")
	}
	return strings.Join(out, "  ")
}

// day is a moment of the past, with its date.
func day(ms int64) string { return time.UnixMilli(ms).Format("2006-01-02 15:04:05") }
