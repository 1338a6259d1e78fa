package text

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
)

func TestClean(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"plain", "Send", []string{"Send"}},
		{"empty", "", nil},
		{"lines", "one\ntwo\r\nthree", []string{"one", "two", "three"}},
		{"tab", "a\tb", []string{"a    b"}},
		{"D1 bare carriage return", "Send\rREADY", []string{"Send␍READY"}},
		{"D1 clear screen", "Send\x1b[2Jnow", []string{"Sendnow⌫4"}},
		{"D1 clipboard, terminated by BEL", "a\x1b]52;c;Zm9v\x07b", []string{"ab⌫12"}},
		{"clipboard, terminated by ST", "a\x1b]52;c;Zm9v\x1b\\b", []string{"ab⌫13"}},
		{"clipboard, unterminated swallows its line", "a\x1b]52;c;Zm\nb", []string{"a⌫9", "b"}},
		{"device control", "a\x1bPq#0\x1b\\b", []string{"ab⌫7"}},
		{"8-bit control sequence", "a\u009b31mb", []string{"ab⌫4"}},
		{"8-bit raw byte", "a\x9b31mb", []string{"ab⌫4"}},
		{"8-bit operating system command", "a\u009d0;x\u009cb", []string{"ab⌫5"}},
		{"application command", "a\x1b_x\x1b\\b", []string{"ab⌫5"}},
		{"start of string", "a\u0098x\x1b\\b", []string{"ab⌫4"}},
		{"two-byte escape", "a\x1bcb", []string{"ab⌫2"}},
		{"charset", "a\x1b(0b", []string{"ab⌫3"}},
		{"lone escape at the end", "a\x1b", []string{"a⌫1"}},
		{"D1 override", "Pay \u202egnp.exe", []string{"Pay gnp.exe⌫1"}},
		{"isolates and marks", "\u2066a\u2069\u200eb", []string{"ab⌫3"}},
		{"zero width", "pay\u200bpal\ufeff", []string{"paypal⌫2"}},
		{"tags", "a\U000e0041\U000e007fb", []string{"ab⌫2"}},
		{"controls", "a\x00\x08\x7fb", []string{"ab⌫3"}},
		{"invalid bytes", "a\xff\xfeb", []string{"ab⌫2"}},
		{"marks tower", "e" + strings.Repeat("\u0301", 9), []string{"e" + strings.Repeat("\u0301", 4) + "⌫5"}},
		{"odd spaces are spaces", "a\u3000b\u00a0c", []string{"a b c"}},
		{"a mark without a letter joins nothing of ours", "\u0301\u20e0Send", []string{"Send⌫2"}},
		{"nor does a skin colour", "\U0001f3fdSend", []string{"Send⌫1"}},
		{"nor a letter that waits for the next", "Send\u0d4e", []string{"Send⌫1"}},
		{"accents and wide letters stay", "žluťoučký 東京 🙂", []string{"žluťoučký 東京 🙂"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Clean(tt.in)); diff != "" {
				t.Errorf("Clean(%q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

var loss = regexp.MustCompile(`⌫\d+$`)

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "a\x1b[31mb", "\x1b]52;c;x\x07", "\x9b\x9d\x90", "a\rb\tc\nd", "\u202e\u2066\u200b", "\xc2\xff\x9b", "e\u0301\u0301\u0301\u0301\u0301"} {
		f.Add(s)
	}
	corpus, err := os.ReadFile("../testdata/hostile.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, line := range strings.Split(string(corpus), "\n") {
		if _, quoted, ok := strings.Cut(line, ": "); ok {
			if s, err := strconv.Unquote(quoted); err == nil {
				f.Add(s)
			}
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Clean(s)
		if line := Line(s); strings.ContainsAny(line, "\r\n\t") {
			t.Fatalf("Line(%q) is %q", s, line)
		}
		for _, line := range once {
			if len(line) > 0 && ansi.StringWidth("“"+line+"”") != ansi.StringWidth(line)+2 {
				t.Fatalf("Clean(%q) has %q, which joins what stands beside it", s, line)
			}
			for _, r := range line {
				if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
					t.Fatalf("Clean(%q) holds %U", s, r)
				}
			}
		}
		joined := strings.Join(once, "\n")
		if s == "" || joined == "" {
			return
		}
		if diff := cmp.Diff(once, Clean(joined)); diff != "" {
			t.Fatalf("cleaning %q twice differs:\n%s", s, diff)
		}
	})
}

func TestMarkOnlyWhereLost(t *testing.T) {
	got := Clean("clean\n\x1b[mdirty")
	if loss.MatchString(got[0]) || !loss.MatchString(got[1]) {
		t.Errorf("got %q, want a mark on the second line alone", got)
	}
}
