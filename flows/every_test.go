package flows_test

import (
	"fmt"
	"strings"
	"testing"

	"countersign/flows"
	"countersign/flows/flowstest"
	"countersign/surfaces/surfacetest"
)

// feed is a list of posts with a Like each. once: a liked post's Like is gone.
func feed(posts int, once bool, liked *[]string) func() *surfacetest.Page {
	return func() *surfacetest.Page {
		p := &surfacetest.Page{Title: "A page"}
		for n := range posts {
			like := surfacetest.Button("Like", nil)
			like.OnClick = func(*surfacetest.App) {
				*liked = append(*liked, fmt.Sprint(n+1))
				if once {
					like.Name = "Liked"
				}
			}
			item := surfacetest.In(fmt.Sprintf("listitem #%d", n+1), surfacetest.Text(fmt.Sprintf("Post %d", n+1)), like)
			p.Elements = append(p.Elements, item...)
		}
		return p
	}
}

func TestEveryPressesEachCopyOnce(t *testing.T) {
	for _, tt := range []struct {
		says string
		once bool
		stop flows.Stop
		want string
	}{
		{"Like every post.", false, flows.Completed, "1 2 3"},
		{"Like every post.", true, flows.Completed, "1 2 3"},
		{"press all Like buttons", true, flows.Completed, "1 2 3"},
		{"click the Like button of each post", false, flows.Completed, "1 2 3"},
		{"Like all posts by Ada", false, flows.StepFailed, ""},
		{"Like every unread post", false, flows.StepFailed, ""},
	} {
		var liked []string
		on(t, feed(3, tt.once, &liked), func(s *stage) {
			s.d.On("target", flowstest.Pick("Like", 0.9))
			s.wantStop(s.run(do(tt.says)), tt.stop)
		})
		if got := strings.Join(liked, " "); got != tt.want {
			t.Errorf("%s: pressed %q, want %q", tt.says, got, tt.want)
		}
	}
}
