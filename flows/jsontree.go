package flows

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// maxJSONDepth bounds the nesting of raw JSON: a flow of MaxNesting needs a
// quarter of it.
const maxJSONDepth = 100

// jsonTree is a JSON value with the order and repetition of its keys kept, which
// encoding/json loses.
type jsonTree struct {
	sort  jsonSort
	text  string   // of a string, or a number as written
	keys  []string // of an object, as many as items
	items []jsonTree
	after int64 // the byte after which it stands, with no more than a comma, a colon and spaces between
}

type jsonSort int

const (
	jsonNull jsonSort = iota
	jsonBool
	jsonNumber
	jsonString
	jsonArray
	jsonObject
)

func (s jsonSort) String() string {
	return [...]string{"null", "true or false", "a number", "a string", "a list", "an object"}[s]
}

var errTooNested = errors.New("too nested")

// parseTree reads exactly one JSON value. The error is for a person, with line
// and column; errTooNested for one nested past maxJSONDepth.
func parseTree(raw []byte) (jsonTree, error) {
	raw = unmarked(raw)
	if len(bytes.TrimSpace(raw)) == 0 {
		return jsonTree{}, errors.New("it is empty")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(raw, &whole); err != nil {
		var syntax *json.SyntaxError
		if !errors.As(err, &syntax) {
			return jsonTree{}, err
		}
		if strings.HasSuffix(syntax.Error(), "exceeded max depth") {
			return jsonTree{}, errTooNested
		}
		line, column := place(raw, syntax.Offset)
		return jsonTree{}, fmt.Errorf("line %d, column %d: %s", line, column, syntax.Error())
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return readTree(dec, 0)
}

func readTree(dec *json.Decoder, depth int) (jsonTree, error) {
	if depth > maxJSONDepth {
		return jsonTree{}, errTooNested
	}
	after := dec.InputOffset()
	token, err := dec.Token()
	if err != nil {
		return jsonTree{}, err
	}
	t := jsonTree{sort: jsonNull}
	switch v := token.(type) {
	case string:
		t = jsonTree{sort: jsonString, text: v}
	case json.Number:
		t = jsonTree{sort: jsonNumber, text: v.String()}
	case bool:
		t = jsonTree{sort: jsonBool}
	case json.Delim:
		t, err = readItems(dec, v, depth)
	}
	t.after = after
	return t, err
}

func readItems(dec *json.Decoder, open json.Delim, depth int) (jsonTree, error) {
	t := jsonTree{sort: jsonArray}
	if open == '{' {
		t.sort = jsonObject
	}
	for dec.More() {
		if open == '{' {
			key, err := dec.Token()
			if err != nil {
				return jsonTree{}, err
			}
			name, _ := key.(string) // the syntax was checked: a key is a string
			t.keys = append(t.keys, name)
		}
		item, err := readTree(dec, depth+1)
		if err != nil {
			return jsonTree{}, err
		}
		t.items = append(t.items, item)
	}
	_, err := dec.Token() // the closing bracket
	return t, err
}

// unmarked is a text without its byte order mark.
func unmarked(raw []byte) []byte { return bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")) }

// place gives line and column, both from 1, of a byte offset.
func place(raw []byte, offset int64) (line, column int) {
	before := raw[:min(max(int(offset)-1, 0), len(raw))]
	line = bytes.Count(before, []byte("\n")) + 1
	return line, len(before) - bytes.LastIndexByte(before, '\n')
}
