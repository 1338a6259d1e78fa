// Package flows holds a flow and its run: the types of a flow, its decoder and
// validator, and the runtime that carries one run out on one surface.
//
// A run reads the surface, asks the decider closed questions, acts through one
// function, and asks through one function; each checks its budget first. The
// package opens no file, keeps nothing between runs, has no clock of its own
// (time limits are the context's deadline) and knows no concrete surface.
//
//	run.go, state.go     the step driver and what a run and a step remember
//	look.go              one reading, and what of it leaves the run
//	act.go, gate.go      the one function that acts, and what it never presses
//	ask.go, election.go, the one function that asks: the request, its size, its
//	frame.go, vote.go,   framings and their votes, what it tells of the task
//	size.go, brief.go
//	deliberate.go,       how far a close call is examined before it is acted on
//	duel.go
//	ground.go, memory.go from a purpose to one control
//	guard.go, witness.go stop_before, and what a signature covers
//	do.go, judge.go,     the loop of a plain step: where it stands, what is in
//	recover.go, activate.go  the way, what is pressed
//	enter.go, match.go, put.go, deliver.go, suggest.go, fielderror.go, opener.go
//	                     forms
//	choose.go, calendar.go, pick.go, lists.go, read.go, condition.go, launch.go
//	                     the other kinds of step
//	thresholds.go        every bar and limit, once
package flows
