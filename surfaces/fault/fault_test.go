package fault

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
)

func TestEveryCodeHasHintAndWhen(t *testing.T) {
	for _, c := range Codes() {
		if c.Hint() == "" || c.When() == "" {
			t.Errorf("%s: hint %q, when %q; want both", c, c.Hint(), c.When())
		}
	}
}

func TestCodeSurvivesWrapping(t *testing.T) {
	cause := errors.New("disk")
	err := fmt.Errorf("committing: %w", Wrap(StoreFull, cause, "no room left"))
	if got := CodeOf(err); got != StoreFull {
		t.Errorf("CodeOf = %s, want %s", got, StoreFull)
	}
	if !errors.Is(err, cause) || !errors.Is(err, New(StoreFull, "")) {
		t.Error("errors.Is does not find the cause and the code")
	}
	if got := CodeOf(errors.New("plain")); got != Internal {
		t.Errorf("CodeOf(plain) = %s, want %s", got, Internal)
	}
}

func TestErrorObject(t *testing.T) {
	b, err := json.Marshal(New(NoSuchTask, "no task t-9"))
	want := `{"code":"NO_SUCH_TASK","message":"no task t-9","hint":"` + "`countersign tasks` lists the ids." + `","recoverable":false}`
	if err != nil || string(b) != want {
		t.Errorf("got %s %v, want %s", b, err, want)
	}
}
