package flows

import (
	"fmt"
	"testing"
)

func TestLocate(t *testing.T) {
	const raw = "\xef\xbb\xbf{\n  \"app\": \"browser\",\n  \"steps\": [\n    \"press Ok\",\n    {\"clik\": 1}, {\"enter\": {\"a.b [c]\": 2}},\n\t{\"read\" :\n{\"what\": 3}}\n  ]\n}"
	for path, want := range map[string]string{
		"":                          "1:1",
		"app":                       "2:10",
		"steps":                     "3:12",
		"steps[0]":                  "4:5",
		"steps[1]":                  "5:5",
		"steps[1].clik":             "5:14",
		`steps[2].enter["a.b [c]"]`: "5:40",
		"steps[3].read":             "7:1",
		"steps[3].read.what":        "7:10",
		"steps[3].read.into":        "7:1", // it is missing there
		"steps[9]":                  "3:12",
		"covers":                    "1:1",
	} {
		line, column := Locate([]byte(raw), path)
		if got := fmt.Sprintf("%d:%d", line, column); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if line, column := Locate([]byte("{\n \"a\" \"b\"}"), ""); line != 2 || column != 6 {
		t.Errorf("what is no JSON: %d:%d, want 2:6", line, column)
	}
}
