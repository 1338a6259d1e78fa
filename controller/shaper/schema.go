package shaper

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"countersign/controller/chat"
	"countersign/surfaces/fault"
)

const (
	maxSchema   = 64 << 10 // bytes
	maxDepth    = 32       // schemas within one another
	maxRefusals = 20       // told at once
)

// Schema says what a result looks like: a small part of JSON Schema
// (tasks.md 9.5). The zero Schema takes any object. Safe for concurrent use.
type Schema struct {
	raw      json.RawMessage
	compiled *jsonschema.Schema
}

// Compile reads a schema; nothing is any object. Everything outside the subset,
// at any depth, is one INVALID_OUTPUT that lists each place by its path.
func Compile(raw json.RawMessage) (Schema, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return Schema{}, nil
	}
	if len(raw) > maxSchema {
		return Schema{}, refused(fmt.Sprintf("the schema has %d KiB; at most %d are read", len(raw)>>10, maxSchema>>10))
	}
	if raw[0] != '{' || !json.Valid(raw) {
		return Schema{}, refused("the schema is no JSON object")
	}
	if _, err := chat.Object(string(raw)); err != nil { // a key twice, numbers out of reach
		return Schema{}, refused("the schema: " + strings.ReplaceAll(err.Error(), "the answer", "it"))
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return Schema{}, refused("the schema cannot be read: " + err.Error())
	}
	var c checker
	c.schema("", doc, 0)
	if len(c.problems) > 0 {
		return Schema{}, refused(strings.Join(c.problems[:min(len(c.problems), maxRefusals)], "; "))
	}
	const name = "urn:output"
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(name, doc); err != nil {
		return Schema{}, refused("the schema cannot be read: " + err.Error())
	}
	compiled, err := compiler.Compile(name)
	if err != nil {
		return Schema{}, refused("the schema cannot be used: " + err.Error())
	}
	return Schema{raw: raw, compiled: compiled}, nil
}

func refused(why string) *fault.Error { return fault.New(fault.InvalidOutput, why) }

// violations lists by path where an object does not fit; none when it does.
func (s Schema) violations(object json.RawMessage) []string {
	if s.compiled == nil {
		return nil
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(object))
	if err != nil {
		return []string{"the answer cannot be read: " + err.Error()}
	}
	var failure *jsonschema.ValidationError
	if err := s.compiled.Validate(doc); !errors.As(err, &failure) {
		return nil
	}
	var wrong []string
	for _, unit := range failure.BasicOutput().Errors {
		if unit.Error != nil {
			wrong = append(wrong, path(unit.InstanceLocation)+": "+unit.Error.String())
		}
	}
	return wrong
}

// path is a JSON pointer as a person writes it; the whole is the result.
func path(pointer string) string {
	if pointer == "" {
		return "the result"
	}
	return strings.TrimPrefix(pointer, "/")
}

// checker goes through a schema and notes what is outside the subset.
type checker struct{ problems []string }

func (c *checker) add(at, format string, args ...any) {
	if at == "" {
		at = "the schema"
	}
	c.problems = append(c.problems, at+": "+fmt.Sprintf(format, args...))
}

// keywords are the ones of the subset.
func keywords() []string {
	return []string{"type", "properties", "required", "additionalProperties", "items", "enum", "minItems", "maxItems", "description", "title"}
}

func (c *checker) schema(at string, doc any, depth int) {
	object, ok := doc.(map[string]any)
	switch {
	case !ok:
		c.add(at, "a schema is an object here")
		return
	case depth > maxDepth:
		c.add(at, "schemas nest at most %d deep", maxDepth)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		below := strings.TrimPrefix(at+"."+key, ".")
		if !slices.Contains(keywords(), key) {
			c.add(below, "%.40q is outside the subset; it has %s", key, strings.Join(keywords(), ", "))
			continue
		}
		c.keyword(below, key, object[key], depth)
	}
	if t, given := object["type"]; given && depth == 0 && t != "object" {
		c.add("type", "the result is an object, so its type is \"object\"")
	}
}

func (c *checker) keyword(at, key string, value any, depth int) {
	switch key {
	case "type":
		c.types(at, value)
	case "properties":
		c.properties(at, value, depth)
	case "items":
		c.schema(at, value, depth+1)
	case "required":
		c.names(at, value)
	case "additionalProperties":
		if _, ok := value.(bool); !ok {
			c.add(at, "it is true or false here")
		}
	case "enum":
		if list, ok := value.([]any); !ok || len(list) == 0 {
			c.add(at, "it is a list with at least one value")
		}
	case "minItems", "maxItems":
		n, ok := value.(json.Number)
		if _, err := strconv.ParseUint(n.String(), 10, 31); !ok || err != nil {
			c.add(at, "it is a whole number, 0 or more")
		}
	case "description", "title":
		if _, ok := value.(string); !ok {
			c.add(at, "it is a text")
		}
	}
}

func (c *checker) types(at string, value any) {
	names, ok := value.([]any)
	if !ok {
		names = []any{value}
	}
	if len(names) == 0 {
		c.add(at, "it names no type")
	}
	known := []any{"object", "array", "string", "number", "integer", "boolean", "null"}
	for i, name := range names {
		text, _ := name.(string)
		switch {
		case !slices.Contains(known, any(text)):
			c.add(at, "%.40q is no type; they are object, array, string, number, integer, boolean and null", fmt.Sprint(name))
		case slices.Contains(names[:i], name):
			c.add(at, "%q is given twice", text)
		}
	}
}

func (c *checker) properties(at string, value any, depth int) {
	object, ok := value.(map[string]any)
	if !ok {
		c.add(at, "it is an object of names and schemas")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		c.schema(at+"."+name, object[name], depth+1)
	}
}

func (c *checker) names(at string, value any) {
	list, ok := value.([]any)
	if !ok {
		c.add(at, "it is a list of names")
		return
	}
	seen := map[string]bool{}
	for _, item := range list {
		name, ok := item.(string)
		switch {
		case !ok:
			c.add(at, "it is a list of names")
			return
		case seen[name]:
			c.add(at, "%.40q is given twice", name)
		}
		seen[name] = true
	}
}
