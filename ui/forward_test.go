package ui

import (
	"testing"
	"time"

	"countersign/controller/task"
)

func TestTheBrowserIsShownOnlyWhenAsked(t *testing.T) {
	for name, tt := range map[string]struct {
		look task.Look
		want string
	}{
		"with a window": {task.Look{Wall: task.WallStillThere, Headed: true, Address: "https://seats.test"}, "the browser of t-4 is in front"},
		"without one":   {task.Look{Wall: task.WallStillThere, Endpoint: "http://127.0.0.1:39222"}, "no window: open http://127.0.0.1:39222"},
		"with none":     {task.Look{Wall: task.WallCannotTell}, "t-4 has no browser to show"},
	} {
		t.Run(name, func(t *testing.T) {
			at(t, "demo", usual, func(b bench) {
				b.desk.SetLook(4, tt.look)
				b.Keys("j", "enter")
				b.Wait(2 * time.Second)
				if b.Shows("o show its browser") != tt.look.Headed {
					t.Errorf("the way there is offered wrongly:\n%s", b.Frame())
				}
				if n := len(b.desk.Forwards()); n != 0 {
					t.Fatalf("brought forward unasked, %d times", n)
				}
				b.Keys("o")
				b.MustShow(tt.want)
				b.Type("do")
				b.Keys("o", "esc", "o")
				if got := b.desk.Forwards(); len(got) != 2 || got[1] != 4 {
					t.Errorf("brought forward %v, want t-4 twice: inside a word o is a letter", got)
				}
				if n := len(b.desk.Answers()); n != 0 {
					t.Errorf("%d answers", n)
				}
			})
		})
	}
}
