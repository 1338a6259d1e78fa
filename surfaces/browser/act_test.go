package browser

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// press clicks a control of a fresh reading.
func click(t *testing.T, s *Side, role, name string) *surfaces.Reply {
	t.Helper()
	return s.Execute(t.Context(), surfaces.Click, pick(t, observe(t, s), role, name), "")
}

func wants(t *testing.T, r *surfaces.Reply, code fault.Code, delivery surfaces.Delivery) {
	t.Helper()
	if r.OK || r.Code() != code || r.Error.Delivery != delivery || r.Error.Hint == "" {
		t.Errorf("%s answered %v %+v, want %s %s with a hint", r.Command, r.OK, r.Error, code, delivery)
	}
}

func TestFormIsFilledAndSent(t *testing.T) {
	s := show(t, `<main><h1>Shop</h1><form id=f><label for=n>Name</label><input id=n name=n required>
<label><input type=checkbox id=c> I agree</label>
<select id=s aria-label=Colour onchange="this.dataset.n=(+this.dataset.n||0)+1"><option>Red<option>Blue</select><input type=date aria-label=Day id=d>
<button type=button onclick="document.title='sent '+n.value+' '+c.checked+' '+s.value+' '+s.dataset.n+' '+d.value">Send</button></form></main>`)
	screen := observe(t, s)
	do := func(op surfaces.Op, role, name, text string) {
		t.Helper()
		must(t, s.Execute(t.Context(), op, pick(t, screen, role, name), text))
	}
	do(surfaces.TypeText, "textbox", "Name", "Eve")
	do(surfaces.TypeText, "textbox", "Name", "Ada Ünal")
	do(surfaces.TypeText, "textbox", "Day", "2026-11-15")
	do(surfaces.Check, "checkbox", "I agree", "")
	do(surfaces.Check, "checkbox", "I agree", "") // there already
	do(surfaces.Click, "option", "Blue", "")
	do(surfaces.Click, "option", "Blue", "")
	do(surfaces.Click, "button", "Send", "")
	s.Settle(t.Context())
	// SF-60: the choice holds and change fired once.
	if got, want := observe(t, s).Window, "sent Ada Ünal true Blue 1 2026-11-15"; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
	if v, ok := s.ReadValue(t.Context(), pick(t, screen, "textbox", "Name")); !ok || v != "Ada Ünal" {
		t.Errorf("the field holds %q %v", v, ok)
	}
	r := s.Execute(t.Context(), surfaces.TypeText, pick(t, screen, "textbox", "Day"), "15.11.2026")
	wants(t, r, fault.TextNotDelivered, surfaces.DeliveryUncertain)
	do(surfaces.TypeText, "textbox", "Name", "")
	if v, ok := s.ReadValue(t.Context(), pick(t, screen, "textbox", "Name")); !ok || v != "" {
		t.Errorf("the cleared field holds %q %v", v, ok)
	}
	do(surfaces.Uncheck, "checkbox", "I agree", "")
	if pick(t, observe(t, s), "checkbox", "I agree").Has(surfaces.Checked) {
		t.Error("still checked")
	}
}

func TestSF15PasswordIsNotReadBack(t *testing.T) {
	s := show(t, `<label>Password <input type=password></label>`)
	c := pick(t, observe(t, s), "textbox", "Password")
	must(t, s.Execute(t.Context(), surfaces.TypeText, c, "hunter2"))
	if v, ok := s.ReadValue(t.Context(), c); ok || v != "" {
		t.Errorf("read back %q %v", v, ok)
	}
	if got := script(t, s, "document.querySelector('input').value"); got != "hunter2" {
		t.Errorf("the field holds %d characters, want what was typed", len(got))
	}
}

func TestRefsFailClosed(t *testing.T) {
	page := `<div id=d><button onclick="n++">Go</button></div><script>n=0</script>`
	rows := []struct{ name, change string }{
		{"SF-54 rendered again", `d.innerHTML=d.innerHTML.replace(/ data-desk-seen="\d+"/,'')`},
		{"rendered again with its mark", `d.innerHTML=d.innerHTML`},
		{"SF-55 cloned with its mark", `d.append(d.firstChild.cloneNode(true))`},
		{"the mark moved to another", `(()=>{const b=document.createElement('button');b.textContent='Pay';b.onclick=()=>n++;b.setAttribute('data-desk-seen',d.firstChild.getAttribute('data-desk-seen'));d.firstChild.removeAttribute('data-desk-seen');d.append(b)})()`},
		{"removed", `d.remove()`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s := show(t, page)
			old := pick(t, observe(t, s), "button", "Go")
			script(t, s, row.change)
			wants(t, s.Execute(t.Context(), surfaces.Click, old, ""), fault.StaleRef, surfaces.NotDelivered)
			if got := script(t, s, "n"); got != "0" {
				t.Errorf("%s clicks reached the page", got)
			}
			observe(t, s)
			if strings.Contains(row.name, "removed") {
				return
			}
			if r := s.Execute(t.Context(), surfaces.Click, pick(t, observe(t, s), "button", "Go"), ""); !r.OK {
				t.Errorf("after a new reading: %v", r.Err())
			}
		})
	}
	t.Run("a ref of the page before", func(t *testing.T) {
		s := show(t, page)
		old := pick(t, observe(t, s), "button", "Go")
		must(t, s.Navigate(t.Context(), serve(t, map[string]string{"": page}).URL))
		wants(t, s.Execute(t.Context(), surfaces.Click, old, ""), fault.StaleRef, surfaces.NotDelivered)
		if now := pick(t, observe(t, s), "button", "Go"); now.Ref == old.Ref {
			t.Errorf("%s was given twice", now.Ref)
		}
		wants(t, s.Execute(t.Context(), surfaces.Click, &surfaces.Candidate{Ref: "ax:1:2", Role: "button"}, ""), fault.StaleRef, surfaces.NotDelivered)
	})
}

func TestCovers(t *testing.T) {
	counting := `<script>hits=[];for(const t of ['pointerdown','mousedown','mouseup','click'])addEventListener(t,e=>hits.push(t),true)</script>`
	rows := []struct{ name, over, cover string }{
		{"SF-56 a modal", `<div style="position:fixed;inset:0;background:#0008"><div role=dialog aria-label="Sign up" style="margin:100px">Join</div></div>`, `dialog "Sign up"`},
		{"its close button", `<button style="position:fixed;inset:0">Close</button>`, `button "Close"`},
		{"a banner", `<div style="position:fixed;inset:0">We use cookies</div>`, `layer "We use cookies"`},
		{"an empty backdrop", `<div style="position:fixed;inset:0"></div>`, "an empty layer"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s := show(t, `<button style="position:absolute;left:600px;top:400px">Buy</button>`+row.over+counting)
			r := click(t, s, "button", "Buy")
			wants(t, r, fault.NotActionable, surfaces.NotDelivered)
			if r.Error.Details.Cover != row.cover || r.Error.Details.EmptyLayer != (row.cover == "an empty layer") {
				t.Errorf("details %+v, want %s", r.Error.Details, row.cover)
			}
			if got := script(t, s, "hits"); got != "" {
				t.Errorf("events reached the page: %s", got)
			}
		})
	}
	t.Run("what comes up under the pointer is not pressed", func(t *testing.T) {
		s := show(t, `<button id=b style="position:absolute;left:600px;top:400px" onclick="hits.push('buy')">Buy</button>
<div id=o style="position:fixed;inset:0;display:none">Late</div><script>b.addEventListener('mouseenter',()=>{o.style.display='block'})</script>`+counting)
		r := click(t, s, "button", "Buy")
		wants(t, r, fault.NotActionable, surfaces.NotDelivered)
		if got := script(t, s, "hits"); got != "" {
			t.Errorf("events reached the page: %s", got)
		}
	})
	t.Run("SF-57 through the words of its own card, not through a dialog", func(t *testing.T) {
		s := show(t, `<ul><li style="position:relative;height:80px"><a href="#lamp" style="position:absolute;inset:0" aria-label=Lamp></a><div style="position:absolute;inset:0;pointer-events:none">Lamp</div></li></ul>`)
		must(t, click(t, s, "link", "Lamp"))
		if at := observe(t, s).Address; !strings.HasSuffix(at, "#lamp") {
			t.Errorf("at %s", at)
		}
		script(t, s, `document.body.insertAdjacentHTML('beforeend','<dialog aria-label=Wait>Wait</dialog>'),document.querySelector('dialog').showModal()`)
		wants(t, click(t, s, "link", "Lamp"), fault.NotActionable, surfaces.NotDelivered)
	})
}

func TestClicks(t *testing.T) {
	t.Run("SF-58 half below the window, on a page that scrolls smoothly", func(t *testing.T) {
		s := show(t, `<style>html{scroll-behavior:smooth}</style><div style="height:790px"></div><button onclick="document.title='landed'">Low</button><div style="height:3000px"></div>`)
		must(t, click(t, s, "button", "Low"))
		if got := observe(t, s).Window; got != "landed" {
			t.Errorf("title %q", got)
		}
	})
	t.Run("inside a list that scrolls", func(t *testing.T) {
		s := show(t, `<div style="height:100px;overflow:auto"><div style="height:600px"></div><button onclick="document.title='landed'">Deep</button></div>`)
		screen := observe(t, s)
		if c := pick(t, screen, "button", "Deep"); !c.Has(surfaces.Offscreen) {
			t.Errorf("states %v", c.States)
		}
		must(t, click(t, s, "button", "Deep"))
		if got := observe(t, s).Window; got != "landed" {
			t.Errorf("title %q", got)
		}
	})
	t.Run("SF-59 a tab that ignores its first press", func(t *testing.T) {
		s := show(t, `<div role=tablist><button role=tab aria-selected=false onclick="if(n++)this.setAttribute('aria-selected','true')">Two</button></div><script>n=0</script>`)
		must(t, click(t, s, "tab", "Two"))
		if !pick(t, observe(t, s), "tab", "Two").Has(surfaces.Selected) {
			t.Error("not selected")
		}
	})
	t.Run("SF-59 a checkbox is never pressed twice", func(t *testing.T) {
		s := show(t, `<div role=checkbox aria-checked=false tabindex=0 onclick="n++">Agree</div><script>n=0</script>`)
		r := s.Execute(t.Context(), surfaces.Check, pick(t, observe(t, s), "checkbox", "Agree"), "")
		wants(t, r, fault.PageError, surfaces.DeliveredUnverified)
		if got := script(t, s, "n"); got != "1" {
			t.Errorf("pressed %s times", got)
		}
	})
	t.Run("SF-38 a drawn checkbox is ticked", func(t *testing.T) {
		s := show(t, `<label style="cursor:pointer"><input id=i type=checkbox style="display:none"><span style="display:inline-block;width:16px;height:16px;background:#ccc"></span> Window seat</label>`)
		must(t, s.Execute(t.Context(), surfaces.Check, pick(t, observe(t, s), "checkbox", "Window seat"), ""))
		if got := script(t, s, "i.checked"); got != "true" {
			t.Errorf("checked %s", got)
		}
	})
	t.Run("disabled since", func(t *testing.T) {
		s := show(t, `<button id=b>Go</button>`)
		c := pick(t, observe(t, s), "button", "Go")
		script(t, s, "b.disabled=true")
		wants(t, s.Execute(t.Context(), surfaces.Click, c, ""), fault.NotActionable, surfaces.NotDelivered)
	})
	t.Run("SF-68 a link to a new tab stays in this one", func(t *testing.T) {
		server := serve(t, map[string]string{"": `<a target=_blank href=/next>Next</a>`, "next": `<form target=_blank action=/last><button>Last</button></form>`, "last": `<button onclick="window.open('/end')">End</button>`, "end": "End of it"})
		s := tabOf(t, surfaces.Needs{}, Options{})
		must(t, s.Navigate(t.Context(), server.URL))
		for _, step := range [][3]string{{"link", "Next", "/next"}, {"button", "Last", "/last"}, {"button", "End", "/end"}} {
			r := must(t, click(t, s, step[0], step[1]))
			if !strings.HasPrefix(r.Data.URL, server.URL+step[2]) {
				t.Errorf("%s led to %s", step[1], r.Data.URL)
			}
		}
		if n := opener(t, s); n != 0 {
			t.Errorf("%d tabs were opened", n)
		}
	})
}

// A control rendered anew between the two halves of a press hears no click, and
// the press does not count as one.
func TestPressThatIsLost(t *testing.T) {
	rows := []struct {
		name, page string
		anew       bool
	}{
		{"rendered anew meanwhile", `<div id=d onmousedown="setTimeout(()=>document.title='down')"><button>Go</button></div>`, true},
		{"the page answers the first half by itself", `<div id=d onmousedown="d.innerHTML='<button>Go</button>';setTimeout(()=>document.title='down')"><button>Go</button></div>`, false},
		{"the page answers the second half by itself", `<div id=d onmousedown="setTimeout(()=>document.title='down')" onpointerup="d.innerHTML='<button>Go</button>'"><button>Go</button></div>`, false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s := show(t, row.page)
			c := pick(t, observe(t, s), "button", "Go")
			n, _ := number(c.Ref)
			p := &press{tab: s.tab, command: "click", ref: n, what: "the button"}
			v, r := p.aim(t.Context())
			if r != nil {
				t.Fatal(r.Err())
			}
			if err := s.tab.ask(t.Context(), "guard", map[string]any{"ref": n}, &v); err != nil {
				t.Fatal(err)
			}
			if err := s.tab.mouse(t.Context(), input.DispatchMouseEventTypeMousePressed, v.X, v.Y); err != nil {
				t.Fatal(err)
			}
			for script(t, s, "document.title") != "down" && t.Context().Err() == nil {
			}
			if row.anew {
				script(t, s, "d.innerHTML='<button>Go</button>'")
			}
			if err := s.tab.mouse(t.Context(), input.DispatchMouseEventTypeMouseReleased, v.X, v.Y); err != nil {
				t.Fatal(err)
			}
			r = p.landed(t.Context(), nil, s.tab.world)
			if !row.anew {
				must(t, r)
				return
			}
			wants(t, r, fault.StaleRef, surfaces.DeliveryUncertain)
		})
	}
}

func TestTyping(t *testing.T) {
	s := show(t, `<div role=textbox tabindex=0>Fake</div><button>Go</button><div contenteditable aria-label=Body id=e>old words</div><label>City <input id=i value=Old></label><input readonly aria-label=Fixed value=x>`)
	screen := observe(t, s)
	t.Run("SF-61 a textbox by role alone", func(t *testing.T) {
		wants(t, s.Execute(t.Context(), surfaces.TypeText, pick(t, screen, "button", "Fake"), "x"), fault.NotATextField, surfaces.NotDelivered)
	})
	t.Run("SF-62 focus on a button", func(t *testing.T) {
		must(t, s.Execute(t.Context(), surfaces.Click, pick(t, screen, "button", "Go"), ""))
		wants(t, s.Execute(t.Context(), surfaces.TypeText, nil, "x"), fault.NotATextField, surfaces.NotDelivered)
	})
	t.Run("a read-only field", func(t *testing.T) {
		wants(t, s.Execute(t.Context(), surfaces.TypeText, pick(t, screen, "textbox", "Fixed"), "x"), fault.NotATextField, surfaces.NotDelivered)
	})
	t.Run("an editable region", func(t *testing.T) {
		must(t, s.Execute(t.Context(), surfaces.TypeText, pick(t, screen, "textbox", "Body"), "new words"))
		if got := script(t, s, "e.textContent"); got != "new words" {
			t.Errorf("it holds %q", got)
		}
	})
	t.Run("the focused field", func(t *testing.T) {
		must(t, s.Execute(t.Context(), surfaces.Click, pick(t, screen, "textbox", "City"), ""))
		must(t, s.Execute(t.Context(), surfaces.TypeText, nil, "Bonn"))
		if got := script(t, s, "i.value"); got != "Bonn" {
			t.Errorf("it holds %q", got)
		}
	})
	t.Run("SF-63 paste is typed input and leaves the clipboard alone", func(t *testing.T) {
		script(t, s, "copied=0,addEventListener('copy',()=>copied++,true),addEventListener('paste',()=>copied++,true),addEventListener('cut',()=>copied++,true)")
		must(t, s.Paste(t.Context(), "browser", pick(t, screen, "textbox", "City"), "Köln"))
		if got := script(t, s, "i.value+' '+copied"); got != "Köln 0" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("keys", func(t *testing.T) {
		script(t, s, "keys='',addEventListener('keydown',e=>keys+=(e.ctrlKey?'^':'')+e.key+' ')")
		for _, combo := range []string{"return", "escape", "up", "tab", "cmd+a", "x"} {
			must(t, s.Press(t.Context(), "browser", combo))
		}
		if got, want := script(t, s, "keys"), "Enter Escape ArrowUp Tab ^a x "; got != want {
			t.Errorf("keys %q, want %q", got, want)
		}
		wants(t, s.Press(t.Context(), "browser", "new_item"), fault.InvalidArgs, surfaces.NotDelivered)
	})
}

func TestNothingIsSent(t *testing.T) {
	s := show(t, `<button>Go</button><script>n=0;for(const t of ['mousedown','keydown','focus','scroll'])addEventListener(t,()=>n++,true)</script>`)
	c := pick(t, observe(t, s), "button", "Go")
	// SF-07
	for _, op := range []surfaces.Op{surfaces.Drill, surfaces.Widen, surfaces.Done, surfaces.Blocked} {
		r := must(t, s.Execute(t.Context(), op, c, ""))
		if op == surfaces.Drill && r.Data.Root != c.Ref || op == surfaces.Widen && r.Data.Root != "" {
			t.Errorf("%s: root %q", op, r.Data.Root)
		}
	}
	if got := script(t, s, "n"); got != "0" {
		t.Errorf("%s events reached the page", got)
	}
	t.Run("SF-06 a cancelled context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if r := s.Execute(ctx, surfaces.Click, c, ""); r.OK || r.Error.Delivery != surfaces.NotDelivered {
			t.Errorf("answered %+v", r)
		}
		must(t, s.Execute(t.Context(), surfaces.Click, c, ""))
	})
	t.Run("SF-05 what a refusal says about retrying", func(t *testing.T) {
		r := s.Execute(t.Context(), surfaces.Click, &surfaces.Candidate{Ref: "seen:77"}, "")
		if r.Error.Delivery.Retry() != surfaces.RetrySafe {
			t.Errorf("retry %s", r.Error.Delivery.Retry())
		}
	})
	if r := must(t, s.DismissCover(t.Context(), c)); r.Data.Dismissed != nil {
		t.Errorf("nothing covers it, and %q was dismissed", *r.Data.Dismissed)
	}
}

func TestScroll(t *testing.T) {
	s := show(t, `<div style="height:4000px"></div>`)
	must(t, s.Execute(t.Context(), surfaces.Scroll, nil, ""))
	must(t, s.Execute(t.Context(), surfaces.Scroll, nil, "down"))
	must(t, s.Execute(t.Context(), surfaces.Scroll, nil, "up"))
	if got := script(t, s, "scrollY"); got != "300" {
		t.Errorf("scrolled to %s", got)
	}
	t.Run("where the page does not move, its largest part in view does", func(t *testing.T) {
		const part = `<div id=%s style="height:%dpx;width:200px;overflow:auto"><p style="height:900px"></p></div>`
		s := show(t, fmt.Sprintf(part+part, "a", 100, "b", 300))
		for range 3 {
			must(t, s.Execute(t.Context(), surfaces.Scroll, nil, ""))
		}
		if got := script(t, s, "scrollY+' '+a.scrollTop+' '+(b.scrollTop>=600)"); got != "0 300 true" && got != "0 0 true" {
			t.Errorf("scrolled to %s", got)
		}
	})
}

func TestFieldsThatAreSet(t *testing.T) {
	s := show(t, `<label>Volume <input id=r type=range max=100 step=5></label><label>Accent <input id=c type=color></label>
<script>told='';for(const e of [r,c])e.onchange=()=>told+=e.value+' '</script>`)
	screen := observe(t, s)
	must(t, s.Execute(t.Context(), surfaces.TypeText, pick(t, screen, "slider", "Volume"), "75"))
	must(t, s.Execute(t.Context(), surfaces.TypeText, pick(t, screen, "button", "Accent"), "#ff8800"))
	if got := script(t, s, "told"); got != "75 #ff8800 " {
		t.Errorf("the page was told %q", got)
	}
	if r := s.Execute(t.Context(), surfaces.TypeText, pick(t, screen, "slider", "Volume"), "many"); r.Code() != fault.TextNotDelivered {
		t.Errorf("words in a slider: %+v", r)
	}
}

func TestFieldThatListensToKeysAlone(t *testing.T) {
	s := show(t, `<label>Code <input id=c></label><script>c.onbeforeinput=e=>e.preventDefault();
c.onkeydown=e=>{c.value=e.key==='Delete'?'':c.value+(e.key.length===1?e.key:'')}</script>`)
	code := pick(t, observe(t, s), "textbox", "Code")
	for _, text := range []string{"SUN 25é", "B"} {
		must(t, s.Execute(t.Context(), surfaces.TypeText, code, text))
		if got := script(t, s, "c.value"); got != text {
			t.Errorf("it holds %q, want %q", got, text)
		}
	}
}
