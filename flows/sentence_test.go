package flows

import (
	"fmt"
	"strings"
	"testing"
)

// clausesTold writes clauses down: what types as {name: text}, what does not as it is.
func clausesTold(clauses []clause) string {
	var out []string
	for _, c := range clauses {
		switch {
		case c.every:
			out = append(out, fmt.Sprintf("{every: %s}", c.slots[0].Text))
		case c.opens != "":
			out = append(out, "<"+c.opens+"> "+c.text)
		case c.what != "":
			out = append(out, fmt.Sprintf("[%s: %s]", c.what, c.option))
		case c.types():
			var slots []string
			for _, s := range c.slots {
				slots = append(slots, s.Name+": "+s.Text)
			}
			out = append(out, "{"+strings.Join(slots, "; ")+"}")
		default:
			out = append(out, c.text)
		}
	}
	return strings.Join(out, " | ")
}

func TestClauses(t *testing.T) {
	for _, tt := range [][2]string{
		{`Enter "Vinnie" into the text field and press Go.`, `{text box: Vinnie} | press Go.`},
		{`Use the textbox to enter "Vinnie" and press "Search", then find and click the 9th search result.`, `{text box: Vinnie} | press "Search" | click the 9th search result.`},
		{`Enter the username "kanesha" and the password "w4Y" into the text fields and press login.`, `{username: kanesha; password: w4Y} | press login.`},
		{`Enter the password "x8Z" into both text fields and press OK`, `{every: x8Z} | press OK`},
		{`Enter "a b" into From and "c" into To, then click Find`, `{From: a b; To: c} | click Find`},
		{`Type "x" and press Go`, `{text box: x} | press Go`},
		{`Enter the text "x" in the box`, `{text box: x}`},
		{`Select 10/15/2016 as the date and hit OK`, `{date: 10/15/2016} | hit OK`},
		{`Pick 3 May 2027`, `{date: 3 May 2027}`},
		{`Set the quantity to 3, then press Add`, `{quantity: 3} | press Add`},
		{`Search for "red lamp"`, `{search: red lamp}`},
		{`Click Edit. Enter "Ada" into Name. Press Keep.`, `Click Edit | {Name: Ada} | Press Keep.`},
		{`Click ONE, then click TWO`, `Click ONE | click TWO`},
		{`enter ${city} into City and click Save and close`, `{City: ${city}} | click Save | close`},
		{`enter reading mode in the viewer`, `enter reading mode in the viewer`},
		{`open the File menu and click Export`, `open the File menu | click Export`},
		{`search for trains`, `search for trains`},
		{`select Blue as the colour`, `[colour: Blue]`},
		{`choose the cheapest as the winner`, `choose the cheapest as the winner`},
		{`Enter "Tilda" as the name, choose Small as the size and Vienna as the city, then click Continue.`, `{name: Tilda} | [size: Small] | [city: Vienna] | click Continue.`},
		{`Type Malta into the box, choose it from the suggestions and click Ok.`, `{box: Malta} | click Ok.`},
		{`Select nothing and click Done.`, `click Done.`},
		{`Close the dialog by pressing Retry.`, `press Retry.`},
		{`Find the email by Rosa, forward it to Stefan and press Done.`, `open the email by Rosa | forward it | {to: Stefan} | press Done.`},
		{`Find the email by Fiona, reply to it with the text "Duis" and press Done.`, `open the email by Fiona | reply to it | {message: Duis} | press Done.`},
		{`Find the email by Paula and reply to them with the text "No"`, `open the email by Paula | reply to them | {message: No} | press Send`},
		{`Find the email by Paula and click the star icon to mark it as important.`, `Find the email by Paula and click the star icon to mark it as important.`},
		{`Expand the sections below, to find and click on the link "ribbon".`, `<sections> click on the link "ribbon".`},
		{`Switch between the tabs to find and click on the link "pocket".`, `<tabs> click on the link "pocket".`},
		{`Navigate through the file tree. Find and select the file named "Window".`, `<file tree> select the file named "Window".`},
		{`For the user @yvette, open the "More" menu and click on "Mute".`, `open the "More" menu of the user @yvette | click on "Mute".`},
		{`Click "Helmet", "Thunder" and "Meadow" in this order.`, `Click "Helmet". | Click "Thunder". | Click "Meadow".`},
		{`tick "Mgs", "9Kq" and "w w" in the list`, `tick "Mgs" in the list | tick "9Kq" in the list | tick "w w" in the list`},
		{`Open the View menu, choose Theme and then Sepia.`, `Open the View menu | choose Theme | choose Sepia.`},
		{`Expand Feather, then Anchor, and click Blanket.`, `Expand Feather | Expand Anchor | click Blanket.`},
		{`accept the terms and conditions`, `accept the terms and conditions`},
		{`click Now and Then`, `click Now and Then`},
		{`Select Sweden from the list and click Next.`, `Select Sweden from the list | click Next.`},
		{`type "open and close" into Note`, `{Note: open and close}`},
		{`Set the theme to Dark`, `Set the theme to Dark`},
	} {
		if got := clausesTold(clausesOf(tt[0])); got != tt[1] {
			t.Errorf("%s\n got %s\nwant %s", tt[0], got, tt[1])
		}
	}
}

// Whatever a sentence says, it is taken apart without a crash, and no part of it
// is typed that it does not hold.
func FuzzClauses(f *testing.F) {
	for _, text := range []string{`Expand A, then B, and click "C".`, `enter "x" and "y" into both fields`, `for the user @a, reply with "b"`, `then`, `select a as b and c as d`, `“`, "press \u00a0 then"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range clausesOf(text) {
			for _, slot := range c.slots {
				if !strings.Contains(text, slot.Text) {
					t.Errorf("%q: types %q", text, slot.Text)
				}
			}
		}
	})
}
