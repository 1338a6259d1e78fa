// Package ui is the desk: one screen at which a person watches tasks and
// answers what they ask. The root model routes messages to the regions and
// draws them side by side; each region is a package of its own.
//
//	terminal ── filter stamps the time ──► Update ──► regions ──► View
//	controller ── feed, ten times a second ──┘  │
//	                    commands ◄──────────────┘
//
// Update and View touch nothing: no clock, no file, no controller. Everything
// that waits is a command (cmds.go), everything that happens is a message
// (msgs.go). Nothing here ever answers a question by itself.
package ui
