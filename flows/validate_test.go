package flows

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// codesAt gives "path CODE" for each problem.
func codesAt(list []Problem) []string {
	out := []string{}
	for _, p := range list {
		out = append(out, strings.TrimSpace(p.Path+" "+p.Code))
	}
	return out
}

func TestA16_FL05_SecretInEachForbiddenPlace(t *testing.T) {
	const ref = "the ${cvv} thing"
	for place, step := range map[string]string{
		"steps[0].open":                   `{"open":"` + ref + `"}`,
		"steps[0].browse":                 `{"browse":"https://x.test/${cvv}"}`,
		"steps[0].do":                     `{"do":"` + ref + `"}`,
		"steps[0]":                        `"` + ref + `"`,
		"steps[0].verify":                 `{"verify":"` + ref + `"}`,
		"steps[0].wait_for":               `{"wait_for":"` + ref + `"}`,
		"steps[0].stop_before":            `{"stop_before":"paying with ${cvv}"}`,
		"steps[0].choose.what":            `{"choose":{"what":"` + ref + `","option":"M"}}`,
		"steps[0].choose.option":          `{"choose":{"what":"size","option":"${cvv}"}}`,
		"steps[0].read.what":              `{"read":{"what":"` + ref + `","into":"a"}}`,
		"steps[0].extract.what":           `{"extract":{"what":"` + ref + `","into":"a"}}`,
		"steps[0].pick.from":              `{"pick":{"from":"` + ref + `","by":"first","into":"a"}}`,
		"steps[0].pick.by":                `{"pick":{"from":"the list","by":"${cvv}","into":"a"}}`,
		"steps[0].if.condition":           `{"if":{"condition":"` + ref + `","then":["x"]}}`,
		"steps[0].repeat_until.condition": `{"repeat_until":{"condition":"` + ref + `","steps":["x"]}}`,
		"steps[0].if.then[0].verify":      `{"if":{"condition":"c","then":[{"verify":"` + ref + `"}]}}`,
	} {
		c := Check(wrap(step), []string{"cvv"}, []string{"cvv"}, nil, FillThenApprove)
		if got, want := codesAt(c.Errors), []string{place + " " + SecretOutsideEnter}; !cmp.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", step, got, want)
		}
	}
	c := Check([]byte(`{"app":"${cvv}","steps":["x"]}`), []string{"cvv"}, []string{"cvv"}, nil, FillThenApprove)
	if got, want := codesAt(c.Errors), []string{"app " + SecretOutsideEnter}; !cmp.Equal(got, want) {
		t.Errorf("app: got %v, want %v", got, want)
	}
}

func TestCheckErrors(t *testing.T) {
	for _, row := range []struct {
		name    string
		steps   string
		known   string // comma separated; a ! marks a secret
		payment Payment
		want    []string
	}{
		{"FL-06 secret in a slot name", `{"enter":{"my ${cvv}":"a"}}`, "!cvv", FillThenApprove, []string{`steps[0].enter["my ${cvv}"] ` + SecretInSlotName}},
		{"FL-07 secret as enter text", `{"enter":{"security code":"${cvv}"}}`, "!cvv", FillThenApprove, nil},
		{"A53 card data under stop_at_payment", `{"enter":{"number":"${card number}"}}`, "!card number", StopAtPayment, []string{`steps[0].enter["number"] ` + CardDataNotAllowed}},
		{"A53 card data that is still missing", `{"enter":{"number":"${card number}"}}`, "", StopAtPayment, []string{`steps[0].enter["number"] ` + CardDataNotAllowed}},
		{"A53 no mode is stop_at_payment", `{"enter":{"number":"${card number}"}}`, "!card number", "", []string{`steps[0].enter["number"] ` + CardDataNotAllowed}},
		{"other secrets are no card data", `{"enter":{"password":"${password}"}}`, "!password", StopAtPayment, nil},
		{"a card number in the flow", `{"enter":{"box":"4111 1111 1111 1111"}}`, "", StopAtPayment, []string{`steps[0].enter["box"] ` + CardDataNotAllowed}},
		{"a card number in the flow, in either mode", `{"enter":{"box":"4111 1111 1111 1111"}}`, "", FillThenApprove, []string{`steps[0].enter["box"] ` + CardDataNotAllowed}},
		{"a card number in a plain step", `"type 4111111111111111 into the box"`, "", StopAtPayment, []string{`steps[0] ` + CardDataNotAllowed}},
		{"FL-08 shared in choose", `{"choose":{"what":"title","option":"${title}"}}`, "title", StopAtPayment, nil},
		{"FL-09 bare identifier", `"check cheapest_flight is shown"`, "cheapest_flight", StopAtPayment, []string{"steps[0] " + BareIdentifier}},
		{"bare identifier in another case", `{"verify":"CHEAPEST_FLIGHT is shown"}`, "cheapest_flight", StopAtPayment, []string{"steps[0].verify " + BareIdentifier}},
		{"bare camelCase", `"use travelDate"`, "travelDate", StopAtPayment, []string{"steps[0] " + BareIdentifier}},
		{"bare into name", `{"read":{"what":"the total","into":"total_price"}},"note total_price"`, "", StopAtPayment, []string{"steps[1] " + BareIdentifier}},
		{"identifier inside braces", `"use ${travel_date}"`, "travel_date", StopAtPayment, nil},
		{"identifier in enter text, open and browse", `{"enter":{"a":"first_name"}},{"open":"first_name"},{"browse":"https://x.test/first_name"}`, "first_name", StopAtPayment, nil},
		{"a label that is a name too", `{"enter":{"first_name":"${first_name}"}}`, "first_name", StopAtPayment, nil},
		{"unknown identifier", `"press btn_ok"`, "first_name", StopAtPayment, nil},
		{"FL-10 one-word name", `"wait for the flight results"`, "flight", StopAtPayment, nil},
		{"FL-11 pick variable in verify", `{"pick":{"from":"l","by":"first","into":"best"}},{"verify":"${best} is shown"}`, "", StopAtPayment, []string{"steps[1].verify " + PickVarInCondition}},
		{"FL-11 in a branch before the pick", `{"if":{"condition":"c","then":[{"wait_for":"${best}"}]}},{"pick":{"from":"l","by":"first","into":"best"}}`, "", StopAtPayment, []string{"steps[0].if.then[0].wait_for " + PickVarInCondition}},
		{"FL-11 in if and repeat_until", `{"pick":{"from":"l","by":"first","into":"b"}},{"if":{"condition":"${b}","then":["x"]}},{"repeat_until":{"condition":"${b}","steps":["x"]}}`, "", StopAtPayment, []string{"steps[1].if.condition " + PickVarInCondition, "steps[2].repeat_until.condition " + PickVarInCondition}},
		{"pick variable elsewhere", `{"pick":{"from":"l","by":"first","into":"best"}},"open ${best}"`, "", StopAtPayment, nil},
		{"read variable in a condition", `{"read":{"what":"w","into":"seen"}},{"verify":"${seen} is shown"}`, "", StopAtPayment, nil},
		{"FL-12 harmless guard", `{"stop_before":"open the results"}`, "", StopAtPayment, []string{"steps[0].stop_before " + GuardDoesNotGuard}},
		{"a code read off a page is secret", `{"read":{"what":"the code","into":"otp"}},{"enter":{"code":"${otp}"}},"say ${otp}"`, "", StopAtPayment, []string{"steps[2] " + SecretOutsideEnter}},
		{"into is a fact", `{"read":{"what":"w","into":"city"}}`, "city", StopAtPayment, []string{"steps[0].read.into " + BadInto}},
		{"unclosed reference", `"go to ${city"`, "city", StopAtPayment, []string{"steps[0] " + BadReference}},
		{"empty reference", `{"enter":{"a":"${}"}}`, "", StopAtPayment, []string{`steps[0].enter["a"] ` + BadReference}},
		{"line break in a reference", `"go to ${ci\nty}"`, "", StopAtPayment, []string{"steps[0] " + BadReference}},
		{"two bad references", `"${} and ${"`, "", StopAtPayment, []string{"steps[0] " + BadReference, "steps[0] " + BadReference}},
		{"A15 three faults", `{"do":"a","open":"b"},{"clik":"x"},{"stop_before":"open it"}`, "", StopAtPayment, []string{"steps[0] " + StepNotOneKey, "steps[1] " + UnknownStepKind, "steps[2].stop_before " + GuardDoesNotGuard}},
	} {
		t.Run(row.name, func(t *testing.T) {
			known, secrets := namesOf(row.known)
			c := Check(wrap(row.steps), known, secrets, nil, row.payment)
			got := codesAt(c.Errors)
			want := row.want
			if want == nil {
				want = []string{}
			}
			if !cmp.Equal(got, want) {
				t.Errorf("got %v, want %v", c.Errors, want)
			}
			if c.Valid() != (len(want) == 0) {
				t.Errorf("Valid() = %v", c.Valid())
			}
		})
	}
}

func namesOf(list string) (known, secrets []string) {
	for name := range strings.SplitSeq(list, ",") {
		bare, secret := strings.CutPrefix(name, "!")
		if bare == "" {
			continue
		}
		known = append(known, bare)
		if secret {
			secrets = append(secrets, bare)
		}
	}
	return known, secrets
}

func TestFL16_Addresses(t *testing.T) {
	for text, want := range map[string]string{
		"rail.example":              "https://rail.example",
		"rail.example/search?a=b":   "https://rail.example/search?a=b",
		"localhost:8080":            "https://localhost:8080",
		"127.0.0.1:8080/x":          "https://127.0.0.1:8080/x",
		"[::1]:8080":                "https://[::1]:8080",
		"http://127.0.0.1:1/":       "http://127.0.0.1:1/",
		"HTTPS://rail.example":      "HTTPS://rail.example",
		" https://rail.example ":    "https://rail.example",
		"http://intranet/":          "http://intranet/",
		"https://bücher.example/ä":  "https://bücher.example/ä",
		"javascript:x":              "",
		"JavaScript:alert(1)":       "",
		"java\nscript:x":            "",
		"file:///x":                 "",
		"FILE:///etc/passwd":        "",
		"data:text/html,x":          "",
		"data:123":                  "",
		"about:blank":               "",
		"chrome://settings":         "",
		"view-source:https://x.y":   "",
		"ftp://x.test":              "",
		"https://":                  "",
		"http:///x":                 "",
		"https:rail.example":        "",
		"//rail.example":            "",
		"search for trains":         "",
		"trains":                    "",
		"https://x.test/\x00":       "",
		"mailto:someone@rail.test":  "",
		"":                          "",
		"https://exa mple.test/":    "",
		"blob:https://x.test/1234":  "",
		"vbscript:msgbox":           "",
		"http://user@rail.example/": "http://user@rail.example/",
	} {
		got, ok := Address(text)
		if got != want || ok != (want != "") {
			t.Errorf("Address(%q) = %q %v, want %q", text, got, ok, want)
		}
	}
	for text, bad := range map[string]bool{
		"javascript:x": true, "file:///x": true, "data:,x": true, "rail.example": false, "https://rail.example/${city}": false,
		"${site}": false, "${site}/search": false, "javascript:${x}": true, "https://${host}/x": false,
	} {
		c := Check(wrap(`{"browse":"`+text+`"}`), []string{"city", "site", "x", "host"}, nil, nil, StopAtPayment)
		if got := len(c.Errors) == 1 && c.Errors[0].Code == BadAddress; got != bad {
			t.Errorf("browse %q: %v, want refused %v", text, c.Errors, bad)
		}
	}
}

func TestA28_FL04_MissingNames(t *testing.T) {
	raw := []byte(`{"app":"${app}","vars":{"declared":"","given":"x"},"steps":[
		{"enter":{"name":"${name}","phone":"${phone}"}},
		{"read":{"what":"w","into":"seen"}},
		"use ${seen}, ${declared}, ${given} and ${phone}",
		{"if":{"condition":"${zip} is shown","then":[{"do":"go to ${city}"}],"else":[{"enter":{"a ${slot}":"$${no}"}}]}}
	]}`)
	c := Check(raw, []string{"name"}, nil, nil, StopAtPayment)
	if !c.Valid() {
		t.Fatal(c.Errors)
	}
	want := []MissingName{{"app", ""}, {"phone", "1"}, {"zip", "4"}, {"city", "4.1"}, {"slot", "4.1"}}
	if !cmp.Equal(c.Missing, want) {
		t.Errorf("got %v, want %v", c.Missing, want)
	}
}

func TestA34_DeclaredEmptyIsNotMissing(t *testing.T) {
	c := Check([]byte(`{"app":"x","vars":{"phone":""},"steps":["call ${phone}"]}`), nil, nil, nil, StopAtPayment)
	if len(c.Missing) != 0 || !c.Valid() {
		t.Errorf("missing %v, errors %v", c.Missing, c.Errors)
	}
}

func TestA35_SavedNameIsNotMissing(t *testing.T) {
	for _, step := range []string{`{"read":{"what":"w","into":"x"}}`, `{"extract":{"what":"w","into":"x"}}`, `{"pick":{"from":"w","by":"first","into":"x"}}`} {
		if c := Check(wrap(step+`,"use ${x}"`), nil, nil, nil, StopAtPayment); len(c.Missing) != 0 {
			t.Errorf("%s: missing %v", step, c.Missing)
		}
	}
}

func TestA33_FL15_AnsweredNameTurnsOutSecret(t *testing.T) {
	raw := wrap(`{"verify":"${pin} is shown"},"note ${memo}"`)
	if c := Check(raw, nil, nil, nil, StopAtPayment); !c.Valid() || len(c.Missing) != 2 {
		t.Fatalf("before the answer: %v, missing %v", c.Errors, c.Missing)
	}
	c := Check(raw, []string{"pin", "memo"}, []string{"pin", "memo"}, nil, StopAtPayment)
	want := []string{"steps[0].verify " + SecretOutsideEnter, "steps[1] " + SecretOutsideEnter}
	if got := codesAt(c.Errors); !cmp.Equal(got, want) {
		t.Errorf("after it: got %v, want %v", got, want)
	}
}

func TestSecretFlowVariable(t *testing.T) {
	raw := []byte(`{"app":"x","vars":{"pin":"1234","note":"4111 1111 1111 1111","otp":""},"steps":["say ${pin}","say ${note}","say ${otp}"]}`)
	c := Check(raw, nil, nil, nil, FillThenApprove)
	want := []string{"steps[0] " + SecretOutsideEnter, "steps[1] " + SecretOutsideEnter, `vars["note"] ` + CardDataNotAllowed}
	if got := codesAt(c.Errors); !cmp.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := codesAt(c.Warnings), []string{`vars["pin"] ` + SecretInFlow}; !cmp.Equal(got, want) {
		t.Errorf("warnings %v, want %v", got, want)
	}
}

func TestWarnings(t *testing.T) {
	for _, row := range []struct{ name, steps, want string }{
		{"FL-13 sign-in guard", `{"stop_before":"signing in"}`, "steps[0].stop_before " + SignInGuard},
		{"unsure guard", `{"stop_before":"launching the rocket"}`, "steps[0].stop_before " + UnsureGuard},
		{"describes a change", `{"verify":"the total has been updated"}`, "steps[0].verify " + DescribesChange},
		{"another site", `{"wait_for":"the price is lower than on the other site"}`, "steps[0].wait_for " + ComparesElsewhere},
		{"superlative option", `{"choose":{"what":"room","option":"the cheapest one"}}`, "steps[0].choose.option " + SuperlativeOption},
		{"pick over sizes", `{"pick":{"from":"the sizes","by":"first","into":"a"}}`, "steps[0].pick.from " + PickOverOptions},
		{"a do that types", `"type 'rice' in the search box"`, "steps[0] " + TypesInDo},
		{"commits unguarded", `"press Send"`, "steps[0] " + NoGuard},
		{"a filter", `"filter by price"`, "steps[0] " + FilterStep},
		{"nothing to say", `{"verify":"a list of trains is showing"},"search for trains",{"choose":{"what":"size","option":"M"}},{"stop_before":"paying"}`, ""},
		{"commits under a guard", `"add it and press Order",{"stop_before":"paying"}`, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := Check(wrap(row.steps), nil, nil, nil, StopAtPayment)
			if !c.Valid() {
				t.Fatal(c.Errors)
			}
			want := []string{}
			if row.want != "" {
				want = append(want, row.want)
			}
			if got := codesAt(c.Warnings); !cmp.Equal(got, want) {
				t.Errorf("got %v, want %v", c.Warnings, want)
			}
		})
	}
}

func guard() Step            { return Step{Kind: KindStopBefore, Text: "paying"} }
func plain() Step            { return Step{Kind: KindDo, Text: "x"} }
func steps(s ...Step) []Step { return s }

func TestEndsInGuard(t *testing.T) {
	both := Step{Kind: KindIf, Then: steps(guard()), Else: steps(plain(), guard())}
	for name, row := range map[string]struct {
		steps []Step
		want  bool
	}{
		"last is a guard":     {steps(plain(), guard()), true},
		"guard is not last":   {steps(guard(), plain()), false},
		"both branches":       {steps(both), true},
		"one branch":          {steps(Step{Kind: KindIf, Then: steps(guard()), Else: steps(plain())}), false},
		"empty branch":        {steps(Step{Kind: KindIf, Then: steps(guard())}), false},
		"nested if":           {steps(Step{Kind: KindIf, Then: steps(both), Else: steps(guard())}), true},
		"repeat never counts": {steps(Step{Kind: KindRepeatUntil, Steps: steps(guard())}), false},
		"none":                {nil, false},
		"signing in gates no": {steps(Step{Kind: KindStopBefore, Text: "logging in"}), false},
	} {
		if got := EndsInGuard(row.steps); got != row.want {
			t.Errorf("%s: got %v, want %v", name, got, row.want)
		}
	}
}

func TestFL14_A102_A103_A105_Replacement(t *testing.T) {
	flow, problems := Decode(wrap(`{"read":{"what":"w","into":"seen"}},{"stop_before":"paying for it"},"close ${seen}",{"if":{"condition":"c","then":[{"stop_before":"sending it"}]}},"end"`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, row := range []struct {
		name    string
		failed  int
		steps   string
		covers  int
		want    []string
		missing int
	}{
		{"FL-14 A103 guard in one branch", 1, `[{"if":{"condition":"c","then":[{"stop_before":"paying"}],"else":["x"]}}]`, 0, []string{"steps " + NoGuardAtEnd}, 0},
		{"FL-14 A103 guard in a repeat_until", 1, `[{"repeat_until":{"condition":"c","steps":[{"stop_before":"paying"}]}}]`, 0, []string{"steps " + NoGuardAtEnd}, 0},
		{"A103 empty branch", 1, `[{"if":{"condition":"c","then":[{"stop_before":"paying"}]}}]`, 0, []string{"steps " + NoGuardAtEnd}, 0},
		{"A103 ends in a guard", 1, `["close the dialog",{"stop_before":"paying for it"}]`, 0, []string{}, 0},
		{"a failed plain step needs none", 2, `["try ${seen} again"]`, 0, []string{}, 0},
		{"A102 covers a hidden guard", 2, `["x"]`, 1, []string{"covers " + GuardDropped}, 0},
		{"covers past the end", 4, `["x"]`, 1, []string{WrongType}, 0},
		{"A105 a new name", 2, `["go to ${nowhere}"]`, 0, []string{}, 1},
		{"secret outside enter", 2, `["say ${pin}"]`, 0, []string{"steps[0] " + SecretOutsideEnter}, 0},
		{"shape", 2, `[{"clik":"x"}]`, 0, []string{"steps[0] " + UnknownStepKind}, 0},
		{"none", 2, `[]`, 0, []string{"steps " + EmptyFlow}, 0},
		{"no JSON", 2, `]`, 0, []string{"steps " + NotJSON}, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := Replacement{Flow: flow, Failed: row.failed, Steps: []byte(row.steps), Covers: row.covers}
			c := CheckReplacement(r, []string{"pin"}, []string{"pin"}, nil, StopAtPayment)
			if got := codesAt(c.Errors); !cmp.Equal(got, row.want) {
				t.Errorf("got %v, want %v", c.Errors, row.want)
			}
			if len(c.Missing) != row.missing {
				t.Errorf("missing %v", c.Missing)
			}
		})
	}
}
