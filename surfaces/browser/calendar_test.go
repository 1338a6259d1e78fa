package browser

import (
	"fmt"
	"strings"
	"testing"

	"countersign/surfaces"
)

// The title of a month is what a person reads over its days, whatever it is
// made of (7.9).
func TestSightCalendarTitles(t *testing.T) {
	s := tabOf(t, surfaces.Needs{}, Options{})
	var june strings.Builder
	for d := 1; d <= 30; d++ {
		fmt.Fprintf(&june, "<td><button>%d</button>", d)
		if d%7 == 0 {
			june.WriteString("<tr>")
		}
	}
	days := "<table><tr>" + june.String() + "</table>"
	rows := []struct {
		name, title, date string // of the first day
		arrows            string // names of what else is pressed
	}{
		{"two lists", `<div><select><option>May<option selected>Jun</select><select><option>2020<option selected>2021</select></div>`, "1 June 2021", ""},
		{"two lists beside the days", `<select><option selected>2021<option>2022</select><select><option>May<option selected>June</select>`, "1 June 2021", ""},
		{"a list and a box", `<div><select><option>May<option selected>June</select><input type=number value=2021></div>`, "1 June 2021", ""},
		{"numbers", `<div>06 / 2021</div>`, "1 June 2021", ""},
		{"another language", `<script>document.documentElement.lang='de'</script><div>Juni 2021</div>`, "1 June 2021", ""},
		{"a list of months alone", `<div><select><option>June</select></div>`, "", ""},
		{"more than a month in numbers", `<div>06 / 12 / 2021</div>`, "", ""},
		{"arrows of years and months", `<div><button>«</button><button>‹</button> June 2021 <button>›</button><button>»</button></div>`, "1 June 2021", "previous year, previous month, next month, next year"},
		{"double arrows alone", `<div><button>«</button> June 2021 <button>»</button></div>`, "1 June 2021", "previous month, next month"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			must(t, s.Navigate(t.Context(), serve(t, map[string]string{"": "<div>" + row.title + days + "</div>"}).URL))
			date, arrows := "", []string{}
			for _, c := range observe(t, s).Candidates {
				switch {
				case c.Role == "gridcell" && c.Name == "1":
					date = c.Description
				case c.Role == "button" && strings.ContainsAny(c.Name, "my"):
					arrows = append(arrows, c.Name)
				}
			}
			if got := strings.Join(arrows, ", "); date != row.date || got != row.arrows {
				t.Errorf("the first day is %q beside %q, wanted %q beside %q", date, got, row.date, row.arrows)
			}
		})
	}
}
