package flows_test

import (
	"strconv"
	"testing"

	"countersign/flows"
	"countersign/surfaces/surfacetest"
)

// counterPage has a minus and a plus for each label, with a number that starts at
// 2 between them and goes no higher than most.
func counterPage(most int, labels ...string) func() *surfacetest.Page {
	return func() *surfacetest.Page {
		p := &surfacetest.Page{Title: "A page"}
		for _, label := range labels {
			number := surfacetest.Text("2")
			step := func(by int) func(*surfacetest.App) {
				return func(*surfacetest.App) {
					n, _ := strconv.Atoi(number.Name)
					number.Name = strconv.Itoa(min(max(n+by, 0), most))
				}
			}
			p.Elements = append(p.Elements, surfacetest.Text(label), surfacetest.Button("−", step(-1)), number, surfacetest.Button("+", step(1)))
		}
		p.Elements = append(p.Elements, surfacetest.Button("Done", func(*surfacetest.App) {}))
		return p
	}
}

func TestACounterIsSetByItsPlusAndMinus(t *testing.T) {
	for _, tt := range []struct {
		says        string
		labels      []string
		most        int
		stop        flows.Stop
		plus, minus int
	}{
		{"set the number of guests to 6", []string{"Guests"}, 9, flows.Completed, 4, 0},
		{"Set the number to 1 with the − button.", []string{"Guests"}, 9, flows.Completed, 0, 1},
		{"set the counter to 2", []string{"Guests"}, 9, flows.Completed, 0, 0},
		{"set the number of adults to 4", []string{"Adults", "Children"}, 9, flows.Completed, 2, 0},
		{"set the number of guests to 6", []string{"Guests"}, 3, flows.StepFailed, 2, 0},
	} {
		on(t, counterPage(tt.most, tt.labels...), func(s *stage) {
			s.wantStop(s.run(do(tt.says)), tt.stop)
			s.wantClicks(`button "+"`, tt.plus)
			s.wantClicks(`button "−"`, tt.minus)
		})
	}
}

func TestACounterIsNeverGuessed(t *testing.T) {
	for _, says := range []string{"set the number to 4", "set the number of pets to 4", "set the slider to 4"} {
		on(t, counterPage(9, "Adults", "Children"), func(s *stage) {
			s.run(do(says))
			s.wantClicks(`button "+"`, 0)
			s.wantClicks(`button "−"`, 0)
		})
	}
}
