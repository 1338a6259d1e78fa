package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"countersign/surfaces"
)

// bareWalk is the least a reading could be: role, name, box and visibility of
// every control, in the same page and browser.
const bareWalk = `(() => {
  const out = [];
  for (const el of document.querySelectorAll('a[href],button,input,select,textarea,[role],[tabindex],[onclick]')) {
    const style = getComputedStyle(el), r = el.getBoundingClientRect();
    out.push({
      role: el.getAttribute('role') || el.localName, name: (el.getAttribute('aria-label') || el.textContent).trim(),
      x: r.x, y: r.y, width: r.width, height: r.height, visible: style.visibility === 'visible' && style.display !== 'none' && r.width > 0,
    });
  }
  return JSON.stringify(out);
})()`

// controlPage is a page of n controls with words between them.
func controlPage(n int) string {
	var page strings.Builder
	page.WriteString("<main><ul>")
	for i := range n {
		fmt.Fprintf(&page, `<li>No. %d <a href="/item/%d">Item number %d</a></li>`, i, i, i)
	}
	return page.String()
}

// BenchmarkObserve reads pages of 1,000 and 20,000 controls as a task does, and
// walks them bare, in turns, so that both see the same machine; "ratio" is what
// a reading costs beside that walk. The bar is 2.
func BenchmarkObserve(b *testing.B) {
	for _, n := range []int{1000, 20000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := tabOf(b, surfaces.Needs{}, Options{})
			must(b, s.Navigate(b.Context(), serve(b, map[string]string{"": controlPage(n)}).URL))
			observe(b, s)
			barely(b, s)
			var full, raw time.Duration
			for b.Loop() {
				start := time.Now()
				observe(b, s)
				middle := time.Now()
				barely(b, s)
				full += middle.Sub(start)
				raw += time.Since(middle)
			}
			b.ReportMetric(float64(full.Microseconds())/float64(b.N), "observe-µs")
			b.ReportMetric(float64(raw.Microseconds())/float64(b.N), "bare-µs")
			b.ReportMetric(float64(full)/float64(raw), "ratio")
		})
	}
}

func barely(b *testing.B, s *Side) {
	b.Helper()
	yes := true
	r, err := call(b.Context(), s.tab, runtime.Evaluate, runtime.EvaluateParams{Expression: bareWalk, UniqueContextID: s.tab.world, ReturnByValue: &yes})
	if err != nil || r.ExceptionDetails != nil {
		b.Fatal(err, r.ExceptionDetails)
	}
	var text string
	var all []struct {
		Role, Name          string
		X, Y, Width, Height float64
		Visible             bool
	}
	if json.Unmarshal(r.Result.Value, &text) != nil || json.Unmarshal([]byte(text), &all) != nil || len(all) < 1000 {
		b.Fatal("the bare walk is not whole")
	}
}
