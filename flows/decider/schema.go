package decider

import (
	"encoding/json"
	"slices"
)

// replySchema is the JSON Schema of a reply to qs, within what servers accept
// as strict: every property required and no others. A distribution is a list
// of keys with their shares and not an object, so that a model may leave out
// what has none: a screen of twenty controls costs it two entries instead of
// twenty.
func replySchema(qs map[string]Question) (json.RawMessage, error) {
	properties := make(map[string]any, len(qs))
	required := make([]string, 0, len(qs))
	for id, q := range qs {
		required = append(required, id)
		if q.Type == Noul {
			properties[id] = map[string]any{"type": "number"}
			continue
		}
		properties[id] = map[string]any{"type": "array", "items": closed(map[string]any{
			"key": map[string]any{"type": "string", "enum": q.keys()},
			"p":   map[string]any{"type": "number"},
		}, []string{"key", "p"})}
	}
	slices.Sort(required) // the same request, the same bytes: servers cache by them
	return plain(closed(properties, required))
}

func closed(properties map[string]any, required []string) map[string]any {
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}
