package safety

import "slices"

// WallKind is a kind of wall that only a person can pass.
type WallKind string

// The walls of tasks.md 4.6, in the order in which they win.
const (
	WallCaptcha   WallKind = "captcha"
	WallOneTime   WallKind = "one_time_code"
	WallPhone     WallKind = "phone_check"
	WallTwoFactor WallKind = "two_factor"
	WallSignIn    WallKind = "sign_in"
)

// WallSign is what a screen's text says of a wall, and what the person must do
// about it.
type WallSign struct {
	Kind   WallKind
	Reason string
}

// walls is the table of tasks.md 4.6. Lines are reduced to words first, with
// login and signin taken apart, so one spelling of each phrase is enough.
var walls = []struct {
	sign    WallSign
	phrases []phrase
}{
	{WallSign{WallCaptcha, "solve the captcha"}, append(phrases("captcha", "recaptcha", "hcaptcha",
		"i am not a robot", "i m not a robot", "you are not a robot", "you re not a robot"), human()...)},
	{WallSign{WallOneTime, "type the one-time code"}, phrases("one time code", "one time password", "one time passcode",
		"enter otp", "enter the otp", "otp sent to", "enter the code sent to", "verification code")},
	{WallSign{WallPhone, "verify the phone"}, phrases("verify your phone", "phone number must be verified")},
	{WallSign{WallTwoFactor, "finish two-factor sign-in"}, phrases("two factor authentication", "2 step verification", "two step verification")},
	{WallSign{WallSignIn, "sign in"}, phrases("sign in to continue", "log in to continue", "log in to see", "sign in to see",
		"log in or sign up", "log in required")},
}

// human spells "verify (that) you are (a) human" and its neighbours.
func human() []phrase {
	var out []phrase
	for _, verb := range []string{"verify", "verifying", "prove", "confirm"} {
		for _, that := range []string{"", "that "} {
			for _, you := range []string{"you are ", "you re "} {
				out = append(out, phrases(verb+" "+that+you+"human", verb+" "+that+you+"a human")...)
			}
		}
	}
	return out
}

// FindWall looks for a wall in lines of visible text. Phrases match on whole
// words within one line; when several walls match, the first row of the table
// wins. A header's bare "Log in" is none.
func FindWall(lines []string) (WallSign, bool) {
	best := len(walls)
	for _, line := range lines {
		words := spelled(Words(line))
		for i, wall := range walls[:best] {
			if anyIn(words, wall.phrases) {
				best = i
				break
			}
		}
	}
	if best == len(walls) {
		return WallSign{}, false
	}
	return walls[best].sign, true
}

// spelled takes login, signin and signup apart.
func spelled(words []string) []string {
	if !slices.ContainsFunc(words, joined) {
		return words
	}
	var out []string
	for _, w := range words {
		switch w {
		case "login":
			out = append(out, "log", "in")
		case "signin":
			out = append(out, "sign", "in")
		case "signup":
			out = append(out, "sign", "up")
		default:
			out = append(out, w)
		}
	}
	return out
}

func joined(w string) bool { return w == "login" || w == "signin" || w == "signup" }
