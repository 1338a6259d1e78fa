package cli

import (
	"bufio"
	"io"
	"strings"
	"time"
)

// lineLimit bounds one typed line; more is no answer to any question.
const lineLimit = 64 << 10

// line is one line a person typed, and when it arrived.
type line struct {
	text string
	at   time.Time
}

// readLines delivers what is typed, line by line, until the input ends; then
// the channel is closed. The goroutine ends with the input: at a terminal that
// is the end of the process, so nobody waits for it.
func readLines(in io.Reader) <-chan line {
	out := make(chan line)
	go func() {
		defer close(out)
		r := bufio.NewScanner(in)
		r.Buffer(make([]byte, 0, 4096), lineLimit)
		for r.Scan() {
			out <- line{strings.TrimRight(r.Text(), "\r"), time.Now()}
		}
	}()
	return out
}
