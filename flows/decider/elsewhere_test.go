package decider

import "testing"

// TestTargetElsewhere holds the picks against pages that look like none of the
// demo's: what a person would press, and none where they would ask.
func TestTargetElsewhere(t *testing.T) {
	pages := map[string][]Control{
		"gh": controls(
			`link "Code" @ navigation`, `link "Issues 12" @ navigation`, `link "Pull requests 3" @ navigation`,
			`link "Settings" @ navigation`, `button "New issue" @ main`, `searchbox "Search all issues" @ main`, `link "Labels" @ main`,
			`link "Milestones" @ main`, `button "Author" [collapsed] @ main`, `button "Sort" [collapsed] @ main`,
			`link "Fix crash on start" @ main › list › listitem #1`, `link "Add dark mode" @ main › list › listitem #2`,
			`link "Closed 40" @ main`, `button "Star" @ banner`, `button "Fork" @ banner`,
		),
		"flight": controls(
			`radio "Round trip" [checked] @ form`, `radio "One way" @ form`, `combobox "Where from?" = Oslo @ form`,
			`combobox "Where to?" @ form`, `textbox "Departure" @ form`, `textbox "Return" @ form`,
			`button "1 passenger, Economy" [collapsed] @ form`, `button "Search flights" @ form`, `link "Explore" @ navigation`,
			`link "Flights" [selected] @ navigation`, `link "Hotels" @ navigation`, `button "Swap origin and destination" (an icon) @ form`,
			`button "Track prices" @ main`,
		),
		"pax": controls(
			`button "Remove Adult" @ dialog`, `button "Add Adult" @ dialog`, `button "Remove Child" [disabled] @ dialog`,
			`button "Add Child" @ dialog`, `button "Done" @ dialog`, `button "Cancel" @ dialog`,
		),
		"product": controls(
			`link "Home" @ navigation`, `radio "S" @ group "Size"`, `radio "M" @ group "Size"`, `radio "L" @ group "Size"`,
			`radio "Blue" @ group "Colour"`, `radio "Navy blue" @ group "Colour"`, `button "Add to bag" @ main`,
			`button "Save for later" @ main`, `button "Buy now" @ main`, `link "Size guide" @ main`, `link "Reviews (120)" @ main`,
			`link "You may also like Blue shirt" @ complementary`, `button "Share" @ main`,
		),
		"table": controls(
			`button "Edit" @ table › row "Ada Lovelace ada@x.org" #1`, `button "Delete" @ table › row "Ada Lovelace ada@x.org" #1`,
			`button "Edit" @ table › row "Alan Turing alan@x.org" #2`, `button "Delete" @ table › row "Alan Turing alan@x.org" #2`,
			`button "Invite user" @ main`, `link "next page" @ navigation`, `link "previous page" @ navigation`,
			`button "Export CSV" @ toolbar`, `checkbox "Select all" @ table`,
		),
		"checkout": controls(
			`radio "Standard delivery €4.90 3-5 days" [checked] @ group "Delivery"`,
			`radio "Express delivery €9.90 next day" @ group "Delivery"`, `radio "Pick up in store Free" @ group "Delivery"`,
			`checkbox "Gift wrap" @ main`, `checkbox "Send me news" [checked] @ main`, `button "Back" @ main`, `button "Continue" @ main`,
			`link "Edit" @ region "Address"`, `link "Edit" @ region "Contact"`, `link "Terms of sale" @ contentinfo`,
			`link "Terms of use" @ contentinfo`,
		),
		"bank": controls(
			`link "Accounts" [selected] @ navigation`, `link "Payments" @ navigation`, `link "Cards" @ navigation`,
			`link "Current account ••4410 €2,310.55" @ main › list › listitem #1`,
			`link "Savings ••9921 €10,000.00" @ main › list › listitem #2`, `button "New transfer" @ main`,
			`button "Download statement" @ main`, `link "Log out" @ banner`, `button "Show balance" @ main`, `link "Messages 2" @ banner`,
		),
		"news": controls(
			`link "World" @ navigation`, `link "Sport" @ navigation`, `link "Weather" @ navigation`,
			`link "Storm closes the northern ports" @ main › article #1`, `link "Council votes on the new bridge" @ main › article #2`,
			`link "Read more" @ main › article "Storm closes the northern ports" #1`,
			`link "Read more" @ main › article "Council votes on the new bridge" #2`, `button "Subscribe" @ complementary`,
			`button "Play video" @ main`, `button "Accept and continue" @ dialog "We value your privacy"`,
			`button "Manage options" @ dialog "We value your privacy"`, `button "Reject all" @ dialog "We value your privacy"`,
		),
		"cal": controls(
			`button "previous month" @ main › grid`, `button "next month" @ main › grid`, `gridcell "3" (3 March 2027) @ grid`,
			`gridcell "13" (13 March 2027) @ grid`, `gridcell "23" (23 March 2027) @ grid`, `gridcell "31" (31 March 2027) @ grid`,
			`button "Today" @ main`, `button "Create event" @ main`, `tab "Week" @ tablist`, `tab "Month" [selected] @ tablist`,
			`tab "Day" @ tablist`,
		),
		"files": controls(
			`button "New" [collapsed] @ toolbar`, `button "Upload" @ toolbar`, `button "Share" [disabled] @ toolbar`,
			`row "Report 2026.pdf 2 MB" @ grid`, `row "Report 2025.pdf 1 MB" @ grid`, `row "Budget.xlsx 40 KB" @ grid`,
			`button "Sort by name" @ main`, `button "List view" @ main`, `button "Grid view" @ main`, `link "Shared with me" @ navigation`,
			`link "Trash" @ navigation`, `menuitem "Rename" @ menu`, `menuitem "Move to trash" @ menu`, `menuitem "Download" @ menu`,
		),
		"wizard": controls(
			`link "1 Trip" @ list`, `link "2 Traveller" @ list`, `link "3 Payment" @ list`,
			`radio "No insurance" @ group "Travel insurance"`, `radio "Basic insurance €12" @ group "Travel insurance"`,
			`radio "Full insurance €24" @ group "Travel insurance"`, `checkbox "I have read the conditions" @ main`, `button "Next" @ main`,
			`button "Previous" @ main`, `link "conditions" @ main`, `button "Save and exit" @ main`,
		),
		"seats": controls(
			`button "12A" @ row #12`, `button "12B" [disabled] @ row #12`, `button "14C" @ row #14`, `button "14D" @ row #14`,
			`button "Skip seat selection" @ main`, `button "Confirm seats" @ main`, `button "Zoom in" @ main`,
		),
	}
	tests := []struct{ page, step, want string }{
		{"bank", "open the savings account", `link "Savings ••9921 €10,000.00"`},
		{"bank", "open the current account", `link "Current account ••4410 €2,310.55"`},
		{"bank", "start a new transfer", `none`},
		{"bank", "make a transfer", `button "New transfer"`},
		{"bank", "download the statement", `button "Download statement"`},
		{"bank", "go to the cards", `link "Cards"`},
		{"bank", "read the messages", `link "Messages 2"`},
		{"bank", "open an account", `link "Accounts"`},
		{"bank", "show the balance", `button "Show balance"`},
		{"news", "read the story about the storm", `link "Read more"`},
		{"news", "open the article about the bridge", `link "Council votes on the new bridge"`},
		{"news", "reject the cookies", `button "Reject all"`},
		{"news", "decline everything", `button "Reject all"`},
		{"news", "accept the privacy notice", `button "Accept and continue"`},
		{"news", "open the weather", `link "Weather"`},
		{"news", "read more", `none`},
		{"news", "play the video", `button "Play video"`},
		{"cal", "go to the next month", `button "next month"`},
		{"cal", "choose 13 March", `gridcell "13"`},
		{"cal", "choose 3 March 2027", `gridcell "3"`},
		{"cal", "choose 1 March", `none`},
		{"cal", "switch to the week view", `tab "Week"`},
		{"cal", "show the day view", `tab "Day"`},
		{"cal", "add an event", `button "Create event"`},
		{"cal", "create a new event", `button "Create event"`},
		{"files", "upload a file", `button "Upload"`},
		{"files", "open the budget", `row "Budget.xlsx 40 KB"`},
		{"files", "open the report of 2025", `row "Report 2025.pdf 1 MB"`},
		{"files", "open the report", `none`},
		{"files", "rename it", `menuitem "Rename"`},
		{"files", "moving the file to the trash", `menuitem "Move to trash"`},
		{"files", "open the trash", `link "Trash"`},
		{"files", "switch to the grid view", `button "Grid view"`},
		{"wizard", "decline the insurance", `none`},
		{"wizard", "choose no insurance", `radio "No insurance"`},
		{"wizard", "choose full insurance", `radio "Full insurance €24"`},
		{"wizard", "accept the conditions", `checkbox "I have read the conditions"`},
		{"wizard", "go to the next step", `button "Next"`},
		{"wizard", "continue", `button "Next"`},
		{"wizard", "read the conditions", `link "conditions"`},
		{"wizard", "continue to payment", `button "Next"`},
		{"seats", "choose seat 14C", `button "14C"`},
		{"seats", "choose seat 14E", `none`},
		{"seats", "skip the seats", `button "Skip seat selection"`},
		{"seats", "confirming the seats", `button "Confirm seats"`},
	}
	for _, tt := range tests {
		t.Run(tt.page+": "+tt.step, func(t *testing.T) {
			surface := "window"
			if tt.page == "pax" || tt.page == "news" {
				surface = "sheet"
			}
			cs := pages[tt.page]
			a := ask(t, State{Surface: surface, Controls: cs}, Question{Ask: AskTarget, Subject: tt.step, Options: options(cs)})
			if got := chosen(a, cs); got != tt.want {
				t.Errorf("got %s at %.2f (%q), want %s", got, a.Probabilities[a.Choice], a.Why, tt.want)
			}
		})
	}
}
