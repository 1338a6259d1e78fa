package desktop

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestHold: an open menu of one task went with the window that another task
// brought forward.
func TestHold(t *testing.T) {
	one, other := &Side{}, &Side{}
	enters := func(t *testing.T, h *hold, s *Side, within time.Duration) time.Duration {
		t.Helper()
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), within)
		defer cancel()
		if err := h.enter(ctx, s); err != nil {
			t.Fatalf("not entered within %v", within)
		}
		return time.Since(began)
	}
	tests := []struct {
		name string
		do   func(t *testing.T, h *hold)
	}{
		{"an act that opens nothing keeps nobody waiting", func(t *testing.T, h *hold) {
			enters(t, h, one, time.Second)
			h.leave(one, false)
			enters(t, h, other, time.Second)
		}},
		{"one side acts at a time", func(t *testing.T, h *hold) {
			enters(t, h, one, time.Second)
			go func() { time.Sleep(time.Minute); h.leave(one, false) }()
			if d := enters(t, h, other, time.Hour); d != time.Minute {
				t.Errorf("entered after %v", d)
			}
		}},
		{"who opened a menu goes on", func(t *testing.T, h *hold) {
			enters(t, h, one, time.Second)
			h.leave(one, true)
			go func() { time.Sleep(time.Second); enters(t, h, one, time.Second); h.leave(one, false) }()
			if d := enters(t, h, other, time.Hour); d != time.Second {
				t.Errorf("entered after %v", d)
			}
		}},
		{"a menu that is left open is waited for a while", func(t *testing.T, h *hold) {
			enters(t, h, one, time.Second)
			h.leave(one, true)
			if d := enters(t, h, other, time.Hour); d != menuWithin {
				t.Errorf("entered after %v", d)
			}
		}},
		{"who waits can be called off", func(t *testing.T, h *hold) {
			enters(t, h, one, time.Second)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if err := h.enter(ctx, other); err == nil {
				t.Error("entered beside an act")
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { tt.do(t, newHold()) })
		})
	}
}
