package flows

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/surfaces"
)

// toldSource writes down what a clause reads and where it goes.
func toldSource(c clause) string {
	if c.copied == nil {
		return clausesTold([]clause{c})
	}
	into := "press"
	if c.types() {
		into = c.slots[0].Name
	}
	return fmt.Sprintf("%s <- %s %d %v", into, c.copied.of, c.copied.word, c.copied.count)
}

func TestWhatIsTypedIsReadOffTheScreen(t *testing.T) {
	for says, want := range map[string]string{
		`Copy the text in the textarea below, paste it into the textbox and press Ok.`: `text box <- the text in the textarea below 0 false`,
		`Find the 6th word in the paragraph, type that into the textbox and press Ok.`: `text box <- the paragraph 6 false`,
		`Type the last word of the quote into Answer`:                                  `Answer <- the quote -1 false`,
		`Enter the value of First name into the text field and press Ok.`:              `text box <- First name 0 false`,
		`Enter the value of "First name" into the text field`:                          `text box <- "First name" 0 false`,
		`How many items are in your basket? Press the button with that number.`:        `press <- items are in your basket 0 true`,
		`Count the apples and enter the number into the Answer field`:                  `Answer field <- the apples 0 true`,
		`Fill in the Reference field with the order number`:                            `Reference field <- the order number 0 false`,
		`Type Anna Berg's city into the text field`:                                    `text box <- Anna Berg's city 0 false`,
		`Copy the order number and paste it below`:                                     `text box <- the order number 0 false`,
		`Enter The Lord of the Rings into Title`:                                       `{Title: The Lord of the Rings}`,
		`Enter "the value of x" into Note`:                                             `{Note: the value of x}`,
		`Enter the username "kim" and the password "w4Y"`:                              `{username: kim; password: w4Y}`,
		`enter ${city} into City`:                                                      `{City: ${city}}`,
		`Enter the meeting is moved into Message`:                                      `{Message: the meeting is moved}`,
		`click Copy and press Ok`:                                                      `click Copy`,
	} {
		if got := toldSource(clausesOf(says)[0]); got != want {
			t.Errorf("%s\n got %s\nwant %s", says, got, want)
		}
	}
}

// basket is a screen with two lists and a table.
func basket(items ...string) *surfaces.Screen {
	screen := &surfaces.Screen{}
	add := func(text, column string, path ...string) {
		screen.TextNodes = append(screen.TextNodes, surfaces.TextNode{Text: text, Column: column, Path: path, Order: len(screen.TextNodes)})
	}
	add("Your basket", "")
	for i, item := range items {
		add(item, "", "list", fmt.Sprintf("listitem #%d", i+1))
	}
	add("Vegetables", "")
	add("leek", "", "list 2", "listitem #1")
	add("chard", "", "list 2", "listitem #2")
	add("Name", "", "table", `row "Name" #1`)
	add("Ann", "Name", "table", `row "Ann" #2`)
	return screen
}

func TestHowMany(t *testing.T) {
	for _, tt := range []struct {
		of    string
		items []string
		n     int // 0: not plain
	}{
		{"items are in your basket", []string{"apple", "apple", "kiwi"}, 3},
		{"apples are there", []string{"red apple", "apple", "kiwi"}, 2},
		{"apples in the basket", []string{"red apple", "apple", "kiwi"}, 2},
		{"vegetables", []string{"kiwi"}, 2},
		{"rows in the table", []string{"kiwi"}, 0},
		{"items in the list", []string{"kiwi"}, 0},
		{"pears", []string{"kiwi"}, 0},
		{"items in the basket", []string{"2 x Milk", "kiwi"}, 0},
	} {
		if n, why := howManyOf(basket(tt.items...), tt.of); n != tt.n || (why == "") != (n > 0) {
			t.Errorf("how many %s: %d (%s), want %d", tt.of, n, why, tt.n)
		}
	}
}

func TestATextOfACardIsItsOwn(t *testing.T) {
	screen := &surfaces.Screen{}
	for _, text := range []string{"Anna Berg", "Phone: 11", "City: Rome", "Otto Lind", "City: Graz", "Mira Ott", "Phone: 33"} {
		screen.TextNodes = append(screen.TextNodes, surfaces.TextNode{Text: text})
	}
	for of, want := range map[string]string{
		"phone of Anna Berg": "11", "Mira Ott's phone": "33", "phone number of Mira Ott": "33",
		"phone of Otto Lind": "", "phone of Otto Berg": "", "phone": "",
	} {
		if got := onCard(screen, of); got != want {
			t.Errorf("%s: %q, want %q", of, got, want)
		}
	}
}

func TestALabelSaysWhose(t *testing.T) {
	screen := &surfaces.Screen{}
	for i, text := range []string{"Your code", "ZX-4410", "Code of conduct", "Be kind"} {
		screen.TextNodes = append(screen.TextNodes, surfaces.TextNode{Text: text, Order: i})
	}
	if diff := cmp.Diff([]string{"ZX-4410"}, labelled(screen, "code")); diff != "" {
		t.Error(diff)
	}
}

func TestAHeadingThatSaysAnotherNumber(t *testing.T) {
	for heading, want := range map[string]bool{"Guests: 4": true, "Guests (2)": false, "Guests": false, "Guests 2 of 9": true} {
		if got := saysOther(heading, 2); got != want {
			t.Errorf("%s: %v", heading, got)
		}
	}
}
