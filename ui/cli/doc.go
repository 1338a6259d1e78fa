// Package cli is the command line: one file per command, lines and JSON, plain
// mode, and exit codes. It reads configuration and flags, opens the controller
// through what main plugs in, and asks only where a person can be asked. It
// holds no task state of its own and knows no store, browser or widget.
package cli
