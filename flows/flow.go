package flows

// Kind is one of the thirteen step kinds.
type Kind string

// The closed list of step kinds (flows.md section 1).
const (
	KindOpen        Kind = "open"
	KindBrowse      Kind = "browse"
	KindDo          Kind = "do"
	KindEnter       Kind = "enter"
	KindChoose      Kind = "choose"
	KindRead        Kind = "read"
	KindExtract     Kind = "extract"
	KindPick        Kind = "pick"
	KindVerify      Kind = "verify"
	KindWaitFor     Kind = "wait_for"
	KindStopBefore  Kind = "stop_before"
	KindRepeatUntil Kind = "repeat_until"
	KindIf          Kind = "if"
)

// Kinds lists every step kind in the order the guide explains them.
func Kinds() []Kind {
	return []Kind{
		KindOpen, KindBrowse, KindDo, KindEnter, KindChoose, KindRead, KindExtract, KindPick,
		KindVerify, KindWaitFor, KindStopBefore, KindRepeatUntil, KindIf,
	}
}

// Flow says what to reach, never how.
type Flow struct {
	App   string
	Vars  map[string]string
	Steps []Step
}

// Step is one entry of a flow. Only the fields of its kind are set.
type Step struct {
	Kind Kind
	Text string // open, browse, do, verify, wait_for, stop_before: the one string

	Slots     []Slot // enter, in the order written; order carries no meaning
	What      string // choose, read, extract
	Option    string // choose
	From      string // pick
	By        string // pick
	Into      string // read, extract, pick
	Condition string // repeat_until, if
	Steps     []Step // repeat_until
	Max       int    // repeat_until; 1 to 50, 5 when absent
	Then      []Step // if
	Else      []Step // if
}

// Slot is one field an enter step fills: what it is called and what is typed.
type Slot struct {
	Name string
	Text string
}
