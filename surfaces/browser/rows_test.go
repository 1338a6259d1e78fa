package browser

import (
	"fmt"
	"strings"
	"testing"

	"countersign/surfaces"
)

// Equal controls in boxes of one make stand in rows (7.6), whatever the boxes
// are made of; nothing else does.
func TestSightPlainRows(t *testing.T) {
	s := tabOf(t, surfaces.Needs{}, Options{})
	rows := []struct {
		name  string
		body  string
		paths string // of the controls, role and name first, one a line; the parts separated by bars
	}{
		{
			"named by their first words", `<main><div class=r><div><b>Zoe</b> <i>Bern</i></div><div><a role=button tabindex=0>Open</a></div></div><div class="r odd"><div><b>Per</b> <i>Oslo</i></div><div><a role=button tabindex=0>Open</a></div></div></main>`,
			`button Open|main|list|listitem "Zoe Bern" #1
button Open|main|list|listitem "Per Oslo" #2`,
		},
		{
			"named by a heading before, or a link after", `<div><div><small>new</small><h4>Lamp</h4><button>Add</button></div><div><a href=/desk>Desk</a><button>Add</button></div></div>`,
			`button Add|list|listitem "Lamp" #1
link Desk|list|listitem "Desk" #2
button Add|list|listitem "Desk" #2`,
		},
		{
			"boxes of one class with words of their own", `<div class=hit><a href=/f>Feather</a><div>soft</div></div><div class=hit><a href=/h>Harbor</a> ships</div><div class=foot><a href=/i>Imprint</a> © us</div>`,
			`link Feather|list|listitem "soft" #1
link Harbor|list|listitem "ships" #2
link Imprint`,
		},
		{
			"boxes of one class without words, lines of a form, parts of a text", `<div><div class=g><button>Up</button></div><div class=g><button>Down</button></div></div><div><div class=f>Name <input><button>Clear</button></div><div class=f>Town <input><button>Erase</button></div></div><div><p class=t>See <a href=/a>this</a></p><p class=t>or <a href=/b>that</a></p></div>`,
			`button Up
button Down
textbox Name
button Clear
textbox Town
button Erase
link this
link that`,
		},
		{
			"a row whose control is called otherwise", `<div><div><i>Ann</i><button>Follow</button></div><div><i>Ben</i><button>Following</button></div><div><i>Cy</i><button>Follow</button></div><p>More <button>Load</button></p></div>`,
			`button Follow|list|listitem "Ann" #1
button Following|list|listitem "Ben" #2
button Follow|list|listitem "Cy" #3
button Load`,
		},
		{
			"what stands deeper in a row keeps its parts", `<div><div>One <nav><button>Go</button></nav><select aria-label=Size><option>S</select></div><div>Two <nav><button>Go</button></nav></div></div>`,
			`button Go|list|listitem "One" #1|navigation
combobox Size|list|listitem "One" #1
option S|list|listitem "One" #1|listbox "Size"
button Go|list|listitem "Two" #2|navigation`,
		},
		{
			"rows within rows", `<div><section>Cart<div><p>pen<button>x</button></p><p>ink<button>x</button></p></div><button>Buy</button></section><section>Wish<button>Buy</button></section></div>`,
			`button x|list 2|listitem "Cart" #1|list|listitem "pen" #1
button x|list 2|listitem "Cart" #1|list|listitem "ink" #2
button Buy|list 2|listitem "Cart" #1
button Buy|list 2|listitem "Wish" #2`,
		},
		{
			"questions of one make", `<div><p>Tea?</p><label><input type=radio name=a>Yes</label></div><div><p>Milk?</p><label><input type=radio name=b>Yes</label></div>`,
			`radio Yes|list|listitem "Tea?" #1
radio Yes|list|listitem "Milk?" #2`,
		},
		{
			"in a shadow root", `<x-list></x-list><script>document.querySelector('x-list').attachShadow({mode:'open'}).innerHTML='<div>One<button>Go</button></div><div>Two<button>Go</button></div>'</script>`,
			`button Go|x-list|list|listitem "One" #1
button Go|x-list|list|listitem "Two" #2`,
		},
		{
			"boxes equal in what they hold", `<div><label>Qty <input></label><b>Pen</b><button>Drop</button></div><div><label>Qty <input></label><b>Ink</b><button>Drop</button></div>`,
			`textbox Qty|list|listitem "Qty" #1
button Drop|list|listitem "Qty" #1
textbox Qty|list|listitem "Qty" #2
button Drop|list|listitem "Qty" #2`,
		},

		{
			"boxes that are pressed themselves", `<div onclick="1">One <i title=Keep onclick="1">☆</i></div><div onclick="1">Two <i title=Keep onclick="1">☆</i></div>`,
			`button One ☆|list|listitem "One ☆" #1
button Keep|list|listitem "One ☆" #1
button Two ☆|list|listitem "Two ☆" #2
button Keep|list|listitem "Two ☆" #2`,
		},

		{
			"no rows: the lines of a form", `<div><label>User <input></label><button>Clear</button></div><div><label>City <input></label><button>Clear</button></div>`,
			"textbox User\nbutton Clear\ntextbox City\nbutton Clear",
		},
		{
			"no rows: groups of buttons", `<div><button>Bold</button><button>More</button></div><div><button>Link</button><button>More</button></div>`,
			"button Bold\nbutton More\nbutton Link\nbutton More",
		},
		{"no rows: boxes of another make", `<div class=a>One<button>Go</button></div><div class=b>Two<button>Go</button></div>`, "button Go\nbutton Go"},
		{"no rows: a wrapper beside another", `<div><div>One<p><button>Go</button><button>Go</button></p></div><div>Two</div></div>`, "button Go\nbutton Go"},
		{
			"no rows: weeks of bare numbers", `<div><div>Mo<button>30</button><button>1</button></div><div>Tu<button>29</button><button>30</button></div></div>`,
			"button 30\nbutton 1\nbutton 29\nbutton 30",
		},
		{"no rows: menu items of their own names", `<div><div class=i>1 <a href=/a>Home</a></div><div class=i>2 <a href=/b>Shop</a></div></div>`, "link Home\nlink Shop"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			must(t, s.Navigate(t.Context(), serve(t, map[string]string{"": row.body}).URL))
			var got []string
			for _, c := range observe(t, s).Candidates {
				got = append(got, strings.Join(append([]string{fmt.Sprintf("%s %s", c.Role, c.Name)}, c.Path...), "|"))
			}
			if said := strings.Join(got, "\n"); said != row.paths {
				t.Errorf("seen\n%s\nwanted\n%s", said, row.paths)
			}
		})
	}
}
