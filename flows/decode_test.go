package flows

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// example is the flow of flows.md section 1.
const example = `{
  "app": "browser",
  "vars": { "city": "Pune", "when": "14 October" },
  "steps": [
    { "browse": "https://rail.example/search" },
    { "enter": { "destination": "${city}", "travel date": "${when}" } },
    "search for trains",
    { "wait_for": "a list of trains is showing" },
    { "pick": { "from": "the list of trains", "by": "lowest price", "into": "train" } },
    { "if": { "condition": "a meal offer is in front", "then": ["decline the meal"], "else": [] } },
    { "stop_before": "paying for the ticket" }
  ]
}`

func TestDecodeExample(t *testing.T) {
	got, problems := Decode([]byte(example))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	want := Flow{
		App:  "browser",
		Vars: map[string]string{"city": "Pune", "when": "14 October"},
		Steps: []Step{
			{Kind: KindBrowse, Text: "https://rail.example/search"},
			{Kind: KindEnter, Slots: []Slot{{"destination", "${city}"}, {"travel date", "${when}"}}},
			{Kind: KindDo, Text: "search for trains"},
			{Kind: KindWaitFor, Text: "a list of trains is showing"},
			{Kind: KindPick, From: "the list of trains", By: "lowest price", Into: "train"},
			{Kind: KindIf, Condition: "a meal offer is in front", Then: []Step{{Kind: KindDo, Text: "decline the meal"}}},
			{Kind: KindStopBefore, Text: "paying for the ticket"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// wrap puts steps into a flow.
func wrap(steps string) []byte { return []byte(`{"app":"browser","steps":[` + steps + `]}`) }

func TestDecodeProblems(t *testing.T) {
	long := strings.Repeat("x", 65)
	for _, row := range []struct{ name, raw, path, code string }{
		{"FL-01 A14 two keys", string(wrap(`"a",{"do":"b","open":"c"}`)), "steps[1]", StepNotOneKey},
		{"no key", string(wrap(`{}`)), "steps[0]", StepNotOneKey},
		{"the same key twice", string(wrap(`{"do":"a","do":"b"}`)), "steps[0]", StepNotOneKey},
		{"FL-02 unknown kind", string(wrap(`{"clik":"a"}`)), "steps[0]", UnknownStepKind},
		{"FL-03 no steps", string(wrap(``)), "steps", EmptyFlow},
		{"blank string step", string(wrap(`" "`)), "steps[0]", EmptyStep},
		{"blank do", string(wrap(`{"do":"\t"}`)), "steps[0].do", EmptyStep},
		{"blank app", `{"app":" ","steps":["a"]}`, "app", EmptyStep},
		{"blank what", string(wrap(`{"choose":{"what":"","option":"M"}}`)), "steps[0].choose.what", EmptyStep},
		{"blank typed text", string(wrap(`{"enter":{"phone":" "}}`)), `steps[0].enter["phone"]`, EmptyStep},
		{"no app", `{"steps":["a"]}`, "app", MissingField},
		{"no steps key", `{"app":"x"}`, "steps", MissingField},
		{"null steps", `{"app":"x","steps":null}`, "steps", MissingField},
		{"no option", string(wrap(`{"choose":{"what":"size"}}`)), "steps[0].choose.option", MissingField},
		{"no into", string(wrap(`{"read":{"what":"total"}}`)), "steps[0].read.into", MissingField},
		{"no condition", string(wrap(`{"if":{"then":["a"]}}`)), "steps[0].if.condition", MissingField},
		{"no then", string(wrap(`{"if":{"condition":"c"}}`)), "steps[0].if.then", MissingField},
		{"no repeat steps", string(wrap(`{"repeat_until":{"condition":"c"}}`)), "steps[0].repeat_until.steps", MissingField},
		{"empty repeat", string(wrap(`{"repeat_until":{"condition":"c","steps":[]}}`)), "steps[0].repeat_until.steps", EmptyFlow},
		{"unknown top field", `{"app":"x","steps":["a"],"step":[]}`, "step", UnknownField},
		{"unknown field", string(wrap(`{"pick":{"from":"a","by":"first","into":"b","of":"c"}}`)), "steps[0].pick.of", UnknownField},
		{"field twice", string(wrap(`{"read":{"what":"a","what":"b","into":"c"}}`)), "steps[0].read.what", UnknownField},
		{"flow is a list", `[]`, "", WrongType},
		{"app is a number", `{"app":1,"steps":["a"]}`, "app", WrongType},
		{"vars is a list", `{"app":"x","vars":[],"steps":["a"]}`, "vars", WrongType},
		{"a variable is a number", `{"app":"x","vars":{"n":1},"steps":["a"]}`, `vars["n"]`, WrongType},
		{"steps is an object", `{"app":"x","steps":{}}`, "steps", WrongType},
		{"a step is a number", string(wrap(`7`)), "steps[0]", WrongType},
		{"a step is null", string(wrap(`null`)), "steps[0]", WrongType},
		{"a do is an object", string(wrap(`{"do":{}}`)), "steps[0].do", WrongType},
		{"an enter is a string", string(wrap(`{"enter":"a"}`)), "steps[0].enter", WrongType},
		{"a slot is a number", string(wrap(`{"enter":{"phone":1}}`)), `steps[0].enter["phone"]`, WrongType},
		{"a pick is a string", string(wrap(`{"pick":"a"}`)), "steps[0].pick", WrongType},
		{"then is a string", string(wrap(`{"if":{"condition":"c","then":"a"}}`)), "steps[0].if.then", WrongType},
		{"into is a number", string(wrap(`{"read":{"what":"a","into":1}}`)), "steps[0].read.into", WrongType},
		{"no slots", string(wrap(`{"enter":{}}`)), "steps[0].enter", EmptySlots},
		{"blank slot name", string(wrap(`{"enter":{" ":"a"}}`)), `steps[0].enter[" "]`, EmptySlots},
		{"the same slot", string(wrap(`{"enter":{"Phone":"a"," phone ":"b"}}`)), `steps[0].enter[" phone "]`, DuplicateSlot},
		{"into with a capital", string(wrap(`{"read":{"what":"a","into":"Total"}}`)), "steps[0].read.into", BadInto},
		{"into starts with a digit", string(wrap(`{"read":{"what":"a","into":"1st"}}`)), "steps[0].read.into", BadInto},
		{"into is blank", string(wrap(`{"read":{"what":"a","into":""}}`)), "steps[0].read.into", BadInto},
		{"into is long", string(wrap(`{"read":{"what":"a","into":"` + long + `"}}`)), "steps[0].read.into", BadInto},
		{"max 0", string(wrap(`{"repeat_until":{"condition":"c","steps":["a"],"max":0}}`)), "steps[0].repeat_until.max", BadMax},
		{"max 51", string(wrap(`{"repeat_until":{"condition":"c","steps":["a"],"max":51}}`)), "steps[0].repeat_until.max", BadMax},
		{"max 1.5", string(wrap(`{"repeat_until":{"condition":"c","steps":["a"],"max":1.5}}`)), "steps[0].repeat_until.max", BadMax},
		{"max is a string", string(wrap(`{"repeat_until":{"condition":"c","steps":["a"],"max":"5"}}`)), "steps[0].repeat_until.max", BadMax},
		{"not JSON", "{\n \"app\": nope}", "", NotJSON},
		{"empty file", " ", "", NotJSON},
		{"two values", `{"app":"x","steps":["a"]} {}`, "", NotJSON},
		{"cut short", `{"app":"x","steps":["a"`, "", NotJSON},
		{"deep in a branch", string(wrap(`{"if":{"condition":"c","then":["a",{"do":""}]}}`)), "steps[0].if.then[1].do", EmptyStep},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, problems := Decode([]byte(row.raw))
			for _, p := range problems {
				if p.Path == row.path && p.Code == row.code && p.Message != "" {
					return
				}
			}
			t.Errorf("got %v, want %s at %q", problems, row.code, row.path)
		})
	}
}

func TestFL02_MessageListsKindsAndNearest(t *testing.T) {
	_, problems := Decode(wrap(`{"clik":"a"},{"wait-for":"b"},{"Choose":"c"},{"qqqqqqq":"d"}`))
	if len(problems) != 4 {
		t.Fatalf("got %v", problems)
	}
	for _, kind := range Kinds() {
		if !strings.Contains(problems[0].Message, string(kind)) {
			t.Errorf("%q does not list %s", problems[0].Message, kind)
		}
	}
	for i, want := range []string{"did you mean", "did you mean wait_for?", "did you mean choose?"} {
		if !strings.Contains(problems[i].Message, want) {
			t.Errorf("%q; want %q in it", problems[i].Message, want)
		}
	}
	if strings.Contains(problems[3].Message, "did you mean") {
		t.Errorf("%q guesses wildly", problems[3].Message)
	}
	_, problems = Decode(wrap(`{"verfiy":"a"}`))
	if !strings.Contains(problems[0].Message, "did you mean verify?") {
		t.Errorf("%q", problems[0].Message)
	}
}

func TestNotJSONNamesThePlace(t *testing.T) {
	_, problems := Decode([]byte("{\n  \"app\": nope\n}"))
	if len(problems) != 1 || !strings.Contains(problems[0].Message, "line 2, column 11") {
		t.Errorf("got %v, want line 2, column 11", problems)
	}
}

func nest(depth int) string {
	return strings.Repeat(`{"if":{"condition":"c","then":[`, depth) + `"a"` + strings.Repeat(`]}}`, depth)
}

func TestNestingAndSize(t *testing.T) {
	if _, problems := Decode(wrap(nest(MaxNesting))); len(problems) > 0 {
		t.Errorf("%d deep: %v", MaxNesting, problems)
	}
	for name, raw := range map[string][]byte{
		TooDeep:                  wrap(nest(MaxNesting + 1)),
		TooDeep + " far":         wrap(nest(20)),
		TooDeep + " by brackets": []byte(strings.Repeat("[", 300_000)),
		TooDeep + " closed":      []byte(strings.Repeat("[", 5000) + strings.Repeat("]", 5000)),
		TooLarge:                 wrap(`"` + strings.Repeat("x", MaxFlowBytes) + `"`),
		TooManySteps:             wrap(strings.TrimSuffix(strings.Repeat(`"a",`, MaxSteps+1), ",")),
		TooManySteps + " nested": wrap(`{"if":{"condition":"c","then":[` + strings.TrimSuffix(strings.Repeat(`"a",`, MaxSteps), ",") + `]}}`),
	} {
		_, problems := Decode(raw)
		code, _, _ := strings.Cut(name, " ")
		if len(problems) != 1 || problems[0].Code != code {
			t.Errorf("%s: got %v", name, problems)
		}
	}
	if _, problems := Decode(wrap(strings.TrimSuffix(strings.Repeat(`"a",`, MaxSteps), ","))); len(problems) > 0 {
		t.Errorf("%d steps: %v", MaxSteps, problems)
	}
}

func TestTenThousandStepsAreRefusedQuickly(t *testing.T) {
	raw := wrap(strings.TrimSuffix(strings.Repeat(`{"enter":{"a":"b"}},`, 10_000), ","))
	start := time.Now()
	c := Check(raw, nil, nil, nil, StopAtPayment)
	if took := time.Since(start); took > 30*time.Second { // 0.3 s, and 1.1 s under the race detector, on two cores with 27 processes waiting
		t.Errorf("took %v", took)
	}
	if len(c.Errors) != 1 || c.Errors[0].Code != TooManySteps || c.Steps != 10_000 {
		t.Errorf("got %d steps, %v", c.Steps, c.Errors)
	}
}

func TestStepsAreCountedWithNestedOnes(t *testing.T) {
	c := Check(wrap(`"a",{"if":{"condition":"c","then":["a","b"],"else":["d"]}},{"repeat_until":{"condition":"c","steps":["e"]}}`), nil, nil, nil, StopAtPayment)
	if c.Steps != 7 {
		t.Errorf("got %d, want 7", c.Steps)
	}
}

func TestFlowJSONIsStable(t *testing.T) {
	for _, raw := range []string{
		example,
		string(wrap(`"a",{"open":"Files"},{"verify":"x <b> & \"y\""},{"choose":{"what":"size","option":"M"}},{"read":{"what":"total","into":"t"}},{"extract":{"what":"rows","into":"r"}}`)),
		string(wrap(`{"repeat_until":{"condition":"c","steps":["a"],"max":7}},{"if":{"condition":"c","then":[],"else":["b"]}}`)),
	} {
		var first, second Flow
		if err := json.Unmarshal([]byte(raw), &first); err != nil {
			t.Fatal(err)
		}
		out, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(out, &second); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("%s: %s", out, diff)
		}
	}
	if _, err := json.Marshal(Step{}); err == nil {
		t.Error("a step of no kind was written")
	}
	var f Flow
	err := json.Unmarshal([]byte(`{"app":"x","steps":[{"clik":"a"},7]}`), &f)
	if err == nil || !strings.Contains(err.Error(), "INVALID_FLOW") || !strings.Contains(err.Error(), "steps[1]") {
		t.Errorf("got %v, want INVALID_FLOW with both problems", err)
	}
	var s Step
	if err := json.Unmarshal([]byte(`{"browse":"rail.example"}`), &s); err != nil || s.Kind != KindBrowse {
		t.Errorf("got %+v %v", s, err)
	}
}

func TestPathsSortAsTheFileReads(t *testing.T) {
	problems := []Problem{}
	for _, p := range []string{"steps[10]", "steps[2].if.else[0]", "steps[2].if.then[1]", "steps[2]", "app"} {
		problems = append(problems, Problem{Path: p})
	}
	sortProblems(problems)
	got := fmt.Sprint(problems)
	if want := "[{app  } {steps[2]  } {steps[2].if.then[1]  } {steps[2].if.else[0]  } {steps[10]  }]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(example))
	f.Add(wrap(`{"enter":{"a":"${b}","A":"c"}},{"clik":1},{"repeat_until":{"condition":"x","steps":[{"if":{}}],"max":1e9}}`))
	f.Add([]byte(`{"app":"\ud800","steps":["` + "\xff" + `"]}`))
	f.Add([]byte("[[[["))
	f.Fuzz(func(t *testing.T, raw []byte) {
		Check(raw, []string{"a"}, []string{"a"}, nil, StopAtPayment)
		first, problems := Decode(raw)
		if len(problems) > 0 {
			return
		}
		out, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		second, problems := Decode(out)
		if len(problems) > 0 && len(out) <= MaxFlowBytes {
			t.Fatalf("%s: %v", out, problems)
		}
		again, err := json.Marshal(second)
		if err != nil || string(again) != string(out) {
			t.Errorf("%s is read back as %s (%v)", out, again, err)
		}
	})
}
