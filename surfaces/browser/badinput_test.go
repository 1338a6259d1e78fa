package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// What a page can do to its own world to mislead or hold whoever looks at it.
const poison = `<script>
const liar = () => { throw new Error('poisoned') };
Array.prototype.map = Array.prototype.filter = Array.prototype.push = Array.prototype.some = Array.prototype.join = liar;
JSON.stringify = () => '{"href":"x","out":{"controls":[{"ref":1,"role":"button","name":"Lie"}]}}';
window.getComputedStyle = () => ({ display: 'none', visibility: 'hidden', cursor: 'pointer' });
Element.prototype.getBoundingClientRect = () => ({ x: 0, y: 0, left: 0, top: 0, right: 9, bottom: 9, width: 9, height: 9 });
Element.prototype.getAttribute = () => 'lie';
Element.prototype.closest = Element.prototype.matches = Document.prototype.elementFromPoint = () => document.body;
Document.prototype.querySelectorAll = Element.prototype.querySelectorAll = () => [];
Object.defineProperty(Node.prototype, 'firstChild', { get: () => null });
Object.defineProperty(Node.prototype, 'textContent', { get: () => 'lie' });
String.prototype.trim = String.prototype.replace = RegExp.prototype.test = Object.keys = Map.prototype.get = Set.prototype.has = liar;
EventTarget.prototype.addEventListener = liar;
window.desk = { run: () => 'lie', verbs: {}, lib: {} };
</script>`

// Whatever a page is made of, it is read within its limits, and no worse.
func TestBadInputIsRead(t *testing.T) {
	s := tabOf(t, surfaces.Needs{}, Options{Timeout: patience}) // the browser itself takes long over them
	kb := strings.Repeat("long name ", 1024)
	rows := []struct {
		name string
		body string
		see  func(t *testing.T, screen *surfaces.Screen)
	}{
		{"50,000 nodes", `<style>p{margin:0;font-size:2px;line-height:2px}</style><div id=d></div><button>Late</button><script>d.innerHTML=Array.from({length:50000},(_, i)=>'<p>word '+i).join('')</script>`, func(t *testing.T, screen *surfaces.Screen) {
			pick(t, screen, "button", "Late")
		}},
		{"5 MB of text in one node", `<button id=b>Go</button><p id=p style="height:99px;overflow:hidden;contain:strict"></p><script>p.textContent='word '.repeat(1<<20)</script>`, func(t *testing.T, screen *surfaces.Screen) {
			pick(t, screen, "button", "Go")
			if len(screen.Context) == 0 || len(screen.Context[0]) > maxText {
				t.Errorf("context %.100q", screen.Context)
			}
		}},
		{"names of 10 KB", fmt.Sprintf(`<button>%[1]s</button><input aria-label="%[1]s"><a href="/%[1]s" title="%[1]s"><svg></svg></a><section aria-label="%[1]s"><button class="%[1]s">x</button></section>`, kb), func(t *testing.T, screen *surfaces.Screen) {
			for _, c := range screen.Candidates {
				if len(c.Name) > maxName || len(c.Description) > maxText || len(strings.Join(c.Path, "")) > 2*maxName {
					t.Errorf("%.300v", c)
				}
			}
			if len(screen.Candidates) != 4 {
				t.Errorf("%d controls", len(screen.Candidates))
			}
		}},
		{"labels and owners in a circle", `<button id=a aria-labelledby="b a">One</button><button id=b aria-labelledby="a b" aria-owns=a>Two</button><div role=listbox id=l aria-owns="l m"><div role=option id=m aria-owns=l>Three</div></div>`, func(t *testing.T, screen *surfaces.Screen) {
			pick(t, screen, "button", "One")
			pick(t, screen, "button", "Two")
			pick(t, screen, "option", "Three")
		}},
		{"elements 1,000 deep", `<div id=d></div><button>Beside</button><script>let e=d;for(let i=0;i<1000;i++){const n=document.createElement('div');e.append(n);e=n}e.innerHTML='<button>Deep</button>'</script>`, func(t *testing.T, screen *surfaces.Screen) {
			pick(t, screen, "button", "Beside")
		}},
		{"poisoned prototypes", `<p>Text</p><button>Go</button><a href=/x style="display:block;width:200px">Link</a><x-s></x-s><script>document.querySelector('x-s').attachShadow({mode:'open'}).innerHTML='<button>In</button>'</script>` + poison, func(t *testing.T, screen *surfaces.Screen) {
			if got := strings.Join(seen(screen), ", "); got != `button "Go", link "Link", button "In"` || strings.Join(screen.Context, "|") != "Text" {
				t.Errorf("seen %s, %q", got, screen.Context)
			}
		}},
		{"a page that keeps whoever looks into its own world", `<button>Go</button><script>Document.prototype.querySelectorAll=()=>({*[Symbol.iterator](){for(;;)yield document.body}})</script>`, func(t *testing.T, screen *surfaces.Screen) {
			pick(t, screen, "button", "Go")
		}},
		{"a page that claims handlers everywhere", `<p>Words</p><button>Go</button><script>Object.keys=()=>['__reactProps$x'];Object.prototype.__reactProps$x={onClick(){}}</script>`, func(t *testing.T, screen *surfaces.Screen) {
			pick(t, screen, "button", "Go") // what it claims can add, never hide
		}},
		{"marks the page set itself", `<button data-desk-seen=999999999999>A</button><button data-desk-seen=7>B</button><button data-desk-seen=7>C</button><button data-desk-seen="x&quot;]">D</button>`, func(t *testing.T, screen *surfaces.Screen) {
			refs := map[string]bool{}
			for _, c := range screen.Candidates {
				refs[c.Ref] = true
			}
			if len(refs) != 4 {
				t.Errorf("%s", all(screen))
			}
		}},
		{"controls replaced on every frame", `<div id=d></div><script>const f=()=>{d.innerHTML='<button>Go</button>';requestAnimationFrame(f)};f()</script>`, func(t *testing.T, screen *surfaces.Screen) {
			c := pick(t, screen, "button", "Go")
			if r := s.Execute(t.Context(), surfaces.Click, c, ""); r.OK || r.Code() != fault.StaleRef {
				t.Errorf("a click on what is gone: %v", r.Err())
			}
		}},
		{"controls moving on every frame", `<button id=b style="position:absolute" onclick="document.title='pressed'">Go</button><button style="position:absolute;top:300px;left:0;width:600px;height:60px" onclick="document.title='wrong'">Other</button><script>let i=0;const f=()=>{b.style.left=(i+=37)%500+'px';requestAnimationFrame(f)};f()</script>`, func(t *testing.T, screen *surfaces.Screen) {
			s.Execute(t.Context(), surfaces.Click, pick(t, screen, "button", "Go"), "")
			if got := script(t, s, "document.title"); got == "wrong" {
				t.Error("the press landed on something else")
			}
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
			r.see(t, observe(t, s))
		})
	}
}

// A policy that forbids eval and every script keeps the page's scripts out, not
// ours.
func TestReadingUnderAStrictPolicy(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'none'; sandbox allow-same-origin allow-forms; require-trusted-types-for 'script'")
		_, _ = w.Write([]byte("<!doctype html><title>Strict</title><label>Name <input></label><details><summary>More</summary>Inside</details>"))
	}))
	t.Cleanup(server.Close)
	s := tabOf(t, surfaces.Needs{}, Options{})
	must(t, s.Navigate(t.Context(), server.URL))
	box := pick(t, observe(t, s), "textbox", "Name")
	must(t, s.Execute(t.Context(), surfaces.TypeText, box, "Ada"))
	must(t, click(t, s, "button", "More"))
	screen := observe(t, s)
	if !pick(t, screen, "button", "More").Has(surfaces.Expanded) || pick(t, screen, "textbox", "Name").Value != "Ada" {
		t.Errorf("%s", all(screen))
	}
}

// SF-06 for a reading: a page whose own script never ends holds it no longer
// than its time.
func TestReadingEndsWithItsTime(t *testing.T) {
	s := show(t, `<button>Go</button>`)
	observe(t, s)
	script(t, s, "setTimeout(()=>{const until=Date.now()+4000;while(Date.now()<until);},0)")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, r := s.Observe(ctx, "", "", surfaces.Full); r != nil && r.Code() != fault.Timeout {
		t.Errorf("answered %v", r.Err())
	}
	pick(t, observe(t, s), "button", "Go")
}
