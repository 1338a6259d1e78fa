// Package remote lets other programs of the same person use the desk of the
// process that holds the store: over a Unix socket, as HTTP/1.1 with JSON. It
// owns no task and decides nothing about one, with one exception: what only the
// person at that desk may say is refused here, whoever calls.
//
// The wire, version 1:
//
//	GET  /                 {"ok":true,"data":{"versions":["v1"],"pid":4242,"version":"1.0.0"}}
//	POST /v1/StartTask     one JSON object in, one envelope of tasks.md 2.0 out
//	POST /v1/Watch         {"from":{"t-3":17}} in, server-sent events out
//
// The operations are the eight of tasks.md section 2 and the desk's own calls
// of 10.10 (Watch, Look, BringForward, Picture, Halt, History, Prune). Each event is named
// for its kind and carries one entry; the last one, "end", carries the envelope
// that says why the stream is over. Requests are decoded strictly and bounded.
//
// The socket lies in a folder that belongs to the user alone, and both ends ask
// the kernel whose process the other one is. Nothing that crosses the socket is
// logged.
//
// An answer is never taken: every ContinueTask that a task waits for, and a
// CancelTask with an answer, is ANSWER_AT_THE_DESK. Values that are not secret
// are no exception. A task may have moved on to a signature or to a wall by the
// time they arrive, where any answer counts as the person's word.
package remote
