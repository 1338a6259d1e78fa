// Package flows holds a flow and its run: the types of a flow, its decoder and
// validator, and the runtime that carries one run out on one surface.
//
// A run reads the surface, asks the decider closed questions, acts through one
// function, and asks through one function; each checks its budget first. The
// package opens no file, keeps nothing between runs, has no clock of its own
// (time limits are the context's deadline) and knows no concrete surface.
package flows
