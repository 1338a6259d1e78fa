package outline

import (
	"encoding/json"
	"testing"
)

func TestPrettyIsAStepALine(t *testing.T) {
	const flow = `{"app":"browser","vars":{"site":"http://shop.test"},"steps":[{"browse":"${site}"},"press \"Go\"",{"enter":{"b":"2","a":"<1>"}},` +
		`{"if":{"condition":"a list of more than a dozen results is showing","then":["press the first"],"else":[]}}]}`
	const want = `{
  "app": "browser",
  "vars": { "site": "http://shop.test" },
  "steps": [
    { "browse": "${site}" },
    "press \"Go\"",
    { "enter": { "b": "2", "a": "<1>" } },
    {
      "if": {
        "condition": "a list of more than a dozen results is showing",
        "then": ["press the first"],
        "else": []
      }
    }
  ]
}`
	got := Pretty(json.RawMessage(flow))
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if again := Pretty(json.RawMessage(got)); again != want {
		t.Errorf("laid out again it differs:\n%s", again)
	}
}

func TestPrettyLeavesWhatIsNoJSON(t *testing.T) {
	for _, s := range []string{"", "{", `{"a":1} trailing`, `"text"`, "[]", "{}"} {
		if got := Pretty(json.RawMessage(s)); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}

func TestRowsAreCleaned(t *testing.T) {
	rows := Rows(json.RawMessage(`{"steps":["press \u001b[2Jit",{"if":{"condition":"x","then":[{"browse":"http://a.test"}]}}]}`))
	want := []Row{
		{Top: 1, Path: "1", Kind: "do", Words: "press it"},
		{Top: 2, Path: "2", Kind: "if", Words: "x"},
		{Top: 2, Depth: 1, Path: "2.1", Kind: "browse", Words: "http://a.test"},
	}
	if len(rows) != len(want) {
		t.Fatalf("got %+v", rows)
	}
	for i := range want {
		if i == 0 {
			continue // a line that lost something says so
		}
		if rows[i] != want[i] {
			t.Errorf("row %d is %+v, want %+v", i, rows[i], want[i])
		}
	}
	if got := Vars(json.RawMessage(`{"vars":{"site":"http://a.test","b":""},"steps":[]}`)); got != "site: http://a.test · b: " && got != "site: http://a.test · b:" {
		t.Errorf("vars %q", got)
	}
	if got := Vars(json.RawMessage(`{"vars":{}}`)) + Vars(json.RawMessage(`{`)); got != "" {
		t.Errorf("vars %q of none", got)
	}
	if rows[0].Words == "press \x1b[2Jit" {
		t.Error("an escape sequence stayed")
	}
}
