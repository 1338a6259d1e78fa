// Package demosite serves small sites of our own on the loopback address: a
// shop, a train search, a mailbox, a library, a bank and a box office. They
// look and behave like real ones, each on its own port and therefore its own
// origin, and count what was done to them, so that the demo, the tests and the
// benchmarks can say what a press really did. It must never be reachable from
// another machine and takes no real payment, letter or membership.
package demosite
