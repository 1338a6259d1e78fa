//go:build !linux

package cli

import "os"

// dropTyped cannot be done here; the time a line arrived decides alone.
func dropTyped(*os.File) {}

// hideTyping cannot be done in line mode here: a secret is then asked for only
// by the full-screen desk or taken from a file.
func hideTyping(*os.File) (show func(), ok bool) { return func() {}, false }
