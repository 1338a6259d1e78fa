package model

import (
	"context"
	"fmt"
	"time"

	"countersign/surfaces/fault"
)

// policy is how patient a role is.
type policy struct {
	attempt time.Duration   // for one try; 0: as long as the caller waits
	waits   []time.Duration // before each further try
	longest time.Duration   // a server that asks for a longer pause is not waited for
}

// conversing is for planner, rescuer and shaper (tasks.md 9.1): 4 tries.
func conversing() policy {
	return policy{waits: seconds(1, 2, 4), longest: 30 * time.Second}
}

// deciding is for the decider (flows.md 5.1): a step waits for it, so that a
// longer pause than its own longest is no use.
func deciding() policy {
	return policy{attempt: 10 * time.Second, waits: seconds(1, 2, 4, 8), longest: 8 * time.Second}
}

func seconds(counts ...int) []time.Duration {
	out := make([]time.Duration, len(counts))
	for i, n := range counts {
		out[i] = time.Duration(n) * time.Second
	}
	return out
}

// ask tries until there is an answer, a failure that does not pass, or no try
// left. A pause the server asks for is kept where it is longer than ours.
func (c *client) ask(ctx context.Context, r request, p policy) (*answer, *failure) {
	for try := 1; ; try++ {
		got, f := c.once(ctx, r, p.attempt)
		if f == nil {
			return got, nil
		}
		if !f.passing || try > len(p.waits) {
			return nil, f.tried(try)
		}
		pause := max(p.waits[try-1], f.after)
		if pause > p.longest {
			f.fault.Message += fmt.Sprintf(" for another %s", f.after.Round(time.Second))
			return nil, f.tried(try)
		}
		if err := c.wait(ctx, pause); err != nil {
			return nil, fail(fault.DeciderTimeout, "the model server %s did not answer in time", c.host).because(err)
		}
	}
}

func (f *failure) tried(times int) *failure {
	if times > 1 {
		f.fault.Message += fmt.Sprintf(", %d times in a row", times)
	}
	return f
}
