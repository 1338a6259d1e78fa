package browser

import (
	"fmt"
	goruntime "runtime"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/runtime"

	"countersign/surfaces"
)

// restless is a page that makes all its controls anew when it is told to, as one
// does that draws itself from data: what was seen is never seen again.
const restless = `<main><ul id=l></ul></main><script>
let n = 0;
function renew() { l.innerHTML = Array.from({ length: 30 }, () => '<li>No. ' + ++n + ' <button>Take ' + n + '</button></li>').join(''); }
renew();
</script>`

// held is what is still in use after all garbage is gone, in bytes: of our
// process, and of the page's scripts, ours among them.
type held struct{ ours, page float64 }

// observeFor reads the restless page until it was read n times.
func observeFor(tb testing.TB, s *Side, from, n int) held {
	tb.Helper()
	for range n - from {
		script(tb, s, "renew()")
		if screen := observe(tb, s); len(screen.Candidates) != 30 {
			tb.Fatalf("%d controls", len(screen.Candidates))
		}
	}
	if _, err := cdp.Call(tb.Context(), s.tab.session, heapprofiler.CollectGarbage, cdp.Empty{}); err != nil {
		tb.Fatal(err)
	}
	use, err := cdp.Call(tb.Context(), s.tab.session, runtime.GetHeapUsage, cdp.Empty{})
	if err != nil {
		tb.Fatal(err)
	}
	goruntime.GC()
	goruntime.GC() // what a finalizer held goes with the second
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return held{float64(m.HeapAlloc), use.UsedSize}
}

const mib = 1 << 20

// TestMemoryIsFlat reads a page 200 times that never shows one control twice. A
// reading makes a megabyte of garbage, so what kept each of them would be far out.
func TestMemoryIsFlat(t *testing.T) {
	s := show(t, restless)
	before := observeFor(t, s, 0, 50)
	after := observeFor(t, s, 50, 200)
	if after.ours > before.ours+1.5*mib || after.page > before.page+1.5*mib {
		t.Errorf("in use after 50 readings %.0f, after 200 %.0f bytes", before, after)
	}
}

// BenchmarkMemory tells what is held after 100 and after 1,000 readings of a page
// that never shows one control twice.
func BenchmarkMemory(b *testing.B) {
	for b.Loop() {
		s := tabOf(b, surfaces.Needs{}, Options{})
		must(b, s.Navigate(b.Context(), serve(b, map[string]string{"": restless}).URL))
		read := 0
		for _, n := range []int{100, 1000} {
			have := observeFor(b, s, read, n)
			read = n
			b.ReportMetric(have.ours/mib, fmt.Sprintf("MiB-ours-%d", n))
			b.ReportMetric(have.page/mib, fmt.Sprintf("MiB-page-%d", n))
		}
	}
}
