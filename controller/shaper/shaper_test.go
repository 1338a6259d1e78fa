package shaper

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"countersign/controller/chat"
	"countersign/controller/task"
	"countersign/surfaces/fault"
)

// script answers one text after the other, the last one for ever.
type script struct {
	answers []string
	asked   [][]chat.Turn
}

func (s *script) Name() task.Model { return task.Model{Provider: "test", Model: "script"} }

func (s *script) Chat(_ context.Context, turns []chat.Turn) (string, error) {
	s.asked = append(s.asked, turns)
	return s.answers[min(len(s.asked), len(s.answers))-1], nil
}

const offers = `{"type":"object","required":["offers"],"additionalProperties":false,"properties":{"offers":{"type":"array","maxItems":3,
	"items":{"type":"object","required":["leaves","price"],"properties":{"leaves":{"type":"string","description":"when"},"price":{"type":["string","null"]},"stops":{"type":"integer","enum":[0,1]}}}}}}`

func TestA20_SchemasOutsideTheSubset(t *testing.T) {
	deep := `{"properties":{"a":{"items":{"properties":{"b":{"type":"string","pattern":"^x"}}}}}}`
	for _, row := range []struct{ name, schema, problem string }{
		{"pattern three levels deep", deep, `properties.a.items.properties.b.pattern: "pattern" is outside`},
		{"$ref", `{"properties":{"a":{"$ref":"#"}}}`, `properties.a.$ref: "$ref" is outside`},
		{"oneOf", `{"oneOf":[{}]}`, "oneOf"},
		{"format", `{"properties":{"a":{"format":"date"}}}`, "properties.a.format"},
		{"minimum", `{"properties":{"a":{"minimum":1}}}`, "properties.a.minimum"},
		{"$schema", `{"$schema":"https://json-schema.org/draft/2020-12/schema"}`, "$schema"},
		{"an unknown type", `{"properties":{"a":{"type":"money"}}}`, `"money" is no type`},
		{"a type twice", `{"properties":{"a":{"type":["null","null"]}}}`, "given twice"},
		{"a list at the top", `{"type":"array"}`, "the result is an object"},
		{"two types at the top", `{"type":["object","null"]}`, "the result is an object"},
		{"additionalProperties as schema", `{"additionalProperties":{"type":"string"}}`, "true or false"},
		{"true as schema", `{"properties":{"a":true}}`, "a schema is an object"},
		{"items as list", `{"items":[{}]}`, "a schema is an object"},
		{"empty enum", `{"properties":{"a":{"enum":[]}}}`, "at least one value"},
		{"half an item", `{"properties":{"a":{"minItems":1.5}}}`, "whole number"},
		{"no items less", `{"properties":{"a":{"maxItems":-1}}}`, "whole number"},
		{"names", `{"required":[1]}`, "list of names"},
		{"title", `{"title":1}`, "a text"},
		{"no object", `"x"`, "no JSON object"},
		{"cut off", `{"type":`, "no JSON object"},
		{"a key twice", `{"type":"object","type":"object"}`, "given twice"},
		{"out of reach", `{"properties":{"a":{"enum":[1e999999999]}}}`, "out of reach"},
		{"too large", `{"title":"` + strings.Repeat("x", 1<<20) + `"}`, "at most 64"},
		{"too deep", strings.Repeat(`{"items":`, 40) + "{}" + strings.Repeat("}", 40), "at most 32 deep"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := Compile(json.RawMessage(row.schema))
			if fault.CodeOf(err) != fault.InvalidOutput || !strings.Contains(err.Error(), row.problem) {
				t.Errorf("got %v, want %q", err, row.problem)
			}
		})
	}
	two := `{"not":{},"properties":{"a":{"const":1}}}`
	if _, err := Compile(json.RawMessage(two)); err == nil || !strings.Contains(err.Error(), "not:") || !strings.Contains(err.Error(), "properties.a.const:") {
		t.Errorf("not every refusal is listed: %v", err)
	}
	for _, fine := range []string{"", "{}", offers, `{"properties":{"$ref":{"type":"string"},"pattern":{}}}`} {
		if _, err := Compile(json.RawMessage(fine)); err != nil {
			t.Errorf("%s: %v", fine, err)
		}
	}
}

func TestA111_ViolationsGoBackByPath(t *testing.T) {
	schema, err := Compile(json.RawMessage(offers))
	if err != nil {
		t.Fatal(err)
	}
	good := `{"offers": [{"leaves":"06:10","price":null,"stops":1}]}`
	for _, row := range []struct{ name, answer, problem string }{
		{"a key is missing", `{"offers":[{"leaves":"06:10"}]}`, "offers/0: missing property 'price'"},
		{"another type", `{"offers":[{"leaves":"06:10","price":31}]}`, "offers/0/price: got number, want null or string"},
		{"one more key", `{"offers":[],"more":1}`, "the result: additional properties 'more'"},
		{"too many", `{"offers":[` + strings.Repeat(`{"leaves":"1","price":"2"},`, 3) + `{"leaves":"1","price":"2"}]}`, "offers: maxItems"},
		{"no JSON", "here you are", "no complete JSON object"},
		{"a reply of 2 MB", `{"offers":"` + strings.Repeat("x", 2<<20) + `"}`, "at most 1024"},
	} {
		t.Run(row.name, func(t *testing.T) {
			m := &script{answers: []string{row.answer, good}}
			result, used, err := Shape(t.Context(), m, Request{Schema: schema})
			if err != nil || used.Calls != 2 || string(result) != `{"offers":[{"leaves":"06:10","price":null,"stops":1}]}` {
				t.Fatalf("%s %+v %v", result, used, err)
			}
			if last := m.asked[1]; !strings.Contains(last[len(last)-1].Text, row.problem) {
				t.Errorf("sent back %q, want %q", last[len(last)-1].Text, row.problem)
			}
		})
	}
	var invalid *chat.InvalidError
	if _, used, err := Shape(t.Context(), &script{answers: []string{`{}`}}, Request{Schema: schema}); !errors.As(err, &invalid) || used.Calls != 3 {
		t.Errorf("%v after %d", err, used.Calls)
	}
	if result, _, err := Shape(t.Context(), &script{answers: []string{`{"any": ["thing"]}`}}, Request{}); err != nil || string(result) != `{"any":["thing"]}` {
		t.Errorf("without a schema: %s %v", result, err)
	}
}

func TestTheValuesAreCutAndItIsSaid(t *testing.T) {
	m := &script{answers: []string{"{}"}}
	req := Request{Goal: "trains </data>", Instructions: strings.Repeat("i", 1<<20), Values: []Value{
		{Name: "offers", Rows: task.Rows{{"price": "31 EUR"}}}, {Name: "page", Rows: task.Rows{{"value": strings.Repeat("x", 1<<20)}}},
	}}
	if _, _, err := Shape(t.Context(), m, req); err != nil {
		t.Fatal(err)
	}
	prompt := m.asked[0][1].Text
	if n := len(prompt); n > 80000 || n < 60000 || !strings.Contains(prompt, `{"price":"31 EUR"}`) || !strings.Contains(prompt, "are cut here") {
		t.Errorf("%d bytes: %.300s", n, prompt)
	}
	m = &script{answers: []string{"{}"}}
	req.Values = req.Values[:1]
	if _, _, err := Shape(t.Context(), m, req); err != nil || strings.Contains(m.asked[0][1].Text, "are cut here") {
		t.Errorf("announced a cut of nothing (%v)", err)
	}
}

func FuzzSchema(f *testing.F) {
	for _, seed := range []string{offers, `{"properties":{"a":{"items":{"pattern":"x"}}}}`, `{"enum":[1,{"a":null}],"minItems":0}`, `{"type":["object"]}`} {
		f.Add(seed, `{"offers":[{"leaves":"1","price":null}]}`)
	}
	f.Fuzz(func(t *testing.T, raw, answer string) {
		schema, err := Compile(json.RawMessage(raw))
		if err != nil {
			if fault.CodeOf(err) != fault.InvalidOutput {
				t.Errorf("%v", err)
			}
			return
		}
		for _, outside := range []string{`"$ref":`, `"pattern":`, `"oneOf":`} {
			if strings.Contains(raw, outside) && !strings.Contains(raw, `"properties"`) && !strings.Contains(raw, `"enum"`) {
				t.Errorf("%s was taken", raw)
			}
		}
		result, _, err := Shape(t.Context(), &script{answers: []string{answer}}, Request{Schema: schema})
		if err == nil && (len(result) == 0 || len(schema.violations(result)) > 0) {
			t.Errorf("%s was taken under %s", result, raw)
		}
	})
}
