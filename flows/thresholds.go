package flows

import "time"

// The thresholds of flows.md section 14 that are in use, each once and under
// its name there. All are probabilities unless a comment says otherwise.
const (
	barDone        = 0.75 // DONE: ends a step after acting; conditions; stall check
	barAlreadyDone = 0.85 // ALREADY_DONE: skips a step before acting
	barLeansDone   = 0.50 // LEANS_DONE: a `finished` under it is overruled

	barBlocked    = 0.70 // BLOCKED: asks what to dismiss
	barRegression = 0.25 // REGRESSION: fall of the progress level
	barUnhelpful  = 0.20 // UNHELPFUL: `helped` under it
	barShortcut   = 0.50 // SHORTCUT_FLOOR

	barAct          = 0.70 // ACT: a target is used at once
	barNamed        = 0.45 // NAMED_FLOOR: the same when the purpose names it
	barCorroborated = 0.80 // CORROBORATED: `confirm` alone
	barAgreed       = 0.50 // AGREED: `confirm` with agreement; memory

	leastNear = 0.02 // an explanation names no other control under it

	barSlot       = 0.40 // SLOT_FLOOR
	barFieldError = 0.70 // FIELD_ERROR
	barNotAsked   = 0.35 // NOT_ASKED
	barOpener     = 0.80 // OPENER_FLOOR

	barSuggestion   = 0.50 // SUGGESTION_FLOOR
	mostSuggestions = 12   // MOST_SUGGESTIONS: rows

	barGuard        = 0.50 // LOCATE_FLOOR for a guard's control; irreversible bar at off and standard
	barIrreversible = 0.85 // IRREVERSIBLE_FLOOR: at deep, a guard's press
	barRead         = 0.50 // a piece of text, a list, a card, belongs

	barListLean  = 0.30 // a list leaned to, section 10
	listLeanLead = 3.0  // times the next

	barStillHolds   = 0.65 // wait_for on an unchanged screen, section 6
	barReflects     = 0.50 // choose's reflection
	barCoverageTop  = 0.85 // coverage decides alone when the middle is torn
	undecidedMargin = 0.10 // distance from 0.5 that counts as torn

	quorumTop = 0.90 // QUORUM_TOP
	sureYes   = 0.97 // SURE_YES
	sureNo    = 0.08 // SURE_NO

	acceptMargin     = 0.25 // ACCEPT_MARGIN: lead over the next
	acceptAgreement  = 0.80 // ACCEPT_AGREEMENT: share of framings
	abstainFloor     = 0.20 // ABSTAIN_FLOOR
	abstainAgreement = 0.40 // ABSTAIN_AGREEMENT
	undecidedBand    = 0.12 // UNDECIDED_BAND: around the bar of a yes or no
	finalistFloor    = 0.05 // FINALIST_FLOOR
	duelWin          = 0.60 // DUEL_WIN: of every pairing
	contrastAccept   = 0.65 // CONTRAST_ACCEPT
	contrastLead     = 0.20 // CONTRAST_LEAD

	// rounding is what sums of probabilities may be off by.
	rounding = 1e-9
)

// Limits of flows.md that are no probabilities.
const (
	defaultActions, capActions = 60, 120
	defaultCalls, capCalls     = 3000, 10000
	defaultVotes, capVotes     = 7, 9

	mostTurns       = 8 // turns of a do
	mostDismissals  = 2 // per step
	mostUndos       = 2 // per step
	mostIdleWaits   = 2 // then wait is no longer offered
	mostStalls      = 3 // turns in a row that changed nothing
	mostScrolls     = 4 // of one move, until something new shows
	mostSamePresses = 3 // of one control in a step
	mostUnreadable  = 3 // looks in a row

	mostOptions     = 20 // of one Choice, beside none
	mostPieces      = 60 // of one page of read
	mostRounds      = 3  // of enter
	mostRevealTurns = 4  // of the do that shows the fields of an enter, or repairs a choose
	defaultRounds   = 5  // of repeat_until without max
	mostMonths      = 12 // paged in a calendar
	mostChecks      = 10 // of wait_for
	mostCards       = 60 // judged by record
	mostRanked      = 8  // asked whether they belong
	mostLists       = 6  // offered at once
	mostRows        = 200
	mostSavedText   = 2000 // characters a read stores
	mostPickedText  = 400  // characters a pick stores
	mostFormFields  = 60   // in evidence, tasks.md 4.9
	mostNearWords   = 12   // lines in evidence, tasks.md 4.9
	mostReasons     = 120  // characters of the words that decided
	mostNoteMessage = 200  // characters of a code's message in a note

	openLooks     = 10  // looks for a readable window
	openPauseMS   = 500 // between them
	changeWaitMS  = 1000
	requestLimit  = 48000 // bytes of one request, 5.6
	mostVisible   = 60    // lines of State.VisibleText
	mostElements  = 120   // lines of State.Elements
	mostRecent    = 20    // lines of State.RecentActions
	mostContents  = 12    // fields of State.FieldContents
	contentChars  = 400
	collectedEnd  = 12 // variables of State.AlreadyCollected
	collectedSize = 120
	goalChars     = 600

	quorumVotes   = 7 // QUORUM_VOTES: from so many framings on
	quorumLeft    = 2 // QUORUM_LEFT: so many need not be waited for
	mostFinalists = 4 // MAX_FINALISTS

	hedgeAfter      = 4 * time.Second // HEDGE_AFTER
	hedgeAfterLarge = 5 * time.Second // HEDGE_AFTER_LARGE
	hedgeLarge      = 32 << 10        // HEDGE_LARGE_BYTES
	hedgeCopies     = 2               // HEDGE_COPIES: in flight of one election
)
