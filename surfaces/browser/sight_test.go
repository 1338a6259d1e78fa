package browser

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"countersign/surfaces"
)

// has finds a control of a reading, or nil.
func has(screen *surfaces.Screen, role, name string) *surfaces.Candidate {
	for i := range screen.Candidates {
		if c := &screen.Candidates[i]; c.Role == role && c.Name == name {
			return c
		}
	}
	return nil
}

func count(screen *surfaces.Screen, role string) int {
	n := 0
	for _, c := range screen.Candidates {
		if c.Role == role {
			n++
		}
	}
	return n
}

// One page per line of the checklist, all in one tab.
func TestSight(t *testing.T) {
	s := tabOf(t, surfaces.Needs{}, Options{})
	rows := []struct {
		name string
		body string
		see  func(t *testing.T, screen *surfaces.Screen)
	}{
		{"SF-15 a password is never read", `<label>Password <input type=password value=hunter2></label>`, func(t *testing.T, screen *surfaces.Screen) {
			if c := pick(t, screen, "textbox", "Password"); c.Value != "" || strings.Contains(fmt.Sprint(screen), "hunter2") {
				t.Errorf("the password is in the reading: %+v", c)
			}
		}},
		{"SF-16 what a person writes is text and no context", `<h1>Mail</h1><div contenteditable aria-label=Body>Dear Ada, the budget</div>`, func(t *testing.T, screen *surfaces.Screen) {
			if strings.Contains(strings.Join(screen.Context, " "), "budget") {
				t.Error("the mail body is in the context")
			}
			if !slices.ContainsFunc(screen.TextNodes, func(n surfaces.TextNode) bool { return n.Field && strings.Contains(n.Text, "budget") }) {
				t.Errorf("the mail body is in no text node: %+v", screen.TextNodes)
			}
		}},
		{"SF-28 a combobox without a box to type in is a button", `<div role=combobox tabindex=0 aria-expanded=false>Choose</div>`, func(t *testing.T, screen *surfaces.Screen) {
			c := pick(t, screen, "button", "Choose")
			if c.TakesText() || !c.Can(surfaces.CanExpand) {
				t.Errorf("actions %v", c.Actions)
			}
		}},
		{"SF-28 a combobox around an input is that input", `<div role=combobox aria-label=City tabindex=0><input aria-label=City></div>`, func(t *testing.T, screen *surfaces.Screen) {
			if c := pick(t, screen, "textbox", "City"); !c.Can(surfaces.CanSetValue) || len(screen.Candidates) != 1 {
				t.Errorf("%v", all(screen))
			}
		}},
		{"a tooltip that says more than the words describes", `<button title=Bold>B</button><button title="Send mail">Send mail now</button>`, func(t *testing.T, screen *surfaces.Screen) {
			if a, b := pick(t, screen, "button", "B"), pick(t, screen, "button", "Send mail now"); a.Description != "Bold" || b.Description != "" {
				t.Errorf("descriptions %q and %q", a.Description, b.Description)
			}
		}},
		{"what the line says it is describes", `<p>Phone: <a href=tel:1>555-1234</a>, Mail: <a href=mailto:a@x>a@x.example</a> or <a href=/c>chat</a>`, func(t *testing.T, screen *surfaces.Screen) {
			for name, want := range map[string]string{"555-1234": "Phone", "a@x.example": "Mail", "chat": ""} {
				if c := pick(t, screen, "link", name); c.Description != want {
					t.Errorf("%s is described by %q", name, c.Description)
				}
			}
		}},
		{"a branch of a tree is folded while its list is not drawn", `<ul><li><span onclick=f() style="cursor:pointer">Paper</span><ul hidden><li><button>Ink</button></ul><li><i></i><span onclick=f() style="cursor:pointer">Tin</span><ul><li><button>Can</button></ul><li><button>Up</button><b>Zinc</b><button>Drop</button><ul hidden><li>ore</ul></ul>`, func(t *testing.T, screen *surfaces.Screen) {
			for name, want := range map[string]bool{"Paper": true, "Tin": false, "Can": false, "Up": false, "Drop": false} {
				if c := pick(t, screen, "button", name); c.Has(surfaces.Collapsed) != want {
					t.Errorf("%s: states %v, want it folded %v", name, c.States, want)
				}
			}
		}},
		{"SF-29 an inherited cursor makes no second control", `<div style="cursor:pointer"><span>Open <b>it</b></span></div><button style="cursor:pointer"><span>Go</span></button>`, func(t *testing.T, screen *surfaces.Screen) {
			if len(screen.Candidates) != 2 || has(screen, "button", "Open it") == nil || has(screen, "button", "Go") == nil {
				t.Errorf("%v", all(screen))
			}
		}},
		{"SF-31 disabled is left out", `<button disabled>A</button><button aria-disabled=true>B</button><button class="x dayDisabled">C</button><button class="disabled:opacity-50">D</button><fieldset disabled><button>E</button></fieldset>`, func(t *testing.T, screen *surfaces.Screen) {
			if len(screen.Candidates) != 1 || has(screen, "button", "D") == nil {
				t.Errorf("%v", all(screen))
			}
		}},
		{"SF-32 selected by class", `<button class=size-selected>M</button><button class=unselected>L</button><button class="size not-selected">S</button><button class="hover:is-selected">X</button>`, func(t *testing.T, screen *surfaces.Screen) {
			for name, want := range map[string]bool{"M": true, "L": false, "S": false, "X": false} {
				if got := pick(t, screen, "button", name).Has(surfaces.Selected); got != want {
					t.Errorf("%s selected %v, want %v", name, got, want)
				}
			}
		}},
		{"SF-33 below the fold", `<div style="height:3000px"></div><button>Down</button>`, func(t *testing.T, screen *surfaces.Screen) {
			if c := pick(t, screen, "button", "Down"); !c.Has(surfaces.Offscreen) || c.Has(surfaces.Covered) {
				t.Errorf("states %v", c.States)
			}
		}},
		{"SF-34 under a banner", `<button style="position:absolute;top:20px;left:20px">Low</button><div style="position:fixed;top:0;left:0;width:100%;height:100px;background:#eee">Cookies</div>`, func(t *testing.T, screen *surfaces.Screen) {
			if c := pick(t, screen, "button", "Low"); !c.Has(surfaces.Covered) {
				t.Errorf("states %v", c.States)
			}
		}},
		{"SF-34 under the words of its own card", `<ul><li style="position:relative;height:80px"><a href="/x" style="position:absolute;inset:0" aria-label="Lamp"></a><div style="position:absolute;inset:0">Lamp, 20 EUR</div></li></ul>`, func(t *testing.T, screen *surfaces.Screen) {
			if c := pick(t, screen, "link", "Lamp"); c.Has(surfaces.Covered) {
				t.Errorf("states %v", c.States)
			}
		}},
		{"SF-35 words above a field", `<div style="height:20px">City</div><input style="display:block;margin-top:8px"><div>OR</div><input style="display:block" placeholder="Code">`, func(t *testing.T, screen *surfaces.Screen) {
			pick(t, screen, "textbox", "City")
			pick(t, screen, "textbox", "Code")
		}},
		{"SF-35 a lone OR names nothing", `<div style="height:20px">OR</div><input style="display:block;margin-top:8px">`, func(t *testing.T, screen *surfaces.Screen) {
			pick(t, screen, "textbox", "")
		}},
		{"a sign and a title", `<button title=Settings>⚙</button><button class="fa-trash">🗑</button><button>⚑</button>`, func(t *testing.T, screen *surfaces.Screen) {
			pick(t, screen, "button", "Settings")
			pick(t, screen, "button", "delete")
			pick(t, screen, "button", "⚑")
		}},
		{"SF-36 an icon", `<button class="btn icon-close"><svg width=10 height=10></svg></button>`, func(t *testing.T, screen *surfaces.Screen) {
			if c := pick(t, screen, "button", "close"); c.Description != "an icon" {
				t.Errorf("description %q", c.Description)
			}
		}},
		{"SF-37 a label inside a day", `<button><span aria-label="Sunday, 18 October 2026">18</span></button>`, func(t *testing.T, screen *surfaces.Screen) {
			if c := pick(t, screen, "button", "18"); c.Description != "Sunday, 18 October 2026" {
				t.Errorf("description %q", c.Description)
			}
		}},
		{"SF-38 a drawn checkbox over a hidden one", `<label style="position:relative;cursor:pointer"><input type=checkbox checked style="position:absolute;opacity:0;width:1px"><span style="display:inline-block;width:16px;height:16px;background:#ccc"></span> Window seat</label>`, func(t *testing.T, screen *surfaces.Screen) {
			if c := pick(t, screen, "checkbox", "Window seat"); len(screen.Candidates) != 1 || !c.Has(surfaces.Checked) || !c.Can(surfaces.CanUncheck) {
				t.Errorf("%v", all(screen))
			}
		}},
		{"SF-39 a dialog over the middle", `<button>Under</button><div role=dialog aria-label="Sign up" style="position:fixed;top:200px;left:300px;width:680px;height:400px;background:#fff"><button>Close</button></div>`, func(t *testing.T, screen *surfaces.Screen) {
			c := pick(t, screen, "button", "Close")
			if screen.Surface != surfaces.FrontSheet || len(c.Path) == 0 || c.Path[0] != `dialog "Sign up"` {
				t.Errorf("surface %s, path %v", screen.Surface, c.Path)
			}
		}},
		{"SF-39 a modal written into the page", `<main><button>Under</button><dialog aria-label="News" id=n><button>No thanks</button></dialog></main><script>n.showModal()</script>`, func(t *testing.T, screen *surfaces.Screen) {
			c := pick(t, screen, "button", "No thanks")
			if screen.Surface != surfaces.FrontSheet || !slices.Equal(c.Path, []string{`dialog "News"`}) {
				t.Errorf("surface %s, path %v", screen.Surface, c.Path)
			}
			if !pick(t, screen, "button", "Under").Has(surfaces.Covered) {
				t.Error("what lies under the modal is not covered")
			}
		}},
		{"SF-40 cards", `<ul><li>A <button>Pick</button></li><li>B <button>Pick</button></li><li>C <button>Pick</button></li></ul>`, func(t *testing.T, screen *surfaces.Screen) {
			var got []string
			for _, c := range screen.Candidates {
				got = append(got, strings.Join(c.Path, "/"))
			}
			if want := []string{"list/listitem #1", "list/listitem #2", "list/listitem #3"}; !slices.Equal(got, want) {
				t.Errorf("paths %v, want %v", got, want)
			}
		}},
		{"SF-41 two unnamed lists", `<ul><li><button>A</button></ul><ul><li><button>B</button></ul>`, func(t *testing.T, screen *surfaces.Screen) {
			if got := pick(t, screen, "button", "B").Path[0]; got != "list 2" {
				t.Errorf("path starts with %q", got)
			}
		}},
		{"SF-42 a popover with a search box and rows", `<div style="cursor:pointer;position:absolute;top:0"><input type=search aria-label=Find><div><div>a</div><div>b</div><div>c</div><div>d</div><div>e</div></div></div>`, func(t *testing.T, screen *surfaces.Screen) {
			for _, name := range []string{"a", "b", "c", "d", "e"} {
				pick(t, screen, "button", name)
			}
			if pick(t, screen, "searchbox", "Find"); len(screen.Candidates) != 6 {
				t.Errorf("%d candidates, want the box and five rows", len(screen.Candidates))
			}
		}},
		{"SF-43 a list of 80 choices", `<label>Country <select id=s></select></label><script>for(let i=1;i<=80;i++)s.add(new Option('Land '+i))</script>`, func(t *testing.T, screen *surfaces.Screen) {
			if n := count(screen, "option"); n != 60 {
				t.Errorf("%d options, want 60", n)
			}
			if c := pick(t, screen, "option", "Land 2"); c.Path[len(c.Path)-1] != `listbox "Country"` {
				t.Errorf("path %v", c.Path)
			}
			if !pick(t, screen, "option", "Land 1").Has(surfaces.Selected) {
				t.Error("the first option is not selected")
			}
		}},
		{"SF-44 a calendar by table", month(), func(t *testing.T, screen *surfaces.Screen) {
			for name, want := range map[string]string{"15": "15 November 2026", "20": "20 November 2026"} {
				if c := pick(t, screen, "gridcell", name); c.Description != want {
					t.Errorf("%s is %q, want %q", name, c.Description, want)
				}
			}
			first := screen.Candidates[slices.IndexFunc(screen.Candidates, func(c surfaces.Candidate) bool { return c.Role == "gridcell" })]
			if first.Description != "26 October 2026" {
				t.Errorf("the first day is %q", first.Description)
			}
			pick(t, screen, "button", "next month")
			pick(t, screen, "button", "previous month")
			pick(t, screen, "button", "Next")
			if n := count(screen, "gridcell"); n != 42 {
				t.Errorf("%d days, want 42: week numbers are none", n)
			}
		}},
		{"SF-45 a block that misses a day is not dated", strings.Replace(month(), "<td>17</td>", "<td></td>", 1), func(t *testing.T, screen *surfaces.Screen) {
			if n := count(screen, "gridcell"); n != 0 {
				t.Errorf("%d days were dated", n)
			}
		}},
		{"SF-45 two months under one title", months(31), func(t *testing.T, screen *surfaces.Screen) {
			var dates []string
			for _, c := range screen.Candidates {
				if c.Role == "gridcell" {
					dates = append(dates, c.Description)
				}
			}
			if len(dates) != 61 || dates[0] != "1 November 2026" || dates[60] != "31 December 2026" {
				t.Errorf("%d days: %q", len(dates), dates)
			}
		}},
		{"SF-45 two months under one title with one block missed", months(26), func(t *testing.T, screen *surfaces.Screen) {
			if n := count(screen, "gridcell"); n != 0 {
				t.Errorf("%d days were dated", n)
			}
		}},
		{"SF-52 a thousand links", `<div id=d></div><script>for(let i=1;i<=1000;i++){const a=document.createElement('a');a.href='/'+i;a.textContent=i+' '+'x'.repeat(200);d.append(a)}</script>`, func(t *testing.T, screen *surfaces.Screen) {
			if len(screen.Candidates) != 800 || !strings.HasPrefix(screen.Candidates[799].Name, "800 x") || len(screen.Candidates[0].Name) != 120 {
				t.Errorf("%d candidates, the last %q", len(screen.Candidates), screen.Candidates[len(screen.Candidates)-1].Name)
			}
		}},
		{"a text is looked at up to its ten thousandth character", strings.NewReplacer("~", strings.Repeat(" ", 12000)).Replace(`<p>Soon~late</p><button>Go~late</button><div contenteditable aria-label=Body>Dear~late</div>`), func(t *testing.T, screen *surfaces.Screen) {
			pick(t, screen, "button", "Go")
			if c := pick(t, screen, "textbox", "Body"); c.Value != "Dear" {
				t.Errorf("value %q", c.Value)
			}
			if !slices.Equal(screen.Context, []string{"Soon"}) {
				t.Errorf("context %q", screen.Context)
			}
		}},
		{"a page too long says so, in the last place of every list", `<style>p{margin:0;font-size:2px;line-height:2px}</style><button>Soon</button><div id=d></div><button>Late</button><script>
d.innerHTML=Array.from({length:60000},(_, i)=>'<p>word '+i).join('')</script>`, func(t *testing.T, screen *surfaces.Screen) {
			const unread = "The rest of this page was not read: it is too long."
			pick(t, screen, "button", "Soon")
			if has(screen, "button", "Late") != nil {
				t.Error("it was read to its end")
			}
			if n := len(screen.TextNodes); n != maxTexts || screen.TextNodes[n-1].Text != unread {
				t.Errorf("%d texts, the last %q", n, screen.TextNodes[n-1].Text)
			}
			if n := len(screen.Context); n != maxContext || screen.Context[n-1] != unread {
				t.Errorf("%d lines, the last %q", n, screen.Context[n-1])
			}
		}},
		{"SF-16 a field that is no control of the reading", `<div contenteditable aria-disabled=true>Dear Ada</div><div style="position:absolute;top:5000px" id=d></div><div style="position:absolute;top:0" contenteditable>Dear Bob</div>
<script>d.innerHTML='<a href=/x>x</a> '.repeat(800)</script>`, func(t *testing.T, screen *surfaces.Screen) {
			if len(screen.Context) != 0 || len(screen.TextNodes) != 2 || !screen.TextNodes[0].Field || !screen.TextNodes[1].Field {
				t.Errorf("context %q, texts %+v", screen.Context, screen.TextNodes)
			}
		}},
		{"named elements hide nothing of a form", `<form id=f><input name=getAttribute aria-label=One><input name=children><input name=parentElement><button name=querySelectorAll>Go</button></form><img name=body><img name=querySelectorAll>`, func(t *testing.T, screen *surfaces.Screen) {
			if c := pick(t, screen, "button", "Go"); c.Form != "f" {
				t.Errorf("form %q", c.Form)
			}
			pick(t, screen, "textbox", "One")
		}},
		{"what a field says of itself", `<form name=pay><label>Card <input autocomplete=cc-number placeholder="1234 5678" pattern="\d+" title="16 digits"></label><a href="/terms">Terms</a></form>`, func(t *testing.T, screen *surfaces.Screen) {
			c := pick(t, screen, "textbox", "Card")
			if c.Form != "pay" || c.Autocomplete != "cc-number" || c.InputType != "text" || !slices.Contains(c.Hints, "1234 5678") {
				t.Errorf("%+v", c)
			}
			if a := pick(t, screen, "link", "Terms"); !strings.HasSuffix(a.Destination, "/terms") {
				t.Errorf("destination %q", a.Destination)
			}
		}},
		{"tasks.md 4.9: where a press leads", `<base href="/shop/"><form name=f action="send?a=1#x"><input name=action><input name=method><button>Send</button><button formaction="other">Delete</button>
<button type=button formaction="third">Script</button><input type=submit value=Enter formaction="//else.test/x"><div role=button>Draw</div><a href="next#part">Next</a></form>
<button form=g>Outside</button><form id=g method=dialog action="/no"></form><form><button>Here</button></form><button>Alone</button><a href="/up"><button>Both</button></a>`, func(t *testing.T, screen *surfaces.Screen) {
			base := screen.Origin
			for name, want := range map[string]string{
				"Send": base + "/shop/send?a=1", "Delete": base + "/shop/other", "Script": base + "/shop/send?a=1", "Enter": "http://else.test/x",
				"Draw": base + "/shop/send?a=1", "Outside": "", "Here": screen.Address, "Alone": "", "Both": base + "/up",
			} {
				if c := pick(t, screen, "button", name); c.Destination != want {
					t.Errorf("%s leads to %q, want %q", name, c.Destination, want)
				}
			}
			if a := pick(t, screen, "link", "Next"); a.Destination != base+"/shop/next" {
				t.Errorf("the link leads to %q", a.Destination)
			}
			if c := pick(t, screen, "button", "Outside"); c.Form != "g" {
				t.Errorf("a button outside its form is of form %q", c.Form)
			}
		}},
		{"a row without a name is named by its cells", `<table><tr><td>01 Window</td><td>12.50</td><td><button>Take</button></td></tr><tr><td>02 Aisle</td><td></td><td><button>Take</button></td></tr></table>`, func(t *testing.T, screen *surfaces.Screen) {
			if got := screen.Candidates[1].Path; got[len(got)-1] != `row "02 Aisle" #2` {
				t.Errorf("path %v", got)
			}
		}},
		{"suggestions of a box", `<label>City <input list=l></label><datalist id=l><option value=BER label=Berlin><option value=Paris></datalist>`, func(t *testing.T, screen *surfaces.Screen) {
			if c := pick(t, screen, "option", "BER"); c.Description != "Berlin" || c.Path[len(c.Path)-1] != `listbox "City"` {
				t.Errorf("%+v", c)
			}
			pick(t, screen, "option", "Paris")
		}},
	}
	pages := map[string]string{}
	for i, r := range rows {
		pages[fmt.Sprint(i)] = r.body
	}
	server := serve(t, pages)
	for i, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			must(t, s.Navigate(t.Context(), fmt.Sprintf("%s/%d", server.URL, i)))
			screen := observe(t, s)
			r.see(t, screen)
			if t.Failed() {
				t.Log(all(screen), screen.Context)
			}
		})
	}
}

// month is November 2026 as a table with week numbers, six weeks long.
// months are two calendars without a table under one title, days with a fare in
// them; of the second, the first so many days are shown.
func months(last int) string {
	var b strings.Builder
	b.WriteString(`<div><h2>November 2026 – December 2026</h2>`)
	for _, days := range []int{30, last} {
		b.WriteString(`<div style="display:grid;grid-template-columns:repeat(7,40px)">`)
		for day := range days {
			fmt.Fprintf(&b, "<div><b>%d</b> <i>€%d</i></div>", day+1, 40+day)
		}
		b.WriteString("</div>")
	}
	return b.String() + "</div>"
}

func month() string {
	var b strings.Builder
	b.WriteString(`<div><div><button>‹</button><span>November 2026</span><button>›</button></div><table><tr><th>Wk<th>Mo<th>Tu<th>We<th>Th<th>Fr<th>Sa<th>Su</tr>`)
	day := 0
	for week := range 6 {
		fmt.Fprintf(&b, "<tr><td>%d</td>", 44+week)
		for range 7 {
			n := 26 + day // from 26 October on
			if n > 31 {
				n -= 31
			}
			if day >= 36 {
				n = day - 35
			}
			fmt.Fprintf(&b, "<td>%d</td>", n)
			day++
		}
		b.WriteString("</tr>")
	}
	b.WriteString(`</table></div><button style="position:absolute;top:700px">Next</button>`)
	return b.String()
}

func TestReadingsAreCompared(t *testing.T) {
	s := show(t, `<label><input type=checkbox id=c> Agree</label><button id=b style="position:absolute;top:90px">Go</button><div id=d>x</div>`)
	first := observe(t, s)
	t.Run("SF-08 a still page", func(t *testing.T) {
		if surfaces.Fingerprint(first) != surfaces.Fingerprint(observe(t, s)) {
			t.Error("the fingerprints differ")
		}
	})
	t.Run("SF-10 only bounds moved", func(t *testing.T) {
		script(t, s, "b.style.top='120px'")
		if surfaces.Fingerprint(first) != surfaces.Fingerprint(observe(t, s)) {
			t.Error("the fingerprints differ")
		}
	})
	t.Run("SF-09 a ticked checkbox", func(t *testing.T) {
		script(t, s, "c.checked=true")
		if surfaces.Fingerprint(first) == surfaces.Fingerprint(observe(t, s)) {
			t.Error("the fingerprints are equal")
		}
	})
	t.Run("a ref stays with its control", func(t *testing.T) {
		if got, want := pick(t, observe(t, s), "button", "Go").Ref, pick(t, first, "button", "Go").Ref; got != want {
			t.Errorf("ref %s, want %s", got, want)
		}
	})
	t.Run("a root is read alone", func(t *testing.T) {
		screen, r := s.Observe(t.Context(), "browser", pick(t, first, "button", "Go").Ref, surfaces.Full)
		if r != nil || len(screen.Candidates) != 1 {
			t.Errorf("reply %v, screen %+v", r.Err(), screen)
		}
		if _, r := s.Observe(t.Context(), "browser", "seen:99999", surfaces.Full); r.Code() != "STALE_REF" {
			t.Errorf("an unknown root: %v", r.Code())
		}
	})
}

// SF-53: whatever a page makes of the answer, what is kept is within bounds.
func TestSF53AnswersAreHeldToTheLimits(t *testing.T) {
	huge := strings.Repeat("x", 1<<20)
	for _, raw := range []string{
		`{"words":["","button","` + huge + `","nonsense covered covered","Explode Click"],"controls":{"ref":[1],"role":[1],"name":[2],"states":[3],"actions":[4],"x":[1e300]}}`,
		`{"words":["","button","` + huge + `","nonsense covered covered","Explode Click"],"paths":[0,2,9,2,1,-1,1],"controls":{"ref":[1],"role":[1],"name":[2],"states":[3],"actions":[4],"path":[2]}}`,
		`{"words":["","button","wizard","textbox","password","pw"],"controls":{"ref":[-1,1,2],"role":[1,2,3],"type":[0,0,4],"value":[0,0,5]}}`,
		`{"words":["button"],"paths":[1,0,2,0],"controls":{"ref":[1,2,3],"role":[0,9,-9],"path":[-1,1,2],"name":[-1,1]},"texts":{"text":[7,-7,0],"path":[5]},"context":[3,-3]}`,
		`{"title":"` + huge + `","surface":"hologram","words":["","a","` + huge + `"],"context":[1,1,2]}`,
		`{"controls":"many"}`, `[]`, `null`, `{"controls":{"ref":["1"]}}`, `{"controls":{"ref":[1.5]}}`, `{"controls":[{"ref":1}]}`,
	} {
		var got sighting
		if json.Unmarshal([]byte(raw), &got) != nil {
			continue // refused as PAGE_ERROR
		}
		screen := accept(got)
		for _, c := range screen.Candidates {
			if len(c.Name) > maxName || !roles(c.Role) || c.Value == "pw" || len(c.States) > 1 || len(c.Actions) > 1 {
				t.Errorf("kept %.200v", c)
			}
		}
		if len(screen.Window) > 300 || screen.Surface != surfaces.FrontWindow || len(screen.Context) > 2 {
			t.Errorf("kept %.200v", screen)
		}
	}
}

func FuzzAccept(f *testing.F) {
	f.Add([]byte(`{"words":["","button","Go","list"],"paths":[0,3],"controls":{"ref":[1],"role":[1],"name":[2],"path":[1],"x":[1],"y":[2],"w":[3],"h":[4]},"texts":{"text":[2]},"context":[2]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var got sighting
		if json.Unmarshal(raw, &got) != nil {
			return
		}
		screen := accept(got)
		if len(screen.Candidates) > maxControls || len(screen.TextNodes) > maxTexts || len(screen.Context) > maxContext {
			t.Errorf("more than the limits was kept")
		}
	})
}
