package fault

// Code is a stable upper snake case name. Tests and programs compare codes,
// never messages.
type Code string

// Every code of the desk stands here once; table below says when it occurs,
// whether the same request put right can help, and the default hint.
const (
	// Operations of the controller (tasks.md 2.9).
	InvalidRequest       Code = "INVALID_REQUEST"
	InvalidFlow          Code = "INVALID_FLOW"
	UnknownSecret        Code = "UNKNOWN_SECRET"
	OriginsRequired      Code = "ORIGINS_REQUIRED"
	OutputUnavailable    Code = "OUTPUT_UNAVAILABLE"
	InvalidOutput        Code = "INVALID_OUTPUT"
	TooManyTasks         Code = "TOO_MANY_TASKS"
	PlannerNotConfigured Code = "PLANNER_NOT_CONFIGURED"
	PlanFailed           Code = "PLAN_FAILED"
	NoSuchTask           Code = "NO_SUCH_TASK"
	NotWaiting           Code = "NOT_WAITING"
	AnswerAtTheDesk      Code = "ANSWER_AT_THE_DESK"
	NotContinuable       Code = "NOT_CONTINUABLE"
	StaleApproval        Code = "STALE_APPROVAL"
	BlindApproval        Code = "BLIND_APPROVAL"
	DeciderNotConfigured Code = "DECIDER_NOT_CONFIGURED"

	// The decider (flows.md 5.1).
	DeciderAuthentication  Code = "DECIDER_AUTHENTICATION"
	DeciderRateLimited     Code = "DECIDER_RATE_LIMITED"
	DeciderTimeout         Code = "DECIDER_TIMEOUT"
	DeciderInvalidResponse Code = "DECIDER_INVALID_RESPONSE"
	DeciderProviderFailed  Code = "DECIDER_PROVIDER_FAILED"
	DeciderInvalidConfig   Code = "DECIDER_INVALID_CONFIG"

	// Surfaces (surfaces.md 2.1).
	InvalidArgs          Code = "INVALID_ARGS"
	ElementNotFound      Code = "ELEMENT_NOT_FOUND"
	StaleRef             Code = "STALE_REF"
	NotActionable        Code = "NOT_ACTIONABLE"
	NotATextField        Code = "NOT_A_TEXT_FIELD"
	TextNotDelivered     Code = "TEXT_NOT_DELIVERED"
	Timeout              Code = "TIMEOUT"
	PageError            Code = "PAGE_ERROR"
	PolicyDenied         Code = "POLICY_DENIED"
	NoSuchSession        Code = "NO_SUCH_SESSION"
	BrowserUnavailable   Code = "BROWSER_UNAVAILABLE"
	LimitExceeded        Code = "LIMIT_EXCEEDED"
	DesktopNotAvailable  Code = "DESKTOP_NOT_AVAILABLE"
	BrowserNotAvailable  Code = "BROWSER_NOT_AVAILABLE"
	PermDenied           Code = "PERM_DENIED"
	PlatformNotSupported Code = "PLATFORM_NOT_SUPPORTED"
	OwnWindow            Code = "OWN_WINDOW"
	AppNotFound          Code = "APP_NOT_FOUND"
	AmbiguousTarget      Code = "AMBIGUOUS_TARGET"
	ActionNotSupported   Code = "ACTION_NOT_SUPPORTED"
	NoSuchOutput         Code = "NO_SUCH_OUTPUT"
	Internal             Code = "INTERNAL"

	// The store (tasks.md 10.9).
	StoreLocked   Code = "STORE_LOCKED"
	StoreNewer    Code = "STORE_NEWER"
	StoreDamaged  Code = "STORE_DAMAGED"
	StoreReadOnly Code = "STORE_READ_ONLY"
	StoreFull     Code = "STORE_FULL"

	// A desk reached over its local socket (desk.md 7).
	DeskGone Code = "DESK_GONE"

	// The command line (desk.md 7).
	InvalidConfig Code = "INVALID_CONFIG"
	InvalidUsage  Code = "INVALID_USAGE"
)

type entry struct {
	when        string // when it occurs
	recoverable bool   // the same request, put right, can succeed
	hint        string // the next move
}

var table = map[Code]entry{
	InvalidRequest:       {"a request that cannot be decoded or contradicts itself", true, "Correct the named field and send the request again."},
	InvalidFlow:          {"a flow with structural errors, or a secret in a forbidden place", true, "Correct the steps named; `countersign check FLOW.json` lists every error."},
	UnknownSecret:        {"a secret name that is no fact", true, "Give the fact too, or take its name out of the secret names."},
	OriginsRequired:      {"fill_then_approve without named sites", true, "List the sites in constraints.origins, not *."},
	OutputUnavailable:    {"output asked for and no shaper configured", false, "Leave output out; the saved records are in the report."},
	InvalidOutput:        {"an output schema outside the subset", true, "Use only type, properties, required, additionalProperties, items, enum, minItems, maxItems, description and title."},
	TooManyTasks:         {"32 tasks, none of them final", true, "Answer or cancel a task first."},
	PlannerNotConfigured: {"planning asked for and no planner configured", false, "Write a flow; `countersign guide` shows how."},
	PlanFailed:           {"the planner failed or gave no valid flow", true, "Word the task differently or write a flow."},
	NoSuchTask:           {"an unknown task id, or one that is history", false, "`countersign tasks` lists the ids."},
	NotWaiting:           {"an answer for a task that asks nothing", false, "Nothing is needed; look at the task's present state."},
	AnswerAtTheDesk:      {"an answer only the person at the desk may give", false, "Answer at the desk that holds the store."},
	NotContinuable:       {"an answer to a final checkpoint", false, "Finish in the browser, then cancel the task to release it."},
	StaleApproval:        {"an approval that does not quote what is asked now", true, "Read the present question and sign that one."},
	BlindApproval:        {"approving a control that has no name", false, "Decline, or do it by hand in the browser."},
	DeciderNotConfigured: {"a run without a decider", false, "Configure [model.decider] or use the embedded decider."},

	DeciderAuthentication:  {"the decider's endpoint refused the key", false, "Check the key named by api_key_env or api_key_file."},
	DeciderRateLimited:     {"the decider's endpoint limits the rate", true, "Wait a little, then try again; a decider asks less with fewer budget.votes."},
	DeciderTimeout:         {"the decider did not answer in time", true, "Try again, or check that its server runs."},
	DeciderInvalidResponse: {"the decider's reply could not be read", true, "Try again, or use another model."},
	DeciderProviderFailed:  {"the decider's server failed", true, "Try again, or check its server."},
	DeciderInvalidConfig:   {"the decider's configuration cannot be used", false, "Correct [model.decider] in the configuration."},

	InvalidArgs:          {"a malformed surface request", true, "Correct the request."},
	ElementNotFound:      {"nothing matches", true, "Look again and choose again."},
	StaleRef:             {"a ref of an earlier reading", true, "Look again."},
	NotActionable:        {"covered, disabled, outside the document, or behind a script dialog", true, "Close what lies over it, then look again."},
	NotATextField:        {"focusing it reached nothing that takes text", true, "Choose a field that takes text."},
	TextNotDelivered:     {"set and paste both failed the read-back", true, "Look at the field before typing again."},
	Timeout:              {"ran out of time; it may have landed", true, "Look before repeating it."},
	PageError:            {"a script threw or the browser rejected it", true, "Look at the page, then change the request."},
	PolicyDenied:         {"an address or page outside the allowed origins", false, "Add the site to constraints.origins, or stay on the listed ones."},
	NoSuchSession:        {"the session is closed or what it lived in died", false, "Carry on to open a new one, or cancel the task."},
	BrowserUnavailable:   {"no browser could be started or reached", false, "Install chromium, or give its path in [browser] executable."},
	LimitExceeded:        {"too many browser sessions, or an output too large", false, "Cancel a task that holds a browser, then start again."},
	DesktopNotAvailable:  {"this task was not given the desktop", false, "Allow the desktop surface for this task."},
	BrowserNotAvailable:  {"this task was not given a browser", false, "Allow the browser surface for this task."},
	PermDenied:           {"accessibility or capture is not permitted", false, "Turn on the setting named, then look again."},
	PlatformNotSupported: {"this display server or system cannot do it", false, "Use one of the ways listed."},
	OwnWindow:            {"the terminal the desk runs in, or input while it has the focus", false, "Bring another window forward."},
	AppNotFound:          {"nothing with that name runs or can be started", true, "Check the application's name."},
	AmbiguousTarget:      {"several windows match", true, "Name the window more closely."},
	ActionNotSupported:   {"this surface has no such verb", false, "Use another step for this surface."},
	NoSuchOutput:         {"a picture that is unknown or was pruned", false, "Take a picture that the report names."},
	Internal:             {"anything else", false, "Look into desk.log; `countersign doctor` says where it lies."},

	StoreLocked:   {"another process holds the store", true, "Close the other desk, or give a store of its own with --store."},
	StoreNewer:    {"the store was written by a newer desk", false, "Use that newer desk, or give another store with --store."},
	StoreDamaged:  {"the store cannot be read", false, "Move the file aside to keep it, then start again."},
	StoreReadOnly: {"the store cannot be written", false, "Make the file and its folder writable, or give another store with --store."},
	StoreFull:     {"no room is left for the store", true, "Free some space on its disk, then carry on."},

	DeskGone: {"the desk that holds the store has closed, or cannot be reached", true, "Run the command again; nothing is lost, and `countersign tasks` shows how everything stands."},

	InvalidConfig: {"an unknown key or a wrong type in the configuration", true, "Correct the line named in the configuration file."},
	InvalidUsage:  {"a command line that cannot be used", true, "See `countersign help`."},
}

// Hint is the default next move of a code; empty only for an unknown code.
func (c Code) Hint() string { return table[c].hint }

// When says in words when the code occurs; empty for an unknown code.
func (c Code) When() string { return table[c].when }

// Recoverable reports whether the same request, put right, can succeed.
func (c Code) Recoverable() bool { return table[c].recoverable }

// Codes returns every known code, in no order.
func Codes() []Code {
	all := make([]Code, 0, len(table))
	for c := range table {
		all = append(all, c)
	}
	return all
}
