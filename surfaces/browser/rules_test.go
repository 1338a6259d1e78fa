package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"countersign/surfaces"
)

// seen tells of every control as role "name", in the order of the reading.
func seen(screen *surfaces.Screen) []string {
	var out []string
	for _, c := range screen.Candidates {
		out = append(out, fmt.Sprintf("%s %q", c.Role, c.Name))
	}
	return out
}

// One row for each rule of how a page is read: what is on the page, the controls
// that are seen, and the texts beside them.
func TestSightRules(t *testing.T) {
	s := tabOf(t, surfaces.Needs{}, Options{})
	const big = ` style="display:block;width:300px;height:60px;background:#ddd"`
	rows := []struct {
		name     string
		body     string
		controls string // role "name", separated by commas
		context  string // lines, separated by bars
		noise    surfaces.Denoised
	}{
		// What is a control.
		{"native controls", `<a href=/x>Link</a><button>Go</button><input type=submit value=Send><select aria-label=Land></select><textarea aria-label=Note></textarea><details><summary>More</summary></details>`, `link "Link", button "Go", button "Send", combobox "Land", textarea "Note", button "More"`, "", surfaces.Denoised{}},
		{"roles", `<div role=button>a</div><div role=link>b</div><div role=tab>c</div><div role=menuitem>d</div><div role=menuitemcheckbox>e</div><div role=menuitemradio>f</div><div role=treeitem>g</div><div role=slider aria-label=h>5</div><div role=option>i</div><div role=switch>j</div>`, `button "a", link "b", tab "c", menuitem "d", checkbox "e", radio "f", treeitem "g", slider "5", option "i", switch "j"`, "", surfaces.Denoised{}},
		{"cursor, handler and tab stop", `<div style="cursor:pointer">a</div><div onclick="1">b</div><div tabindex=0>c</div><div tabindex=-1>d</div>`, `button "a", button "b", button "c"`, "d", surfaces.Denoised{}},
		{"a region that holds controls is none for its tab stop", `<div role=toolbar tabindex=0><button>a</button></div><div role=menu tabindex=0 style="cursor:pointer">b</div>`, `button "a", button "b"`, "", surfaces.Denoised{}},
		{"SF-30 a React handler, and mouse-down alone", `<div id=a>press</div><div id=b>drag</div><div id=c>wide<p>text</div><script>
a.__reactProps$q={onClick(){}};b.__reactProps$q={onMouseDown(){}};c.__reactProps$q={onClick(){}};c.style.height='700px'</script>`, `button "press"`, "drag|wide|text", surfaces.Denoised{}},
		{"SF-30 onPress, and a handler swallows nothing", `<div id=a>Card <button>Buy</button></div><script>a.__reactProps$q={onPress(){}}</script>`, `button "Card Buy", button "Buy"`, "", surfaces.Denoised{}},
		{"SF-30 Preact's listeners", `<div id=a>l</div><div id=b>old</div><div id=c>no</div><script>a.l={clickfalse(){}};b._listeners={click(){}};c.l={mousedownfalse(){}}</script>`, `button "l", button "old"`, "no", surfaces.Denoised{}},
		{"a handler set by script", `<div id=a>press</div><script>a.onclick=()=>{}</script>`, `button "press"`, "", surfaces.Denoised{}},
		{"a claimed control around a native one", `<div role=button><button>Go</button></div><div role=tab aria-selected=true><button>One</button></div>`, `button "Go", tab "One"`, "", surfaces.Denoised{}},
		{"what is pressed apart from the row it stands in", `<div onclick="1">Mail from Bo <i title=Keep onclick="1" style="display:inline-block;width:9px;height:9px"></i><b>unread</b></div><ul><li onclick="1">File<ul><li onclick="1">Open<li onclick="1">Export<ul><li onclick="1">PDF</ul></ul></ul><button>Go <i onclick="1">on</i></button>`, `button "Mail from Bo unread", button "Keep", listitem "File", listitem "Open", listitem "Export", listitem "PDF", button "Go on"`, "", surfaces.Denoised{}},

		// What is drawn.
		{"what is not drawn", `<button style="display:none">a</button><button style="visibility:hidden">b</button><button style="opacity:0">c</button><button style="width:0;height:0;padding:0;border:0;overflow:hidden">d</button><div style="visibility:hidden"><button style="visibility:visible">e</button></div>`, `button "e"`, "", surfaces.Denoised{}},
		{"aria-hidden and seen all the same", `<div aria-hidden=true` + big + `><button>on top</button></div><div aria-hidden=true style="position:absolute;top:3000px"><button>below</button></div>`, `button "on top", button "below"`, "", surfaces.Denoised{}},
		{"SF-49 aria-hidden and out of sight", `<div aria-hidden=true style="position:fixed;left:2000px;top:0;width:200px;height:90px"><button>aside</button></div><div style="position:relative;width:400px;height:80px"><div aria-hidden=true style="position:absolute;inset:0"><button>behind</button></div><div style="position:absolute;inset:0;background:#fff">front</div></div>`, ``, "front", surfaces.Denoised{Hidden: 2}},
		{"SF-49 inert, and clipped words for screen readers", `<div inert><button>a</button></div><span style="position:absolute;clip:rect(0 0 0 0);width:1px;height:1px;overflow:hidden"><a href=/x>b</a></span><span style="position:absolute;clip-path:inset(50%)">c</span><span style="position:absolute;width:1px;height:1px;overflow:hidden">d</span><button>e</button>`, `button "e"`, "", surfaces.Denoised{Hidden: 4}},
		{"texts far below, and what comes back up after them", `near<div style="height:9000px"></div><p>far</p><p>farther</p><div style="position:absolute;top:90px">laid over</div>`, ``, "near|laid over", surfaces.Denoised{}},
		{"a text far below in a box that ends above it", `<div style="height:40px;overflow:auto"><div style="height:9000px"></div><p>far</p></div><p>after</p>`, ``, "after", surfaces.Denoised{}},
		{"a text far below in what floats", `<div style="float:left;width:90px"><div style="height:9000px"></div><p>far</p></div><p>beside</p>`, ``, "beside", surfaces.Denoised{}},
		{"a text far below in a cell, and in a box of a row", `<table style="float:left"><tr><td><div style="height:9000px"></div><p>far</p><td style="vertical-align:top">level</table><div style="display:flex"><div><div style="height:9000px"></div><p>far</p></div><div>in line</div></div>`, ``, "level|in line", surfaces.Denoised{}},
		{"a text far below in columns", `<div style="columns:2;height:9000px;column-fill:auto"><div style="height:8900px"></div><p>far</p><p style="break-before:column;margin:0">beside</p></div>`, ``, "beside", surfaces.Denoised{}},

		// Names.
		{"a field's name, in order", `<label for=a>tied</label><input id=a aria-label=x placeholder=y><br><input aria-label=said placeholder=y><br><input placeholder=held title=z><br><input title=titled>`, `textbox "tied", textbox "said", textbox "held", textbox "titled"`, "tied", surfaces.Denoised{}},
		{"a layout names a field only where nothing else does", `<div>Date: <input placeholder="mm/dd/yyyy"></div><div style="height:60px"></div><div><input placeholder="__:__"></div><div style="height:60px"></div><div>Who? <input placeholder="Name"></div>`, `textbox "Date:", textbox "__:__", textbox "Name"`, "Date:|Who?", surfaces.Denoised{}},
		{"a link to its own page is not named by the page's address", `<script>history.replaceState(0,'','/prices')</script><a href="#">&gt;</a> <a href="/prices#top"><svg width=9 height=9></svg></a> <a href="/men/shoes"><svg width=9 height=9></svg></a>`, `link ">", link "", link "shoes"`, "", surfaces.Denoised{}},
		{"words inside, left of, and above a field", `<div style="position:relative;height:40px"><input style="width:200px;height:30px"><span style="position:absolute;left:8px;top:9px;pointer-events:none">inside</span></div>
<div style="height:30px">left <input></div><div style="height:20px;margin-top:40px">above</div><input style="display:block">`, `textbox "inside", textbox "left", textbox "above"`, "inside|left|above", surfaces.Denoised{}},
		{"a tick is named by what stands right of it", `<div>left <input type=checkbox> right</div>`, `checkbox "right"`, "left|right", surfaces.Denoised{}},
		{"words of an advertisement name nothing", `<div class=top-ad style="height:20px">Best price</div><input style="display:block">`, `textbox ""`, "", surfaces.Denoised{Ads: 1}},
		{"a wordless control, in order", `<button aria-label=said title=t><svg width=9 height=9></svg></button><button><span style="position:absolute;clip:rect(0 0 0 0);width:1px;height:1px;overflow:hidden">clipped</span><svg width=9 height=9></svg></button><button title=titled><svg width=9 height=9></svg></button><a href=/x><img alt=pictured width=9 height=9></a><button class=btn-search><svg width=9 height=9></svg></button><a href="/men/shoes-and-boots"><svg width=9 height=9></svg></a>`, `button "said", button "clipped", button "titled", link "pictured", button "search", link "shoes and boots"`, "", surfaces.Denoised{Hidden: 1}},
		{"a dropdown's words name no block around it", `<label>Size <select><option>Small<option>Large</select></label><div role=button>Sort <ul><li><button>Price</button></li></ul></div>`, `combobox "Size", option "Small", option "Large", button "Sort", button "Price"`, "Size", surfaces.Denoised{}},

		// One control per thing seen.
		{"a wrapper of the same box", `<div tabindex=0 aria-label=Wrap style="width:200px;height:40px"><button style="width:200px;height:40px">Go</button></div>`, `button "Go"`, "", surfaces.Denoised{}},
		{"a text entry beats its wrapper", `<div tabindex=0 style="width:210px"><input aria-label=City style="width:200px"></div>`, `textbox "City"`, "", surfaces.Denoised{}},
		{"two of one kind in one label", `<label><input type=radio name=r> One <span role=radio aria-checked=false>o</span></label>`, `radio "One o"`, "One", surfaces.Denoised{}},
		{"a link around a button", `<a href=/up><button>Both</button></a>`, `button "Both"`, "", surfaces.Denoised{}},

		// Texts.
		{"words beside controls, within a screen", `<p>One<p>Two <b>three</b><p style="position:absolute;top:1500px">near<p style="position:absolute;top:1700px">far<button>x</button>`, `button "x"`, "One|Two three|near", surfaces.Denoised{}},
		{"a canvas is named as such", `<canvas aria-label="Sales" width=200 height=90></canvas><canvas width=9 height=9></canvas>`, ``, `canvas "Sales", drawn: what it shows cannot be read`, surfaces.Denoised{}},

		// Noise.
		{"SF-46 advertisements by word, address and mark", `<div class=top-ad><a href=/a>a</a></div><div id=adSlot>b</div><div class=SPONSORED-box>c</div><a href="https://x.doubleclick.net/c">d</a><iframe src="https://ads.taboola.com/" width=300 height=90></iframe><ins data-ad-slot=1>e</ins><header><a href=/h>header</a></header><a class=download href=/d>download</a><p class=css-1ad4k9>kept</p><p class=ad-x1>kept too</p>`, `link "header", link "download"`, "kept|kept too", surfaces.Denoised{Ads: 6}},
		{"SF-46 a label of its own takes its block along", `<main><div><span>Advertisement</span><a href=/car>Car</a></div><div><a href=/b>Bike</a></div></main>`, `link "Bike"`, "", surfaces.Denoised{Ads: 1}},
		{"SF-46 a pixel", `<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"><p>x`, ``, "x", surfaces.Denoised{Ads: 1}},
		{"SF-46 a list as large as the page is none", `<ul class=ads-list style="height:700px"><li><a href=/1>Bike for sale</a></li></ul>`, `link "Bike for sale"`, "", surfaces.Denoised{}},
		{"SF-47 a cookie banner", `<div class="ad ads-box">We use cookies <button>Accept</button></div><div class=sponsor id=newsletter><button>Join</button></div>`, `button "Accept", button "Join"`, "We use cookies", surfaces.Denoised{}},
		{"SF-48 inside a dialog", `<div role=dialog aria-label=Offer style="position:fixed;inset:100px"><div class=ad-slot><button>Deal</button></div></div>`, `button "Deal"`, "", surfaces.Denoised{}},
		{"blank boxes", `<div tabindex=0 style="width:90px;height:40px"></div><div style="cursor:pointer;width:90px;height:40px"></div><button style="width:90px;height:40px"></button><div role=button style="width:90px;height:40px"></div><div tabindex=0><img width=20 height=20></div>`, `button "", button "", button ""`, "", surfaces.Denoised{Empty: 2}},

		// Shadow roots and frames.
		{"SF-50 shadow hosts, one inside another", `<x-outer aria-label=Player></x-outer><button>Own</button><script>
const o=document.querySelector('x-outer').attachShadow({mode:'open'});o.innerHTML='<button>A</button><x-inner></x-inner><p>words';
o.querySelector('x-inner').attachShadow({mode:'open'}).innerHTML='<button>B</button>'</script>`, `button "Own", button "A", button "B"`, "words", surfaces.Denoised{}},
		{"SF-50 slotted content once", `<x-box><button>Given</button></x-box><x-press>Save</x-press><script>
document.querySelector('x-box').attachShadow({mode:'open'}).innerHTML='<div><slot></slot></div>';
document.querySelector('x-press').attachShadow({mode:'open'}).innerHTML='<button><slot></slot></button>'</script>`, `button "Given", button "Save"`, "", surfaces.Denoised{}},
		{"what no slot takes is not drawn", `<x-box><button>Lost</button></x-box><script>document.querySelector('x-box').attachShadow({mode:'open'}).innerHTML='<p>x'</script>`, ``, "x", surfaces.Denoised{}},
		{"frames of this origin, one inside another", `<iframe title=Outer srcdoc="<button>A</button><iframe srcdoc='<button>B</button>'></iframe>"></iframe><button>Own</button>`, `button "Own", button "A", button "B"`, "", surfaces.Denoised{}},
		{"labels and ids within a shadow root", `<x-f></x-f><b id=n>Wrong</b><script>document.querySelector('x-f').attachShadow({mode:'open'}).innerHTML='<b id=n>Right</b><input aria-labelledby=n>'</script>`, `textbox "Right"`, "Wrong|Right", surfaces.Denoised{}},
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
			if got := strings.Join(seen(screen), ", "); got != r.controls {
				t.Errorf("controls %s\nwant     %s", got, r.controls)
			}
			if got := strings.Join(screen.Context, "|"); got != r.context {
				t.Errorf("context %q, want %q", got, r.context)
			}
			if got := s.Denoised(); got != r.noise {
				t.Errorf("left out %+v, want %+v", got, r.noise)
			}
		})
	}
}

// What is read inside a shadow root or a frame can be pressed and typed into.
func TestSF50WhatIsNestedIsPressed(t *testing.T) {
	s := show(t, `<x-outer aria-label=Player></x-outer><iframe style="position:absolute;top:1200px;left:50px" srcdoc="<p style='height:400px'>x</p><button onclick=&quot;top.document.title='framed'&quot;>In frame</button><input aria-label=Box>"></iframe><script>
document.querySelector('x-outer').attachShadow({mode:'open'}).innerHTML='<button onclick="document.title=\'shadowed\'">In shadow</button><input aria-label=Deep>'</script>`)
	screen := observe(t, s)
	in := pick(t, screen, "button", "In shadow")
	if !slices.Equal(in.Path, []string{`x-outer "Player"`}) || !slices.Equal(pick(t, screen, "button", "In frame").Path, []string{"frame"}) {
		t.Errorf("paths: %s", all(screen))
	}
	for name, title := range map[string]string{"In shadow": "shadowed", "In frame": "framed"} {
		must(t, s.Execute(t.Context(), surfaces.Click, pick(t, screen, "button", name), ""))
		if got := script(t, s, "document.title"); got != title {
			t.Errorf("%s: the title is %q", name, got)
		}
	}
	for _, name := range []string{"Deep", "Box"} {
		box := pick(t, screen, "textbox", name)
		must(t, s.Execute(t.Context(), surfaces.TypeText, box, "hello"))
		if got, ok := s.ReadValue(t.Context(), box); !ok || got != "hello" {
			t.Errorf("%s holds %q", name, got)
		}
	}
	if d := pick(t, observe(t, s), "button", "In frame").Bounds; d.X < 50 {
		t.Errorf("its box is not moved: %v", d)
	}
}
