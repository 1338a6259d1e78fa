package theme

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"countersign/controller/task"
)

// Without colour the three waits still differ, by word and by glyph.
func TestD15WaitsDifferByWord(t *testing.T) {
	words, glyphs := map[string]bool{}, map[string]bool{}
	for _, s := range []task.Status{{State: task.NeedsApproval}, {State: task.NeedsInput}, {State: task.NeedsHuman}} {
		v := task.View{Status: s}
		th := New(Options{NoColor: true})
		words[th.State(v).Render(StateWord(v))] = true
		glyphs[StateGlyph(v)] = true
	}
	if len(words) != 3 || len(glyphs) != 3 {
		t.Errorf("words %v, glyphs %v: want three of each", words, glyphs)
	}
}

func TestWaitOf(t *testing.T) {
	tests := []struct {
		name   string
		status task.Status
		next   []string
		want   Wait
	}{
		{"approval", task.Status{State: task.NeedsApproval}, nil, Decide},
		{"carry on", task.Status{State: task.Checkpoint, Kind: task.CheckpointInterrupted, Continuable: true}, nil, Decide},
		{"values", task.Status{State: task.NeedsInput}, nil, Type},
		{"plan", task.Status{State: task.NeedsPlan}, nil, Type},
		{"wall", task.Status{State: task.NeedsHuman}, nil, ByHand},
		{"payment", task.Status{State: task.Checkpoint, Kind: task.CheckpointPayment}, []string{task.OpCancel, task.OpReport}, ByHand},
		{"payment, released", task.Status{State: task.Checkpoint, Kind: task.CheckpointPayment}, []string{task.OpReport}, NoWait},
		{"running", task.Status{State: task.Running}, nil, NoWait},
		{"done", task.Status{State: task.Done}, nil, NoWait},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := WaitOf(task.View{Status: tt.status, Next: tt.next}); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestLightBackground(t *testing.T) {
	for value, want := range map[string]bool{"": false, "15;0": false, "0;15": true, "0;default;15": true, "0;7": true, "12;8": false, "15": false} {
		if got := LightBackground(value); got != want {
			t.Errorf("LightBackground(%q) = %v, want %v", value, got, want)
		}
	}
}

// What was said in front of a payment stands where "stopped" would.
func TestAPaymentSpokenOf(t *testing.T) {
	for answer, want := range map[string]string{"": "■ stopped", task.Paid: "✓ paid", task.NotPaid: "■ unpaid"} {
		v := task.View{Status: task.Status{State: task.Checkpoint, Kind: task.CheckpointPayment}, Paid: answer, Next: []string{task.OpReport}}
		if held := WaitOf(task.View{Status: v.Status, Paid: answer, Next: []string{task.OpCancel}}); (held == ByHand) != (answer == "") {
			t.Errorf("%q and the browser still held: waits %v", answer, held)
		}
		if got := StateGlyph(v) + " " + StateWord(v); got != want {
			t.Errorf("%q: %s, want %s", answer, got, want)
		}
	}
}

// luminance is WCAG's relative luminance of a colour given as #rrggbb.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	var rgb [3]int
	if _, err := fmt.Sscanf(hex, "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); err != nil {
		t.Fatalf("%q: %v", hex, err)
	}
	sum := 0.0
	for i, part := range []float64{0.2126, 0.7152, 0.0722} {
		c := float64(rgb[i]) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += part * c
	}
	return sum
}

// What is read stands out by 7 to 1 in the theme for that, by 4.5 in the others
// (WCAG 2.2, 1.4.6 and 1.4.3).
func TestContrast(t *testing.T) {
	for name, tt := range map[string]struct {
		palette palette
		ground  float64
		least   float64
	}{
		"dark":            {dark(), 0, 4.5},
		"light":           {light(), 1, 4.5},
		"contrast, dark":  {contrast(false), 0, 7},
		"contrast, light": {contrast(true), 1, 7},
	} {
		roles := tt.palette.roles()
		roles["quote"] = &tt.palette.quote
		for role, c := range roles {
			hex, ok := (*c).(lipgloss.Color)
			if !ok || role == "faint" || role == "selected" {
				continue
			}
			l := luminance(t, string(hex))
			if ratio := (max(l, tt.ground) + 0.05) / (min(l, tt.ground) + 0.05); ratio < tt.least {
				t.Errorf("%s: %s stands out by %.1f, want %.1f", name, role, ratio, tt.least)
			}
		}
	}
}

func TestColoursOfOnesOwn(t *testing.T) {
	for _, tt := range []struct {
		role, value string
		ok          bool
	}{
		{"decide", "#ffaf00", true},
		{"by_hand", "13", true},
		{"type", "256", false},
		{"danger", "red", false},
		{"quote", "#ff0000", false}, // what is not ours never stands out
		{"decide", "#ff\x1b[2J", false},
	} {
		if said := Check(tt.role, tt.value); (said == "") != tt.ok {
			t.Errorf("%s = %q: %q", tt.role, tt.value, said)
		}
	}
	th := New(Options{Profile: termenv.TrueColor, Colours: map[string]string{"decide": "#010203"}})
	if got := th.Wait(Decide).Render("x"); !strings.Contains(got, "38;2;1;2;3") {
		t.Errorf("drawn as %q", got)
	}
}
