package browser

import (
	"testing"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// veiled is a page whose button Buy lies in the middle under what is over it.
func veiled(t *testing.T, over string) (*Side, *surfaces.Candidate) {
	t.Helper()
	s := show(t, `<button style="position:absolute;left:600px;top:400px" onclick="hits.push('buy')">Buy</button>`+over+
		`<script>hits=[]</script>`)
	return s, pick(t, observe(t, s), "button", "Buy")
}

func TestSF64EmptyBackdropIsDismissed(t *testing.T) {
	// Links lie under the whole upper half, so that it is pressed below them.
	s, buy := veiled(t, `<a href="#no" onclick="hits.push('link')" style="position:absolute;left:0;top:0;width:100%;height:390px">Read</a>
<div id=v style="position:fixed;inset:0;background:#0004" onclick="hits.push(event.clientY>390?'beside':'above');this.remove()"></div>`)
	r := must(t, s.DismissCover(t.Context(), buy))
	if r.Data.Dismissed == nil || *r.Data.Dismissed != "an empty layer" {
		t.Errorf("data %+v", r.Data)
	}
	if got := script(t, s, "hits"); got != "beside" {
		t.Errorf("pressed %q, want the layer alone, where nothing lies beneath", got)
	}
	if r := must(t, s.DismissCover(t.Context(), buy)); r.Data.Dismissed != nil {
		t.Errorf("nothing covers it any more, and %q was dismissed", *r.Data.Dismissed)
	}
	must(t, s.Execute(t.Context(), surfaces.Click, buy, ""))
}

func TestSF65CoverThatShowsSomethingStays(t *testing.T) {
	rows := []struct{ name, over string }{
		{"text", `<div style="position:fixed;inset:0" onclick="hits.push('layer')">We are closed</div>`},
		{"a control", `<button style="position:fixed;inset:0" onclick="hits.push('layer')">Close</button>`},
		{"a dialog", `<div style="position:fixed;inset:0" onclick="hits.push('layer')"><div role=dialog aria-label=Wait>Wait</div></div>`},
		{"no free point", `<a href="#no" style="position:absolute;inset:0">All</a><div style="position:fixed;inset:0" onclick="hits.push('layer')"></div>`},
		{"one that stays", `<div style="position:fixed;inset:0"></div>`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s, buy := veiled(t, row.over)
			if r := s.DismissCover(t.Context(), buy); r.Code() != fault.NotActionable {
				t.Errorf("reply %+v", r)
			}
			if got := script(t, s, "hits+[...document.querySelectorAll('div')].map(d=>d.style.pointerEvents).join('')"); got != "" {
				t.Errorf("left behind %q", got)
			}
		})
	}
	s, _ := veiled(t, "")
	wants(t, s.DismissCover(t.Context(), nil), fault.InvalidArgs, surfaces.NotDelivered)
	wants(t, s.DismissCover(t.Context(), &surfaces.Candidate{Ref: "seen:999"}), fault.StaleRef, surfaces.NotDelivered)
}
