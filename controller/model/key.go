package model

import (
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"countersign/surfaces/fault"
)

const (
	keyMask = "(key)"
	// longestKey bounds a key file: the longest keys in use are JSON web tokens
	// of about 2 KB.
	longestKey = 8 << 10
	// telling is how much of a key in a row gives it away. Services that refuse
	// a key like to quote its beginning.
	telling = 8
)

// Key is a secret that no printing, logging or marshalling can spell. The zero
// Key is none.
type Key struct{ text *string } // a pointer, since fmt reads unexported fields of others without their methods

// ReadKey takes the key from an environment variable or from a file, which
// nobody but its owner may read. Without either it is the zero Key. Its errors
// are INVALID_CONFIG and hold neither the key nor the variable's name, which
// may be a key that was put in the wrong place.
func ReadKey(env func(string) string, variable, file string) (Key, error) {
	if variable != "" {
		return newKey(env(variable), "the environment variable that api_key_env names")
	}
	if file == "" {
		return Key{}, nil
	}
	raw, err := readPrivate(file)
	if err != nil {
		return Key{}, err
	}
	return newKey(string(raw), "the key file "+file)
}

func newKey(text, source string) (Key, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Key{}, fault.Newf(fault.InvalidConfig, "%s is not set or empty", source).
			WithHint("Put the key there, or take the setting out for a server that wants none.")
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return Key{}, fault.Newf(fault.InvalidConfig, "%s holds characters that no key has", source).
			WithHint("Put the key there alone, on one line.")
	}
	return Key{&text}, nil
}

func readPrivate(path string) ([]byte, error) {
	unreadable := func(err error) error {
		return fault.Wrap(fault.InvalidConfig, err, "the key file "+path+" cannot be read").
			WithHint("Correct api_key_file, or write the key into that file.")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	stat, err := f.Stat()
	if err != nil {
		return nil, unreadable(err)
	}
	if !stat.Mode().IsRegular() {
		return nil, unreadable(fs.ErrInvalid)
	}
	if stat.Mode().Perm()&0o077 != 0 {
		return nil, fault.Newf(fault.InvalidConfig, "the key file %s can be read by others (mode %04o)", path, stat.Mode().Perm()).
			WithHint("chmod 600 " + path)
	}
	raw, err := io.ReadAll(io.LimitReader(f, longestKey))
	if err != nil {
		return nil, unreadable(err)
	}
	return raw, nil
}

// none reports whether there is no key.
func (k Key) none() bool { return k.text == nil }

// bearer is the value of the Authorization header, the only place a key goes.
func (k Key) bearer() string { return "Bearer " + *k.text }

// mask takes the key, and any part of it long enough to tell, out of a text.
func (k Key) mask(s string) string {
	if k.none() {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); {
		n := k.quoted(s[i:])
		if n == 0 {
			out.WriteByte(s[i])
			i++
			continue
		}
		out.WriteString(keyMask)
		i += n
	}
	return out.String()
}

// quoted is how many bytes at the start of s are a telling part of the key.
func (k Key) quoted(s string) int {
	n := min(telling, len(*k.text))
	if len(s) < n || !strings.Contains(*k.text, s[:n]) {
		return 0
	}
	for n < len(s) && strings.Contains(*k.text, s[:n+1]) {
		n++
	}
	return n
}

// String is a mask.
func (k Key) String() string { return keyMask }

// GoString is a mask: %#v must not spell the key either.
func (k Key) GoString() string { return keyMask }

// Format prints the mask under every verb.
func (k Key) Format(f fmt.State, _ rune) {
	// A writer that refuses is fmt's own buffer; there is nobody to tell.
	_, _ = io.WriteString(f, keyMask)
}

// MarshalText writes the mask, as JSON too.
func (k Key) MarshalText() ([]byte, error) { return []byte(keyMask), nil }

// LogValue logs the mask.
func (k Key) LogValue() slog.Value { return slog.StringValue(keyMask) }
