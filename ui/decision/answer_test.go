package decision

import "testing"

// What the person says of themselves is no verb: "type done to I did it" once
// stood on the card.
func TestChoiceHowTo(t *testing.T) {
	tests := map[string]struct {
		choice Choice
		want   string
	}{
		"an act":      {Choice{"sign", "send"}, "type sign to send"},
		"a statement": {Choice{"done", "I did it"}, "type done: I did it"},
		"a denial":    {Choice{"not paid", "I did not"}, "type not paid: I did not"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := tt.choice.HowTo(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
