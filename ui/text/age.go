package text

import (
	"fmt"
	"time"
)

// Age writes a duration as a person says it, in at most six cells: "8s",
// "12m", "3h05m", "4d".
func Age(d time.Duration) string {
	d = max(d, 0)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
	default:
		return fmt.Sprintf("%dd", int(d.Hours())/24)
	}
}

// Since is Age from a Unix time in ms; empty when there is none.
func Since(ms int64, now time.Time) string {
	if ms <= 0 {
		return ""
	}
	return Age(now.Sub(time.UnixMilli(ms)))
}

// Elapsed writes a measured time: "0.4s", "12.0s", "3m10s".
func Elapsed(ms int64) string {
	if ms < 60_000 {
		return fmt.Sprintf("%.1fs", float64(ms)/1000)
	}
	return fmt.Sprintf("%dm%02ds", ms/60_000, ms/1000%60)
}
