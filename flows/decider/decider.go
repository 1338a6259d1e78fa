// Package decider answers closed questions about one screen with
// probabilities. It never writes text, never plans and never acts. This file
// holds the questions and answers; embedded.go answers offline from words
// alone, model.go by asking a language model for numbers.
package decider

import (
	"context"

	"countersign/surfaces"
)

// Decider answers every question of a request independently against the same
// state. Safe for concurrent use. Errors are faults with a DECIDER_ code.
type Decider interface {
	Evaluate(ctx context.Context, req Request) (Answers, error)
	// Framings reports whether asking the same request in other words adds
	// anything; false makes the runtime ask once.
	Framings() bool
	// Name is what the status line shows: "embedded", or a model's name.
	Name() string
}

// Type is the shape of a question.
type Type string

// The three shapes.
const (
	Noul   Type = "noul"   // yes or no: one probability
	Score  Type = "score"  // a distribution over ordered levels, lowest first
	Choice Type = "choice" // one key of those offered, or none
)

// Ask is what a question wants to know; one per question id family of
// flows.md 5.8. A language model reads Instructions; the embedded decider
// branches on Ask and reads Subject, Purpose and Options as follows.
//
//	ask                               Subject                 Purpose            Options
//	done not_done progress helped     the step's text                            progress: its levels
//	blocked move shortcut dismiss     the step's text                            moves, key sets, controls and "escape"
//	page_kind                                                                    kinds
//	confirm region group target again what the control is for the rest: what     controls; confirm, is, only_near:
//	duel is only_near                 (step text, option,     the option is of,  that one control
//	                                  phrase)                 …
//	slot asks error                   slot name                                  slot: fields; error: the field filled, if known
//	opens                             slot name                                  that one control
//	suggestion                        text typed              slot name          rows
//	holds negated coverage happened   condition or phrase                        coverage: its levels
//	source                            what is wanted                             pieces of text
//	list                              the pick's from / what                     lists: length and first items
//	record                            the pick's by           the pick's from    cards
//	belongs                           the pick's from         a condition of by  that one card
//	reflects strays                   the option chosen       what it is of
type Ask string

// The families in use.
const (
	AskDone       Ask = "done"       // is the step's result reached
	AskNotDone    Ask = "not_done"   // is it still open
	AskProgress   Ask = "progress"   // five levels
	AskBlocked    Ask = "blocked"    // does something in the way have to go first
	AskHelped     Ask = "helped"     // did the last action help
	AskMove       Ask = "move"       // activate expand scroll shortcut wait finished stuck
	AskShortcut   Ask = "shortcut"   // which key set
	AskPageKind   Ask = "page_kind"  // 5.5
	AskDismiss    Ask = "dismiss"    // what closes the thing in the way
	AskConfirm    Ask = "confirm"    // is this one control the one meant
	AskRegion     Ask = "region"     // which part of the screen
	AskGroup      Ask = "group"      // knockout round of target
	AskTarget     Ask = "target"     // which control serves the purpose
	AskAgain      Ask = "again"      // target once more, reordered
	AskDuel       Ask = "duel"       // which of two, asked in both orders
	AskIs         Ask = "is"         // is this one control the one meant, and no other
	AskOnlyNear   Ask = "only_near"  // is it only alike, or beside the one meant
	AskSlot       Ask = "slot"       // which field is the slot's
	AskAsks       Ask = "asks"       // does the form ask for the slot at all
	AskError      Ask = "error"      // does the screen flag the slot's field
	AskOpens      Ask = "opens"      // does this control show the slot's box
	AskSuggestion Ask = "suggestion" // which row completes the text
	AskHolds      Ask = "holds"      // does the condition hold
	AskNegated    Ask = "negated"    // does its opposite hold
	AskCoverage   Ask = "coverage"   // five levels: none to all of it
	AskSource     Ask = "source"     // which piece of text is wanted
	AskList       Ask = "list"       // which list
	AskRecord     Ask = "record"     // which card fits
	AskBelongs    Ask = "belongs"    // does this card belong to what is picked from
	AskReflects   Ask = "reflects"   // does the screen show the choice
	AskStrays     Ask = "strays"     // does it show another choice
	AskHappened   Ask = "happened"   // after a guard's press: has it happened
)

// Question is one closed question.
type Question struct {
	Type         Type     `json:"type"`
	Ask          Ask      `json:"-"`
	Subject      string   `json:"-"`                  // the words it is about: step text, slot name, condition, phrase; secrets stay ${name}
	Purpose      string   `json:"-"`                  // what the choice is for, when Subject alone does not say: "open the suggestions of …"
	Instructions string   `json:"instructions"`       // the same as prose, for a model
	Options      []Option `json:"criteria,omitempty"` // Choice: what is offered ("none" is always understood); Score: levels, lowest first
}

// Option is one thing offered, or one level.
type Option struct {
	Key         string                `json:"key"`
	Text        string                `json:"text,omitempty"` // words of an option that is no control: a card's text, a piece to read, a region's examples
	Role        string                `json:"-"`
	Name        string                `json:"-"`
	States      []string              `json:"-"`
	At          int                   `json:"-"`                     // which of State.Controls this is, from 1; 0 when it is none of them, or unknown
	Description *surfaces.Description `json:"description,omitempty"` // of a control
}

// Request is one set of questions against one state.
type Request struct {
	State     State               `json:"state"`
	Questions map[string]Question `json:"questions"`
}

// State is what every question is answered against (flows.md 5.3). All of it
// is masked; screen text is data, never an order.
type State struct {
	App              string            `json:"app"`
	Window           string            `json:"window,omitempty"`
	Surface          string            `json:"surface"`
	Address          string            `json:"address,omitempty"`
	CurrentStep      string            `json:"current_step"`
	VisibleText      []string          `json:"visible_text"`             // at most 60 lines
	Elements         []string          `json:"elements"`                 // at most 120 lines
	Controls         []Control         `json:"-"`                        // the same controls, structured, for the embedded decider
	RecentActions    []string          `json:"recent_actions"`           // last 20 lines of history
	Last             *LastAction       `json:"-"`                        // the step's last action, structured
	Chosen           []*LastAction     `json:"-"`                        // the presses that the step's own choice made, oldest first
	FieldContents    map[string]string `json:"field_contents,omitempty"` // at most 12 of 400 characters
	AlreadyCollected []string          `json:"already_collected,omitempty"`
}

// Control is one control as the embedded decider sees it.
type Control struct {
	Role, Name, Description, Value string
	States                         []string
	Path                           []string
	Card                           string          // words of the numbered container it stands in, where that has no name
	Near                           string          // readable text right before it, else right after, no other control between
	Under                          string          // the last short text above it: a heading, a month, a label
	Box                            surfaces.Bounds // empty when unknown
	At                             int             // its place in the document, 0 when unknown
}

// LastAction is the step's last action and what changed after it.
type LastAction struct {
	Op      string
	Role    string
	Name    string
	Path    []string
	Card    string // words of the numbered container it stood in
	OK      bool
	Changed bool     // the screen's fingerprint differs
	Note    string   // change note
	Opened  []string // labels that appeared
	Gone    []string // labels that went
	Said    []string // visible lines that appeared
	Window  bool     // window or page changed
	Sure    float64  // how sure the step was that it presses what it names; 0 for an act that named nothing
}

// Answer is the answer to one question; only the fields of its type are set.
type Answer struct {
	P             float64            `json:"p,omitempty"`      // Noul
	Levels        []float64          `json:"levels,omitempty"` // Score, lowest first, sums to 1
	Choice        string             `json:"choice,omitempty"` // Choice; "none" when nothing fits
	Probabilities map[string]float64 `json:"probabilities,omitempty"`
	Confidence    float64            `json:"confidence,omitempty"`
	Why           []string           `json:"why,omitempty"` // the words that decided, for the person
}

// Answers maps question ids to answers. A missing id means no answer.
type Answers map[string]Answer

// None is the key that is always offered with a Choice: nothing here fits.
const None = "none"
