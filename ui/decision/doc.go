// Package decision puts a question to the person and takes its one answer
// (desk.md sections 2 and 3). Card says what is asked and judges what is typed,
// Arming says whether an answer may count yet; both are plain values without a
// terminal or a clock, so the line mode uses the same two. Model draws them.
//
//	appears ──► waiting ── 1 s, 300 ms quiet, last line seen ──► READY ── answer
//	               ▲                                               │
//	               └──── resize, new evidence, focus lost ─────────┘
//
// It calls nothing: an answer is handed back as a value.
package decision
