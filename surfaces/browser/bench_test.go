package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"countersign/surfaces"
)

// BenchmarkObserve reads a page of 1,000 controls as a task does, and evaluates
// the same walk bare, in one run; "ratio" is what the frame around it costs.
// The bar is 2.
func BenchmarkObserve(b *testing.B) {
	var page strings.Builder
	page.WriteString("<main><ul>")
	for i := range 1000 {
		fmt.Fprintf(&page, `<li><a href="/item/%d">Item number %d</a></li>`, i, i)
	}
	s := tabOf(b, surfaces.Needs{}, Options{})
	must(b, s.Navigate(b.Context(), serve(b, map[string]string{"": page.String()}).URL))
	observe(b, s)
	yes := true
	bare := func() {
		r, err := call(b.Context(), s.tab, runtime.Evaluate, runtime.EvaluateParams{
			Expression: `globalThis.desk.run("read", "any", {root: 0, floor: 0})`, UniqueContextID: s.tab.world, ReturnByValue: &yes,
		})
		if err != nil || r.ExceptionDetails != nil {
			b.Fatal(err, r.ExceptionDetails)
		}
	}
	var full, raw time.Duration
	for b.Loop() { // in turns, so that both see the same machine
		start := time.Now()
		observe(b, s)
		middle := time.Now()
		bare()
		full += middle.Sub(start)
		raw += time.Since(middle)
	}
	b.ReportMetric(float64(full.Microseconds())/float64(b.N), "observe-µs")
	b.ReportMetric(float64(raw.Microseconds())/float64(b.N), "bare-µs")
	b.ReportMetric(float64(full)/float64(raw), "ratio")
}
