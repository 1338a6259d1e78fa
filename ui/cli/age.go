package cli

import (
	"strconv"
	"strings"
	"time"
)

// parseAge reads 30d, 2w or any duration of Go (12h, 90m); never negative.
func parseAge(s string) (time.Duration, error) {
	bad := usage("--older-than takes an age such as 30d, 2w or 12h")
	unit := map[byte]time.Duration{'d': 24 * time.Hour, 'w': 7 * 24 * time.Hour}
	s = strings.TrimSpace(s)
	if s == "" {
		return 0, bad
	}
	if u, ok := unit[s[len(s)-1]]; ok {
		n, err := strconv.Atoi(s[:len(s)-1])
		if err != nil || n < 0 || n > 36500 {
			return 0, bad
		}
		return time.Duration(n) * u, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, bad
	}
	return d, nil
}
