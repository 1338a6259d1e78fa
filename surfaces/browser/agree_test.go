package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"

	"countersign/surfaces"
)

// treeSays lists role "name" of what the browser's own accessibility tree calls a
// control that can be used, in its order.
func treeSays(t *testing.T, s *Side) []string {
	t.Helper()
	all, err := call(t.Context(), s.tab, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, n := range all.Nodes {
		role := word(n.Role)
		switch role {
		case "DisclosureTriangle":
			role = "button"
		case "menuitemcheckbox":
			role = "checkbox"
		case "menuitemradio":
			role = "radio"
		case "button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "option", "treeitem", "slider", "gridcell", "textbox",
			"searchbox", "combobox", "spinbutton":
		default:
			continue
		}
		if !n.Ignored && property(n, accessibility.PropertyNameDisabled) != "true" {
			out = append(out, fmt.Sprintf("%s %q", role, clip(squash(word(n.Name)), maxName)))
		}
	}
	return out
}

// The browser's accessibility tree and the sight agree on what a control is and
// how it is called. Where they do not, the table says why: with - what the tree
// alone says, with + what the sight alone says.
func TestSightAgreesWithTheTree(t *testing.T) {
	s := tabOf(t, surfaces.Needs{}, Options{})
	rows := []struct {
		name    string
		body    string
		differs map[string]string // what, and why
	}{
		{"a form", `<form><label for=a>First name</label><input id=a><label>Mail <input type=email></label><input type=search aria-label=Find><label>Land <select><option>Austria<option>Germany</select></label><label><input type=checkbox> Agree</label><fieldset><legend>Pay</legend><label><input type=radio name=p>Card</label><label><input type=radio name=p>Invoice</label></fieldset><label>Count <input type=number></label><label>Note <textarea></textarea></label><input type=range aria-label=Volume><button>Send</button><input type=submit value=Save><input type=reset></form>`, nil},
		{"navigation", `<nav aria-label=Main><ul><li><a href=/a>Home</a><li><a href=/b aria-current=page>Bikes</a><li><a href=/c><img alt=Cart width=9 height=9></a></ul></nav><a href=/d title=Profile><svg width=9 height=9></svg></a><a href=/e aria-label="Read more about bikes">Read more</a>`, map[string]string{
			`- link "Read more about bikes"`: "the words shown are the name, a label that says more is the description",
			`+ link "Read more"`:             "the same control",
		}},
		{"labels by reference", `<h2 id=h>Billing</h2><span id=n>Street</span><input aria-labelledby="h n"><button aria-labelledby=n>x</button><button id=self aria-label=Delete aria-labelledby="self n"><svg width=9 height=9></svg></button>`, map[string]string{
			`- button "Street"`: "the words shown are the name",
			`+ button "x"`:      "the same control",
		}},
		{"widgets", `<div role=tablist><button role=tab aria-selected=true>One</button><button role=tab>Two</button></div><div role=menu><div role=menuitem tabindex=0>Open</div><div role=menuitemcheckbox aria-checked=true tabindex=0>Wrap</div></div><div role=switch tabindex=0 aria-checked=false>Dark</div><ul role=tree aria-label=Files><li role=treeitem tabindex=0>src</li></ul><div role=slider tabindex=0 aria-label=Zoom aria-valuenow=3 style="height:9px"></div><details><summary>More</summary>x</details><div role=listbox aria-label=Sort><div role=option tabindex=0>Price</div></div>`, nil},
		{"icons and clipped words", `<button aria-label=Close><svg width=9 height=9></svg></button><button><span style="position:absolute;clip:rect(0 0 0 0);width:1px;height:1px;overflow:hidden">Search</span><svg width=9 height=9></svg></button><button class=icon-menu><svg width=9 height=9></svg></button><button title=Help><svg width=9 height=9></svg></button>`, map[string]string{
			`- button ""`:     "the tree does not look at classes",
			`+ button "menu"`: "an icon by its class",
		}},
		{"what cannot be used, or is not drawn", `<button disabled>A</button><button style="display:none">B</button><button style="visibility:hidden">C</button><div inert><button>D</button></div><button hidden>E</button><a>F</a><input type=hidden>`, nil},
		{"clickable without a role", `<div onclick="1">Card</div><span style="cursor:pointer">Open</span><div tabindex=0>Stop</div>`, map[string]string{
			`+ button "Card"`: "pressed, whatever its markup declares",
			`+ button "Open"`: "likewise", `+ button "Stop"`: "likewise",
		}},
		{"roles without what they promise", `<div role=textbox tabindex=0 aria-label=Fake style="height:9px"></div><div role=combobox tabindex=0>Choose</div><div contenteditable aria-label=Body role=textbox>x</div>`, map[string]string{
			`- textbox "Fake"`: "it takes no text", `+ button "Fake"`: "the same control",
			`- combobox ""`: "it takes no text, and its words are its name", `+ button "Choose"`: "the same control",
		}},
		{"in a shadow root", `<x-a></x-a><script>document.querySelector('x-a').attachShadow({mode:'open'}).innerHTML='<label>City <input></label><button>Go</button>'</script>`, nil},
		{"fields named by what stands around them", `<div>Street <input></div><input placeholder=Zip><input title=Land>`, map[string]string{
			`- textbox ""`: "the tree knows no words beside a field", `+ textbox "Street"`: "words left on its line",
		}},
		{"a table", `<table><tr><th>Item<th>Act</tr><tr><td>Bike<td><button>Buy</button></tr><tr><td>Lamp<td><button>Buy</button></tr></table>`, nil},
	}
	pages := map[string]string{}
	for i, r := range rows {
		pages[fmt.Sprint(i)] = r.body
	}
	server := serve(t, pages)
	for i, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			must(t, s.Navigate(t.Context(), fmt.Sprintf("%s/%d", server.URL, i)))
			ours := seen(observe(t, s))
			for i, c := range ours {
				ours[i] = strings.Replace(c, "textarea ", "textbox ", 1) // a role of its own here
			}
			got := differences(treeSays(t, s), ours)
			for _, d := range got {
				if r.differs[d] == "" {
					t.Errorf("unexplained: %s", d)
				}
			}
			for d := range r.differs {
				if !slices.Contains(got, d) {
					t.Errorf("explained and not there: %s", d)
				}
			}
		})
	}
}

// differences lists what is in one list alone, each as often as it is.
func differences(tree, ours []string) []string {
	var out []string
	left := slices.Clone(ours)
	for _, c := range tree {
		if i := slices.Index(left, c); i >= 0 {
			left = slices.Delete(left, i, i+1)
			continue
		}
		out = append(out, "- "+c)
	}
	for _, c := range left {
		out = append(out, "+ "+c)
	}
	return out
}
