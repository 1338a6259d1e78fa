package browser

import (
	"fmt"
	"strings"
	"testing"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// elsewhere spells a server's address so that the browser takes it for another
// site, and gives its frames a process of their own.
func elsewhere(address string) string { return strings.Replace(address, "127.0.0.1", "localhost", 1) }

// SF-51: a frame of another site runs in its own process; one of another port of
// this site does not. The script reads both inside them, and presses land.
func TestSF51FramesOfOtherOrigins(t *testing.T) {
	theirs := serve(t, map[string]string{
		"pay":  `<title>Pay</title><label>Card <input></label><button onclick="this.textContent='Paid '+document.querySelector('input').value">Pay</button><label><input type=checkbox> Keep</label>`,
		"deep": fmt.Sprintf(`<iframe src="/pay" title="Card"></iframe><iframe src="%s" title="Again"></iframe>`, "/pay"),
	})
	for _, row := range []struct{ name, site string }{{"of another site", elsewhere(theirs.URL)}, {"of another port", theirs.URL}} {
		t.Run(row.name, func(t *testing.T) {
			s := show(t, fmt.Sprintf(`<p>Before</p><div style="height:900px"></div><iframe title="Card details" src="%s/pay" style="margin:40px 0 0 60px;width:500px;height:200px;border:7px solid;padding:5px"></iframe><button>Own</button>`, row.site))
			screen := observe(t, s)
			pay := pick(t, screen, "button", "Pay")
			last := &screen.Candidates[len(screen.Candidates)-1]
			if screen.Candidates[0].Name != "Own" || last.Name != "Keep" || !strings.HasPrefix(pay.Ref, "seen:") || !strings.Contains(pay.Ref, ".") {
				t.Errorf("order and refs: %s", all(screen))
			}
			if host := strings.TrimPrefix(row.site, "http://"); len(pay.Path) != 1 || pay.Path[0] != `frame "Card details" of `+host {
				t.Errorf("path %q", pay.Path)
			}
			if pay.Bounds.X < 60 || !pay.Has(surfaces.Offscreen) {
				t.Errorf("it is at %v, %v", pay.Bounds, pay.States)
			}
			must(t, s.Execute(t.Context(), surfaces.TypeText, pick(t, screen, "textbox", "Card"), "4111"))
			if got, ok := s.ReadValue(t.Context(), pick(t, screen, "textbox", "Card")); !ok || got != "4111" {
				t.Errorf("the field holds %q, %v", got, ok)
			}
			must(t, s.Execute(t.Context(), surfaces.Check, pick(t, screen, "checkbox", "Keep"), ""))
			must(t, s.Execute(t.Context(), surfaces.Click, pay, ""))
			after := observe(t, s)
			if again := pick(t, after, "button", "Paid 4111"); again.Ref != pay.Ref {
				t.Errorf("the ref changed from %s to %s", pay.Ref, again.Ref)
			}
			if !pick(t, after, "checkbox", "Keep").Has(surfaces.Checked) {
				t.Error("it is not ticked")
			}
			part, r := s.Observe(t.Context(), "", pay.Ref, surfaces.Full)
			if r != nil || len(part.Candidates) != 1 || part.Candidates[0].Ref != pay.Ref {
				t.Errorf("read alone: %v, %+v", r.Err(), part)
			}
		})
	}
	t.Run("a layer over the frame keeps the press from it", func(t *testing.T) {
		s := show(t, fmt.Sprintf(`<iframe src="%s/pay" style="width:500px;height:200px"></iframe><div role=dialog aria-label=Offer style="position:fixed;inset:0;background:#fff" onclick="document.title='pressed'">x</div>`, elsewhere(theirs.URL)))
		pay := pick(t, observe(t, s), "button", "Pay")
		if !pay.Has(surfaces.Covered) {
			t.Errorf("states %v", pay.States)
		}
		r := s.Execute(t.Context(), surfaces.Click, pay, "")
		wants(t, r, fault.NotActionable, surfaces.NotDelivered)
		if got := script(t, s, "document.title"); got != "Test" {
			t.Errorf("the layer was pressed: %q", got)
		}
	})
	t.Run("a frame that went away is stale", func(t *testing.T) {
		s := show(t, fmt.Sprintf(`<iframe src="%s/pay" style="width:500px;height:200px"></iframe>`, elsewhere(theirs.URL)))
		pay := pick(t, observe(t, s), "button", "Pay")
		script(t, s, "document.querySelector('iframe').remove()")
		wants(t, s.Execute(t.Context(), surfaces.Click, pay, ""), fault.StaleRef, surfaces.NotDelivered)
		if got := observe(t, s); len(got.Candidates) != 0 {
			t.Errorf("%s", all(got))
		}
	})
	t.Run("a frame in a frame", func(t *testing.T) {
		s := show(t, fmt.Sprintf(`<iframe src="%s/deep" style="width:900px;height:600px"></iframe>`, elsewhere(theirs.URL)))
		n := 0
		for _, c := range observe(t, s).Candidates {
			if c.Name == "Pay" {
				n++
				must(t, s.Execute(t.Context(), surfaces.Click, &c, ""))
			}
		}
		if n != 2 {
			t.Errorf("%d buttons were read and pressed, want 2", n)
		}
	})
}

// A frame of another site is read, and acted in only when the list has its site:
// 8.6 speaks of the document that is acted in, not of the page around it.
func TestFramesOutsideTheListAreOnlyRead(t *testing.T) {
	theirs := serve(t, map[string]string{"pay": `<title>Pay</title><form action="/sent"><label>Card <input id=c autofocus></label></form>
<button onclick="document.title='pressed'">Pay</button><label><input type=checkbox> Keep</label>
<select aria-label=Month><option>May<option>June</select>
<script>for (const e of ['input','keydown','pointerdown','click','focusin']) addEventListener(e, () => parent.postMessage(e, '*'))</script>`})
	pages := fmt.Sprintf(`<script>window.heard=[];addEventListener('message', (e) => heard.push(e.data))</script><button>Own</button>
<iframe title="Card" src="%s/pay" style="width:500px;height:200px"></iframe>`, elsewhere(theirs.URL))
	ours := serve(t, map[string]string{"": pages, "around": strings.NewReplacer("<iframe", `<div role=button aria-label=Around onclick="1"><iframe tabindex=0`, "500px", "100%").Replace(pages)})
	foreign := strings.TrimSuffix(elsewhere(theirs.URL), "/")
	heard := func(t *testing.T, s *Side) string { return script(t, s, "heard.join()") }

	t.Run("not on the list", func(t *testing.T) {
		s := tabOf(t, surfaces.Needs{Origins: []string{ours.URL}}, Options{})
		must(t, s.Navigate(t.Context(), ours.URL))
		screen := observe(t, s)
		pay, card := pick(t, screen, "button", "Pay"), pick(t, screen, "textbox", "Card")
		if site, at := screen.Site(card); site != foreign || at != foreign+"/pay" || card.Destination != foreign+"/sent" {
			t.Errorf("the field stands on %q, %q and leads to %q", site, at, card.Destination)
		}
		if own, _ := screen.Site(pick(t, screen, "button", "Own")); own != ours.URL || surfaces.FieldOf(screen, card).Origin != foreign {
			t.Errorf("own %q, place %+v", own, surfaces.FieldOf(screen, card))
		}
		before := heard(t, s)
		for name, r := range map[string]*surfaces.Reply{
			"click":  s.Execute(t.Context(), surfaces.Click, pay, ""),
			"type":   s.Execute(t.Context(), surfaces.TypeText, card, "4111"),
			"paste":  s.Paste(t.Context(), "", card, "4111"),
			"check":  s.Execute(t.Context(), surfaces.Check, pick(t, screen, "checkbox", "Keep"), ""),
			"choose": s.Execute(t.Context(), surfaces.Click, pick(t, screen, "option", "June"), ""),
			"scroll": s.Execute(t.Context(), surfaces.Scroll, pay, ""),
		} {
			wants(t, r, fault.PolicyDenied, surfaces.NotDelivered)
			if r.Error != nil && !strings.Contains(r.Error.Hint, foreign) {
				t.Errorf("%s: the hint names no origin: %q", name, r.Error.Hint)
			}
		}
		if v, ok := s.ReadValue(t.Context(), card); !ok || v != "" {
			t.Errorf("the field holds %q, %v", v, ok)
		}
		if got := heard(t, s); got != before {
			t.Errorf("the frame was told %q", got)
		}
	})
	t.Run("keys to a frame that took the focus", func(t *testing.T) {
		s := tabOf(t, surfaces.Needs{Origins: []string{ours.URL}}, Options{})
		must(t, s.Navigate(t.Context(), ours.URL))
		must(t, s.Press(t.Context(), "", "escape"))
		script(t, s, "document.querySelector('iframe').focus()")
		before := heard(t, s)
		wants(t, s.Press(t.Context(), "", "x"), fault.PolicyDenied, surfaces.NotDelivered)
		wants(t, s.Execute(t.Context(), surfaces.TypeText, nil, "4111"), fault.NotATextField, surfaces.NotDelivered)
		if got := heard(t, s); got != before {
			t.Errorf("the frame was told %q", got)
		}
	})
	t.Run("through what stands around it", func(t *testing.T) {
		s := tabOf(t, surfaces.Needs{Origins: []string{ours.URL}}, Options{})
		must(t, s.Navigate(t.Context(), ours.URL+"/around"))
		screen := observe(t, s)
		before := heard(t, s)
		wants(t, s.Execute(t.Context(), surfaces.Click, pick(t, screen, "button", "Around"), ""), fault.NotActionable, surfaces.NotDelivered)
		if got := heard(t, s); got != before {
			t.Errorf("the frame was told %q", got)
		}
	})
	t.Run("on the list", func(t *testing.T) {
		s := tabOf(t, surfaces.Needs{Origins: []string{ours.URL, foreign}}, Options{})
		must(t, s.Navigate(t.Context(), ours.URL))
		screen := observe(t, s)
		card := pick(t, screen, "textbox", "Card")
		must(t, s.Execute(t.Context(), surfaces.TypeText, card, "4111"))
		must(t, s.Press(t.Context(), "", "1"))
		if v, ok := s.ReadValue(t.Context(), card); !ok || v != "41111" {
			t.Errorf("the field holds %q, %v", v, ok)
		}
		must(t, s.Execute(t.Context(), surfaces.Click, pick(t, screen, "button", "Pay"), ""))
	})
}

// What nobody can look into and fills a fifth of the window makes the reading one
// of the accessibility tree.
func TestSF51WhatIsShutIsReadFromTheTree(t *testing.T) {
	const shut = `<button>Own</button><x-app style="display:block;width:700px;height:400px"></x-app><script>
const root=document.querySelector('x-app').attachShadow({mode:'closed'});
root.innerHTML='<main><h2>Order</h2><label>City <input id=c></label><label>Secret <input type=password value=hunter2></label><ul><li><button>Go</button></li></ul><button disabled>Never</button></main>';
root.querySelector('button').onclick=()=>{document.title='gone to '+root.querySelector('input').value}
</script>`
	s := show(t, shut)
	screen := observe(t, s)
	goes := pick(t, screen, "button", "Go")
	if !strings.HasPrefix(goes.Ref, "ax:") || !strings.HasSuffix(strings.Join(goes.Path, "/"), "main/list/listitem #1") || has(screen, "button", "Never") != nil {
		t.Errorf("%s", all(screen))
	}
	pick(t, screen, "button", "Own")
	if strings.Contains(fmt.Sprint(screen), "hunter2") || strings.Contains(fmt.Sprint(screen), "•••") {
		t.Errorf("the password is in the reading: %+v", screen)
	}
	if got := s.Denoised(); got != (surfaces.Denoised{}) {
		t.Errorf("a tree reading counts %+v", got)
	}
	must(t, s.Execute(t.Context(), surfaces.TypeText, pick(t, screen, "textbox", "City"), "Graz"))
	must(t, s.Execute(t.Context(), surfaces.Click, goes, ""))
	after := observe(t, s)
	if after.Window != "gone to Graz" {
		t.Errorf("window %q", after.Window)
	}
	wants(t, s.Execute(t.Context(), surfaces.Click, goes, ""), fault.StaleRef, surfaces.NotDelivered)
	t.Run("a small one is none", func(t *testing.T) {
		small := show(t, strings.ReplaceAll(shut, "width:700px", "width:200px"))
		if c := pick(t, observe(t, small), "button", "Own"); !strings.HasPrefix(c.Ref, "seen:") {
			t.Errorf("ref %s", c.Ref)
		}
	})
	t.Run("perception tree", func(t *testing.T) {
		tree := tabOf(t, surfaces.Needs{}, Options{Tree: true})
		must(t, tree.Navigate(t.Context(), serve(t, map[string]string{"": `<nav><a href=/x>Home</a></nav><select aria-label=Land><option>A<option>B</select>`}).URL))
		screen := observe(t, tree)
		if c := pick(t, screen, "link", "Home"); !strings.HasPrefix(c.Ref, "ax:") || strings.Join(c.Path, "/") != "navigation" {
			t.Errorf("%s", all(screen))
		}
		pick(t, screen, "combobox", "Land")
	})
}
