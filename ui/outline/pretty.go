package outline

import (
	"bytes"
	"encoding/json"
	"strings"

	"countersign/ui/text"
)

// lineWidth is how wide, in cells, a value may be to stand on one line.
const lineWidth = 76

// Pretty lays a flow out to be edited: what fits stands on one line, a step each
// where it can, and members keep their order. What is no JSON stays as it is.
func Pretty(raw json.RawMessage) string {
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return string(raw)
	}
	return spell(compact.Bytes(), "")
}

// spell writes one compact value; indent is that of the line it begins on.
func spell(raw []byte, indent string) string {
	parts, open, end := members(raw)
	if len(parts) == 0 {
		return string(raw)
	}
	// The flow itself and its list of steps are never one line.
	if indent != "" && !bytes.HasPrefix(raw, []byte("[{")) {
		if line := oneLine(raw); text.Width(indent+line) <= lineWidth {
			return line
		}
	}
	deeper := indent + "  "
	lines := make([]string, len(parts))
	for i, p := range parts {
		lines[i] = deeper + p.name + spell(p.value, deeper)
	}
	return open + "\n" + strings.Join(lines, ",\n") + "\n" + indent + end
}

// member is one of an object, its name spelled with the colon, or an element of
// a list.
type member struct {
	name  string
	value json.RawMessage
}

// members takes an object or a list apart; none of anything else.
func members(raw []byte) (parts []member, open, end string) {
	d := json.NewDecoder(bytes.NewReader(raw))
	token, err := d.Token()
	delim, ok := token.(json.Delim)
	if err != nil || !ok {
		return nil, "", ""
	}
	for d.More() {
		var m member
		if delim == '{' {
			from := d.InputOffset()
			if _, err := d.Token(); err != nil {
				return nil, "", ""
			}
			m.name = strings.TrimLeft(string(raw[from:d.InputOffset()]), ", \n") + ": "
		}
		if d.Decode(&m.value) != nil {
			return nil, "", ""
		}
		parts = append(parts, m)
	}
	if delim == '{' {
		return parts, "{", "}"
	}
	return parts, "[", "]"
}

// oneLine spells a value with spaces where a person puts them.
func oneLine(raw []byte) string {
	parts, open, end := members(raw)
	if len(parts) == 0 {
		return string(raw)
	}
	words := make([]string, len(parts))
	for i, p := range parts {
		words[i] = p.name + oneLine(p.value)
	}
	space := " "
	if open == "[" {
		space = ""
	}
	return open + space + strings.Join(words, ", ") + space + end
}
