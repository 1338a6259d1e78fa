package remote

import (
	"context"
	"time"

	"countersign/controller/task"
	"countersign/surfaces/fault"
)

// call is one operation as the socket carries it.
type call struct {
	do    func(ctx context.Context, raw []byte) (any, error)
	waits bool // it only waits, so closing ends it
}

// operations are all calls but Watch.
func (s *Server) operations() map[string]call {
	d := s.desk
	return map[string]call{
		opDescribe: plain(func(ctx context.Context, _ empty) (any, error) { return d.Describe(ctx) }),
		opPlan:     plain(func(ctx context.Context, r task.PlanRequest) (any, error) { return d.PlanTask(ctx, r) }),
		opList:     plain(func(ctx context.Context, _ empty) (any, error) { return d.ListTasks(ctx) }),
		opHalt:     plain(func(ctx context.Context, r haltRequest) (any, error) { return d.Halt(ctx, r.Now) }),
		opLook:     plain(func(ctx context.Context, r lookRequest) (any, error) { return d.Look(ctx, r.ID) }),
		opForward:  plain(func(ctx context.Context, r lookRequest) (any, error) { return d.BringForward(ctx, r.ID) }),
		opPicture:  plain(func(ctx context.Context, r pictureRequest) (any, error) { return d.Picture(ctx, r.SHA256) }),
		opPrune:    plain(s.prune),
		opHistory: plain(func(ctx context.Context, r historyRequest) (any, error) {
			return d.History(ctx, r.Query, r.Before, r.Limit)
		}),
		task.OpStart: {do: func(ctx context.Context, raw []byte) (any, error) {
			req, err := task.DecodeStart(raw)
			if err != nil {
				return nil, err
			}
			return d.StartTask(ctx, req)
		}},
		task.OpAwait: {waits: true, do: plain(func(ctx context.Context, r awaitRequest) (any, error) {
			return d.AwaitTask(ctx, r.ID, time.Duration(r.TimeoutMS)*time.Millisecond)
		}).do},
		task.OpContinue: {do: func(ctx context.Context, raw []byte) (any, error) {
			req, err := task.DecodeContinue(raw)
			if err != nil {
				return nil, err
			}
			return nil, s.refuseAnswer(ctx, req.ID)
		}},
		task.OpCancel: plain(s.cancel),
		task.OpReport: plain(func(ctx context.Context, r reportRequest) (any, error) {
			return d.TaskReport(ctx, r.ID, r.Trace == nil || *r.Trace)
		}),
	}
}

// plain decodes a request strictly and carries it out; no body is an empty one.
func plain[R any](do func(context.Context, R) (any, error)) call {
	return call{do: func(ctx context.Context, raw []byte) (any, error) {
		var req R
		if len(raw) == 0 {
			raw = []byte("{}")
		}
		if err := task.Decode(raw, &req); err != nil {
			return nil, err
		}
		return do(ctx, req)
	}}
}

func (s *Server) prune(ctx context.Context, r pruneRequest) (any, error) {
	if r.OlderThanMS == nil || *r.OlderThanMS < 0 {
		return nil, fault.New(fault.InvalidRequest, "older_than_ms must be a number of milliseconds, not negative")
	}
	return s.desk.Prune(ctx, time.Duration(*r.OlderThanMS)*time.Millisecond)
}

// cancel ends a task. What was or was not paid is the person's word, given at
// the desk.
func (s *Server) cancel(ctx context.Context, r cancelRequest) (any, error) {
	if r.Answer != "" {
		return nil, s.atTheDesk()
	}
	return s.desk.CancelTask(ctx, r.ID, "")
}

// refuseAnswer says why an answer is not taken, as the desk would for a task
// that asks nothing. The answer itself goes nowhere.
func (s *Server) refuseAnswer(ctx context.Context, id task.ID) error {
	views, err := s.desk.ListTasks(ctx)
	if err != nil {
		return err
	}
	for _, v := range views {
		if v.ID != id {
			continue
		}
		switch st := v.Status; {
		case st.State == task.Checkpoint && !st.Continuable:
			return fault.New(fault.NotContinuable, "this task ended at a payment step")
		case !st.Waits() || st.State == task.NeedsPlan:
			return fault.Newf(fault.NotWaiting, "%s asks nothing", id)
		}
		return s.atTheDesk()
	}
	return fault.Newf(fault.NoSuchTask, "no task %s", id)
}

func (s *Server) atTheDesk() *fault.Error {
	return fault.Newf(fault.AnswerAtTheDesk, "answered only at the desk of process %d", s.hello.PID).
		WithHint("Answer it there.") // short: it must fit into a status line
}
