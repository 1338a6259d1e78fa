// Package host is what sides live in: it finds and starts Chromium in a session
// of its own, tells a process from a later one with the same number, ends a
// whole process group, keeps the profile folders, starts a desktop of our own, and
// says what is missing on this machine and how to repair it. It speaks no
// protocol to what it starts, save one question to a bus: are you there?
package host
