package flows

import (
	"slices"
	"strconv"
	"strings"
)

// Codes of rejections (flows.md 3.1). NotJSON and TooLarge are of the file as
// a whole.
const (
	NotJSON            = "NOT_JSON"
	TooLarge           = "TOO_LARGE"
	UnknownStepKind    = "UNKNOWN_STEP_KIND"
	StepNotOneKey      = "STEP_NOT_ONE_KEY"
	EmptyFlow          = "EMPTY_FLOW"
	EmptyStep          = "EMPTY_STEP"
	MissingField       = "MISSING_FIELD"
	UnknownField       = "UNKNOWN_FIELD"
	WrongType          = "WRONG_TYPE"
	EmptySlots         = "EMPTY_SLOTS"
	DuplicateSlot      = "DUPLICATE_SLOT"
	BadInto            = "BAD_INTO"
	BadMax             = "BAD_MAX"
	BadAddress         = "BAD_ADDRESS"
	TooDeep            = "TOO_DEEP"
	TooManySteps       = "TOO_MANY_STEPS"
	SecretOutsideEnter = "SECRET_OUTSIDE_ENTER"
	SecretInSlotName   = "SECRET_IN_SLOT_NAME"
	CardDataNotAllowed = "CARD_DATA_NOT_ALLOWED"
	BareIdentifier     = "BARE_IDENTIFIER"
	PickVarInCondition = "PICK_VAR_IN_CONDITION"
	GuardDoesNotGuard  = "GUARD_DOES_NOT_GUARD"
	NoGuardAtEnd       = "NO_GUARD_AT_END"
	GuardDropped       = "GUARD_DROPPED" // replacement steps that cover a guard
	BadReference       = "BAD_REFERENCE"
	UnsureGuard        = "UNSURE_GUARD"  // warnings from here on (flows.md 3.3, 3.4)
	SignInGuard        = "SIGN_IN_GUARD" // it gates nothing
	DescribesChange    = "DESCRIBES_CHANGE"
	ComparesElsewhere  = "COMPARES_ELSEWHERE"
	SuperlativeOption  = "SUPERLATIVE_OPTION"
	PickOverOptions    = "PICK_OVER_OPTIONS"
	TypesInDo          = "TYPES_IN_DO"
	NoGuard            = "NO_GUARD"
	FilterStep         = "FILTER_STEP"
	SecretInFlow       = "SECRET_IN_FLOW"
)

// Limits of a flow (flows.md 3.1; the size is ours).
const (
	MaxSteps     = 200     // nested ones included
	MaxNesting   = 4       // if and repeat_until within one another
	MaxFlowBytes = 1 << 20 // raw JSON
	maxRounds    = 50      // of a repeat_until
	defaultMax   = 5
)

// sortProblems puts problems in the order of the file.
func sortProblems(list []Problem) {
	slices.SortStableFunc(list, func(a, b Problem) int { return comparePaths(a.Path, b.Path) })
}

// comparePaths orders steps[2] before steps[10]; then comes before else.
func comparePaths(a, b string) int {
	for a != "" && b != "" {
		if na, ra := leadingNumber(a); ra != a {
			if nb, rb := leadingNumber(b); rb != b {
				if na != nb {
					return na - nb
				}
				a, b = ra, rb
				continue
			}
		}
		if a[0] != b[0] {
			if strings.HasPrefix(a, "then") && strings.HasPrefix(b, "else") {
				return -1
			}
			if strings.HasPrefix(a, "else") && strings.HasPrefix(b, "then") {
				return 1
			}
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

func leadingNumber(s string) (n int, rest string) {
	end := 0
	for end < len(s) && end < 9 && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(s[:end])
	if err != nil {
		return 0, s
	}
	return n, s[end:]
}

// nearest gives the offered word that is spelled most like word, empty when
// none is close.
func nearest(word string, offered []string) string {
	const far = 3 // edits
	plain := strings.ToLower(strings.NewReplacer("-", "_", " ", "_").Replace(strings.TrimSpace(word)))
	best, at := "", far+1
	if len(plain) > 32 {
		return ""
	}
	for _, o := range offered {
		if d := edits(plain, o); d < at && d < max(len(o), 2) {
			best, at = o, d
		}
	}
	return best
}

// edits is the Levenshtein distance, a swap of two neighbours counted as one.
func edits(a, b string) int {
	x, y := []rune(a), []rune(b)
	var before []int // the row before the last
	last := make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i, r := range x {
		row := make([]int, len(y)+1)
		row[0] = i + 1
		for j, s := range y {
			cost := 1
			if r == s {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && r == y[j-1] && x[i-1] == s {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(y)]
}

// excerpt shortens foreign text for a message.
func excerpt(text string) string {
	const most = 40 // characters
	r := []rune(text)
	if len(r) <= most {
		return text
	}
	return string(r[:most]) + "…"
}
