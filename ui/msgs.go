package ui

import (
	"encoding/json"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/surfaces"
	"countersign/ui/composer"
	"countersign/ui/history"
)

// Every message the root model takes beside Bubble Tea's own. Time comes in
// messages alone: each carries when it was made.

// stampedMsg is input from the terminal with the time it came. Sent by the
// program's filter; read by Update, which unwraps it.
type stampedMsg struct {
	at  time.Time
	msg tea.Msg
}

// secondMsg comes once a second for ages. Sent by secondCmd.
type secondMsg struct{ at time.Time }

// armMsg comes when a question may have become ready. Sent by armCmd.
type armMsg struct{ at time.Time }

// eventsMsg is a batch of events, or the end of the stream. Sent by the feed,
// at most ten times a second.
type eventsMsg struct {
	entries []task.Entry
	at      time.Time
	err     error
}

// reportMsg answers reportCmd.
type reportMsg struct {
	id     task.ID
	report task.Report
	err    error
	at     time.Time
}

// lookMsg answers lookCmd. done: it was asked for by the word "done".
type lookMsg struct {
	id   task.ID
	look task.Look
	err  error
	done bool
	at   time.Time
}

// answeredMsg says what became of an answer. Sent by answerCmd.
type answeredMsg struct {
	id   task.ID
	view task.View
	err  error
	said string
	at   time.Time
}

// forwardedMsg says where a task's browser is, in front of the person where it
// has a window. Sent by forwardCmd.
type forwardedMsg struct {
	id    task.ID
	reach surfaces.Reach
	err   error
	at    time.Time
}

// startedMsg says what became of StartTask. Sent by startCmd.
type startedMsg struct {
	view task.View
	err  error
	at   time.Time
}

// haltedMsg lists what Halt stopped. Sent by haltCmd.
type haltedMsg struct {
	views []task.View
	err   error
	at    time.Time
}

// describedMsg carries what the desk works with. Sent by describeCmd.
type describedMsg struct {
	decider  string
	planner  composer.Planner
	surfaces []surfaces.Availability
}

// filesMsg, completedMsg, loadedMsg and checkedMsg serve the composer. Sent by
// filesCmd, completeCmd, loadCmd and checkCmd.
type filesMsg struct{ files []string }

type completedMsg struct {
	path    string
	matches []string
}

type loadedMsg struct {
	raw []byte
	err error
}

type checkedMsg struct {
	flow    json.RawMessage
	checked composer.Checked
}

// plannedMsg says what became of PlanTask. Sent by planCmd.
type plannedMsg struct {
	nr   int
	plan task.Plan
	err  error
}

// exportedMsg says where records were saved. Sent by exportCmd.
type exportedMsg struct {
	files []string
	err   error
	at    time.Time
}

// writtenMsg is what came back from the person's editor. Sent by inEditorCmd.
type writtenMsg struct {
	text string
	here bool // there is no editor: it is to be written at the desk
	err  error
}

// againMsg is the report of a task that is to be started again. Sent by
// againCmd.
type againMsg struct {
	id     task.ID
	report task.Report
	err    error
	at     time.Time
}

// historyMsg answers historyCmd.
type historyMsg struct {
	asked history.Asked
	views []task.View
	err   error
}

// crashMsg is a panic caught in a command. Sent by whoever ran it; the program
// ends.
type crashMsg struct{ crash *crash }

// suspendMsg comes when somebody sent this process the signal to stop.
type suspendMsg struct{}
