package surfaces_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

func TestSF01BaseRefusesWhatOnlyABrowserCan(t *testing.T) {
	var b surfaces.Base
	ctx := context.Background()
	replies := map[string]*surfaces.Reply{
		"navigate":      b.Navigate(ctx, "https://a.example"),
		"back":          b.Back(ctx, "Files"),
		"dismiss_cover": b.DismissCover(ctx, &surfaces.Candidate{}),
	}
	for command, r := range replies {
		if r.OK || r.Command != command || r.Code() != fault.ActionNotSupported || r.Error.Delivery != surfaces.NotDelivered {
			t.Errorf("%s answered %+v, want ACTION_NOT_SUPPORTED, not delivered", command, r)
		}
	}
}

func TestSF02BaseAwaitsAtMostAsLongAsAsked(t *testing.T) {
	tests := []struct {
		ms   int
		want time.Duration
	}{{200, 200 * time.Millisecond}, {5000, surfaces.WaitTime}, {0, 0}, {-3, 0}}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			changed := surfaces.Base{}.AwaitChange(t.Context(), tt.ms)
			if got := time.Since(start); got != tt.want || !changed {
				t.Errorf("AwaitChange(%d) = %v after %v, want true after %v", tt.ms, changed, got, tt.want)
			}
		})
	}
}

func TestBaseAwaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		start := time.Now()
		surfaces.Base{}.AwaitChange(ctx, 400)
		if got := time.Since(start); got != 10*time.Millisecond {
			t.Errorf("waited %v, want 10ms", got)
		}
	})
}

type settler struct{ settled int }

func (s *settler) Settle(context.Context) { s.settled++ }

func TestBaseSettlesBrieflyByTheOwnersSettle(t *testing.T) {
	s := &settler{}
	surfaces.Base{Settler: s}.SettleBriefly(t.Context())
	surfaces.Base{}.SettleBriefly(t.Context())
	if s.settled != 1 {
		t.Errorf("settled %d times, want 1", s.settled)
	}
}
