package desktop

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/surfaces"
	"countersign/surfaces/desktop/desktoptest"
)

// TestFieldsByTheWordsBesideThem: GTK's grid lists its children backwards and
// says of no field which words belong to it, so a form was read from the bottom
// up and without a name.
func TestFieldsByTheWordsBesideThem(t *testing.T) {
	s, _ := show(t, "beside", desktoptest.Gallery, "beside")
	var got []string
	screen := observe(t, s, "beside")
	for i := range screen.Candidates {
		if c := &screen.Candidates[i]; c.Role != "option" {
			got = append(got, c.Label())
		}
	}
	want := []string{"textbox", `textbox "Full name"`, `textbox "PIN"`, "textbox", `combobox "Town"`, `textarea "Remarks"`, `checkbox "I agree"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("controls (-want +got):\n%s", diff)
	}
	if want := []string{"This form is looked at by a person, so take your time", "Full name:", "PIN", "or", "Town", "Remarks *", "I agree"}; !slices.Equal(screen.Context, want) {
		t.Errorf("the window says %q, want %q", screen.Context, want)
	}
}

func TestByRows(t *testing.T) {
	at := func(x, y, w, h float64) surfaces.Bounds { return surfaces.Bounds{X: x, Y: y, Width: w, Height: h} }
	tests := []struct {
		name  string
		boxes map[string]surfaces.Bounds
		want  string
	}{
		{"a row that is not quite straight", map[string]surfaces.Bounds{"a": at(0, 12, 50, 10), "b": at(60, 8, 50, 20), "c": at(120, 10, 9, 14)}, "abc"},
		{"two rows", map[string]surfaces.Bounds{"a": at(0, 0, 50, 20), "b": at(60, 4, 50, 20), "c": at(0, 30, 50, 20), "d": at(60, 28, 50, 20)}, "abcd"},
		{"one beside a tall one", map[string]surfaces.Bounds{"a": at(0, 0, 50, 100), "b": at(60, 40, 50, 20)}, "ab"},
		{"what is not drawn comes first", map[string]surfaces.Bounds{"a": {}, "b": at(0, 0, 5, 5)}, "ab"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			boxes := map[*node]surfaces.Bounds{}
			var nodes []*node
			for name, box := range tt.boxes { // in any order
				n := &node{name: name}
				nodes, boxes[n] = append(nodes, n), box
			}
			byRows(nodes, boxes)
			got := ""
			for _, n := range nodes {
				got += n.name
			}
			if got != tt.want {
				t.Errorf("read %q, want %q", got, tt.want)
			}
		})
	}
}
