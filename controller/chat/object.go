package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// MaxAnswer bounds a model's answer: a flow is at most 1 MiB of JSON.
const MaxAnswer = 1 << 20 // bytes

const (
	maxDepth    = 100 // JSON nesting of an answer
	maxExponent = 3   // digits; a number with more takes gigabytes to compare exactly
	maxDigits   = 400 // of a number
)

// Object finds the one JSON object of an answer: the whole of it, in a code
// fence, or with prose around. Several different ones are ambiguous, and an
// object that gives a key twice could be read two ways; the error says what to
// send instead and is for the model.
func Object(answer string) (json.RawMessage, error) {
	text := strings.TrimSpace(strings.TrimPrefix(answer, "\ufeff"))
	switch {
	case len(answer) > MaxAnswer:
		return nil, fmt.Errorf("the answer has %d KiB; at most %d are read", len(answer)>>10, MaxAnswer>>10)
	case text == "":
		return nil, errors.New("the answer is empty; answer with one JSON object")
	case json.Valid([]byte(text)) && text[0] != '{':
		return nil, errors.New("the answer is JSON but no object; answer with one JSON object")
	}
	found := objects(text)
	switch {
	case len(found) == 0:
		return nil, errors.New("the answer holds no complete JSON object; answer with one and nothing else")
	case len(found) > 1:
		return nil, fmt.Errorf("the answer holds %d different JSON objects; answer with exactly one", len(found))
	}
	raw := json.RawMessage(found[0])
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := readable(dec, 0); err != nil {
		return nil, err
	}
	return raw, nil
}

// objects lists the different objects that stand in a text. What stands inside
// braces that are no object, or that never close, is no answer: it is a part
// of one.
func objects(text string) []string {
	var found []string
	seen := map[string]bool{}
	for {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			return found
		}
		text = text[open:]
		end := closing(text)
		if end == 0 {
			return nil
		}
		if part := text[:end]; !seen[part] && json.Valid([]byte(part)) {
			seen[part] = true
			found = append(found, part)
		}
		text = text[end:]
	}
}

// closing gives where the brace that text begins with is closed; 0 when it
// never is.
func closing(text string) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// readable goes through one JSON value and refuses what could be read two ways
// or not at all.
func readable(dec *json.Decoder, depth int) error {
	token, err := dec.Token()
	if err != nil {
		return fmt.Errorf("the answer cannot be read: %w", err)
	}
	if depth > maxDepth {
		return fmt.Errorf("the answer is nested more than %d levels deep", maxDepth)
	}
	switch v := token.(type) {
	case json.Number:
		return readableNumber(v.String())
	case json.Delim:
		return readableItems(dec, v, depth)
	default:
		return nil
	}
}

func readableItems(dec *json.Decoder, open json.Delim, depth int) error {
	seen := map[string]bool{}
	for dec.More() {
		if open == '{' {
			token, err := dec.Token()
			if err != nil {
				return fmt.Errorf("the answer cannot be read: %w", err)
			}
			key, _ := token.(string)
			if seen[key] {
				return fmt.Errorf("the key %.80q is given twice in one object", key)
			}
			seen[key] = true
		}
		if err := readable(dec, depth+1); err != nil {
			return err
		}
	}
	_, err := dec.Token() // the closing bracket
	if errors.Is(err, io.EOF) {
		return errors.New("the answer ends too early")
	}
	return err
}

// readableNumber refuses numbers nobody means: comparing them exactly would
// take all memory there is.
func readableNumber(n string) error {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(n), "e")
	if len(mantissa) > maxDigits || len(strings.TrimLeft(exponent, "+-0")) > maxExponent {
		return fmt.Errorf("the number %.20s… is out of reach", n)
	}
	return nil
}
