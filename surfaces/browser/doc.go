// Package browser drives Chromium over its DevTools protocol: the browser side
// of a workspace. A browser we start runs in a session of its own and is always
// reached through its binding, so a fresh start and a reconnect after a crash
// are the same path.
//
//	driver.go, open.go   create, connect, destroy; the binding
//	side.go              the verbs, serialized, with origins checked around each
//	page.go, events.go   one live page: calls into it, what it told us
//	observe.go, sight/   one reading    act.go, click.go, text.go, act.js  acts
//	settle.go, navigate.go, dialog.go, origins.go, faults.go
//
// Everything a page answers is foreign: it is checked again here, and nothing
// that was typed is ever put into an error or a log.
package browser
