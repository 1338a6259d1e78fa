// Package drill proves that a killed desk loses nothing and presses nothing
// twice: it serves the demo's sites, runs tasks on them in a child process with
// a store of its own, kills the child with SIGKILL at chosen and at random
// instants, starts it again on the same store, answers what is asked as a
// person would, and counts from the sites' side and the store what came of it.
//
//	drill (parent) ── orders, JSON lines ──► child: desk, store, browser
//	     ▲   ▲                                 │
//	     │   └──── writes, events, replies ────┘ until SIGKILL
//	     └──────── counts ◄── sites ◄── presses
//
// The child answers approvals for whoever holds its pipe, so it opens nothing
// but a store in a folder the drill has just made and marked, and starts
// nothing that may leave the drill's own sites on this machine.
package drill

// ChildCommand is the hidden command of this program that calls Serve.
const ChildCommand = "drill-desk"
