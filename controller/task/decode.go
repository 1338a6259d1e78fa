package task

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"countersign/surfaces/fault"
)

// MaxRequestBytes bounds a request as JSON: a flow is at most 1 MiB of it.
const MaxRequestBytes = 4 << 20

// DecodeStart reads a StartTask request strictly: an unknown key, a key given
// twice, a wrong type or anything after the request is INVALID_REQUEST and
// names the key. What the values mean is the controller's to judge; the flow
// stays raw.
func DecodeStart(raw []byte) (StartRequest, error) {
	var req StartRequest
	if err := Decode(raw, &req); err != nil {
		return StartRequest{}, err
	}
	if isNull(req.Flow) {
		req.Flow = nil
	}
	if req.Output == nil {
		return req, nil
	}
	if strings.TrimSpace(req.Output.Instructions) == "" {
		return StartRequest{}, refuse("output.instructions is missing")
	}
	if isNull(req.Output.Schema) {
		req.Output.Schema = nil
	}
	return req, nil
}

// DecodeContinue reads a ContinueTask request as strictly; the id is required.
func DecodeContinue(raw []byte) (ContinueRequest, error) {
	var req ContinueRequest
	if err := Decode(raw, &req); err != nil {
		return ContinueRequest{}, err
	}
	if req.ID == 0 {
		return ContinueRequest{}, refuse("id is missing")
	}
	return req, nil
}

func refuse(format string, args ...any) *fault.Error {
	return fault.Newf(fault.InvalidRequest, format, args...)
}

// Decode reads one JSON object into target, a pointer to a struct, and refuses
// with INVALID_REQUEST what encoding/json alone would take: unknown keys, keys
// in any case or given twice, and whatever follows the value.
func Decode(raw []byte, target any) error {
	if len(raw) > MaxRequestBytes {
		return refuse("the request is larger than %d MiB", MaxRequestBytes>>20)
	}
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		return refuse("the request is no JSON object")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if err := checkKeys(dec, reflect.TypeOf(target).Elem(), ""); err != nil {
		return asRequestFault(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return refuse("something follows the request")
	}
	if err := json.Unmarshal(raw, target); err != nil {
		return asRequestFault(err)
	}
	return nil
}

func asRequestFault(err error) error {
	var known *fault.Error
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &wrong):
		key := wrong.Field
		if key == "" {
			key = "the request"
		}
		return refuse("%s must not be %s", key, article(wrong.Value))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return refuse("the request ends too early")
	default:
		return refuse("the request cannot be read: %v", err)
	}
}

// checkKeys goes through one JSON value beside the type it will be decoded
// into, and refuses keys the type does not have.
func checkKeys(dec *json.Decoder, t reflect.Type, path string) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[json.RawMessage]() || t.Kind() != reflect.Struct && t.Kind() != reflect.Map && t.Kind() != reflect.Slice {
		var skipped json.RawMessage
		return dec.Decode(&skipped)
	}
	token, err := dec.Token()
	if err != nil {
		return err
	}
	open, _ := token.(json.Delim)
	switch {
	case open == '{' && t.Kind() == reflect.Slice, open == '[' && t.Kind() != reflect.Slice:
		return refuse("%s must not be %s", named(path), map[json.Delim]string{'{': "an object", '[': "a list"}[open])
	case open == '{':
		err = checkMembers(dec, t, path)
	case open == '[':
		for i := 0; dec.More() && err == nil; i++ {
			err = checkKeys(dec, t.Elem(), fmt.Sprintf("%s[%d]", path, i))
		}
	default: // a plain value: json.Unmarshal says whether it fits
		return nil
	}
	if err != nil {
		return err
	}
	_, err = dec.Token() // the closing bracket
	return err
}

func checkMembers(dec *json.Decoder, t reflect.Type, path string) error {
	seen := map[string]bool{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		at := key
		if path != "" {
			at = path + "." + key
		}
		if seen[key] {
			return refuse("%.80s is given twice", at)
		}
		seen[key] = true
		member, ok := memberType(t, key)
		if !ok {
			return refuse("%.80s is no key of the request; the keys are %s", at, strings.Join(keysOf(t), ", "))
		}
		if err := checkKeys(dec, member, at); err != nil {
			return err
		}
	}
	return nil
}

// memberType gives the type of an object's member; every key of a map exists.
func memberType(t reflect.Type, key string) (reflect.Type, bool) {
	if t.Kind() == reflect.Map {
		return t.Elem(), true
	}
	for field := range t.Fields() {
		if name := jsonKey(field); name == key && name != "" {
			return field.Type, true
		}
	}
	return nil, false
}

func keysOf(t reflect.Type) []string {
	var keys []string
	for field := range t.Fields() {
		if name := jsonKey(field); name != "" {
			keys = append(keys, name)
		}
	}
	slices.Sort(keys)
	return keys
}

// jsonKey is a field's key, empty when it has none.
func jsonKey(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	if name == "-" {
		return ""
	}
	return name
}

func named(path string) string {
	if path == "" {
		return "the request"
	}
	return path
}

func article(value string) string {
	switch {
	case value == "object" || value == "array":
		return "an " + value
	case strings.HasPrefix(value, "number "):
		return "the " + value
	case value == "bool":
		return "true or false"
	default:
		return "a " + value
	}
}

func isNull(raw json.RawMessage) bool { return string(bytes.TrimSpace(raw)) == "null" }
