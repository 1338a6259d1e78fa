package remote

import (
	"encoding/json"

	"countersign/controller/task"
	"countersign/surfaces/fault"
)

// version is the one this package speaks; it stands in every path.
const version = "v1"

// Operations beside those that package task names.
const (
	opDescribe = "Describe"
	opPlan     = "PlanTask"
	opList     = "ListTasks"
	opWatch    = "Watch"
	opLook     = "Look"
	opForward  = "BringForward"
	opPicture  = "Picture"
	opHalt     = "Halt"
	opHistory  = "History"
	opPrune    = "Prune"
)

// Hello is what a desk says of itself before any version is agreed on.
type Hello struct {
	Versions []string `json:"versions"` // of the wire
	PID      int      `json:"pid"`      // the process that holds the store
	Version  string   `json:"version"`  // of the program, for the person
}

// envelope is the reply of tasks.md 2.0.
type envelope struct {
	OK    bool            `json:"ok"`
	Data  json.RawMessage `json:"data,omitempty"`
	Error *wireError      `json:"error,omitempty"`
}

// wireError is the error of an envelope, read back.
type wireError struct {
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
	Hint    string     `json:"hint"`
}

func (e *wireError) fault() *fault.Error {
	if e == nil {
		return fault.New(fault.Internal, "the desk gave neither data nor an error")
	}
	return &fault.Error{Code: e.Code, Message: e.Message, Hint: e.Hint}
}

func failure(err error) any {
	return struct {
		OK    bool         `json:"ok"`
		Error *fault.Error `json:"error"`
	}{false, fault.Of(err)}
}

func success(data any) any {
	return struct {
		OK   bool `json:"ok"`
		Data any  `json:"data"`
	}{true, data}
}

// The requests of the operations that package task has no type for.
type (
	empty struct{}

	awaitRequest struct {
		ID        task.ID `json:"id"`
		TimeoutMS int64   `json:"timeout_ms,omitempty"`
	}
	cancelRequest struct {
		ID     task.ID `json:"id"`
		Answer string  `json:"answer,omitempty"`
	}
	reportRequest struct {
		ID    task.ID `json:"id"`
		Trace *bool   `json:"trace,omitempty"` // missing: true
	}
	lookRequest struct {
		ID task.ID `json:"id"`
	}
	pictureRequest struct {
		SHA256 string `json:"sha256"`
	}
	haltRequest struct {
		Now bool `json:"now"`
	}
	historyRequest struct {
		Query  string  `json:"query,omitempty"`
		Before task.ID `json:"before,omitempty"`
		Limit  int     `json:"limit,omitempty"`
	}
	pruneRequest struct {
		OlderThanMS *int64 `json:"older_than_ms"` // required: missing must not mean everything
	}
	watchRequest struct {
		From map[task.ID]uint64 `json:"from,omitempty"`
	}
)
