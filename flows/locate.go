package flows

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// Locate gives the line, and the column in bytes, both from 1, at which what a
// Problem's path names stands in raw JSON: for what is missing, that of what it
// is missing in; for raw that is no JSON, that of what is wrong with it. 1, 1 is
// also the answer where nothing better is known.
func Locate(raw []byte, path string) (line, column int) {
	raw = unmarked(raw)
	root, err := parseTree(raw)
	if err != nil {
		var syntax *json.SyntaxError
		if errors.As(json.Unmarshal(raw, new(any)), &syntax) {
			return place(raw, syntax.Offset)
		}
		return 1, 1
	}
	at := root.within(path, true).after
	for int(at) < len(raw) && bytes.IndexByte([]byte(" \t\r\n,:"), raw[at]) >= 0 {
		at++
	}
	return place(raw, at+1)
}

// within is the part a path leads to, or the last there is on its way.
func (t jsonTree) within(path string, whole bool) jsonTree {
	next := func(i int, step string) (jsonTree, bool) {
		rest, ok := strings.CutPrefix(path, step)
		if !ok || rest != "" && rest[0] != '.' && rest[0] != '[' {
			return jsonTree{}, false
		}
		return t.items[i].within(rest, false), true
	}
	for i := range t.items {
		steps := []string{"[" + strconv.Itoa(i) + "]"}
		if t.sort == jsonObject {
			steps = []string{keyed("", t.keys[i]), "." + excerpt(t.keys[i])}
			if whole {
				steps = []string{joined("", t.keys[i])}
			}
		}
		for _, step := range steps {
			if found, ok := next(i, step); ok {
				return found
			}
		}
	}
	return t
}
