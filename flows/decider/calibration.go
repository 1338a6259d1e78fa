package decider

// grade is one kind of evidence. Every probability the embedded decider gives
// starts as a grade, so that its evidence stands on the scale of flows.md
// section 14 in one place.
type grade int

// The grades. Controls, fields, rows and cards share the first block.
const (
	quotedExact  grade = iota // the quoted name, exactly
	quotedWithin              // the quoted name is part of a longer one
	namedExact                // the words of the name are the words of the purpose
	namedNearly               // the same but for a synonym
	wordsInName               // the name holds every word of the purpose and more
	nameInWords               // the purpose holds every word of the name, its verb too
	objectOnly                // the name holds what it is about, not what to do with it
	halfMatch                 // some words of both
	otherNumber               // the right words with another number, day or amount
	notQuoted                 // something is quoted and this is not it
	onlyOne                   // nothing else on the screen does what cannot be taken back
	twins                     // two that fit equally well
	unrelated                 // no word in common

	landed     // the control of the step was pressed and another page or the step's own words came
	quietly    // the control named was pressed, a wait went by, and nothing shows
	changed    // the control of the step was pressed and the screen changed
	gone       // what the step wants out of the way is not there
	asStated   // a control's state is what the step asks for
	unfinished // the press led on, and the rest of the step is still to be done
	complained // the press was answered by a complaint
	astray     // something else was pressed
	still      // nothing changed
	notStarted // nothing was done yet

	allStated   // every word of a statement is on the screen, close together
	allPresent  // every word is there, in different places
	mostPresent // one word of many is missing
	halfPresent // half of the words
	nonePresent // none
	denied      // the screen says the opposite
)

// calibration is the table. The bars it answers to (flows.md section 14): act
// 0.70, named 0.45, confirm 0.50 and 0.80, slot 0.40, done 0.75, already done
// 0.85, condition 0.75. The gap between 0.45 and 0.50 is used by no row: what a
// person would be sure of is above, what a person would ask about is below.
var calibration = [...]float64{
	quotedExact:  0.97,
	quotedWithin: 0.88,
	namedExact:   0.94,
	namedNearly:  0.89,
	wordsInName:  0.84,
	nameInWords:  0.72, // rises to 0.86 with the share of the purpose it holds; falls to 0.45 where there is no verb
	objectOnly:   0.40,
	halfMatch:    0.42, // at most
	otherNumber:  0.20,
	notQuoted:    0.25,
	onlyOne:      0.90, // above IRREVERSIBLE_FLOOR: a guard's press is vouched for with it
	twins:        0.44,
	unrelated:    0.03,

	landed:     0.93,
	quietly:    0.78,
	changed:    0.84,
	gone:       0.90,
	asStated:   0.93,
	unfinished: 0.35,
	complained: 0.38,
	astray:     0.30,
	still:      0.20,
	notStarted: 0.08,

	allStated:   0.95,
	allPresent:  0.89,
	mostPresent: 0.70,
	halfPresent: 0.35,
	nonePresent: 0.05,
	denied:      0.04,
}

func (g grade) p() float64 { return calibration[g] }

// Leads, all on the same scale as the table.
const (
	clearLead   = 0.06 // the better of two needs this much to be sure of
	saidShare   = 0.04 // a description weighs this much less than a name
	pickFloor   = 0.45 // under it a Choice answers none: nothing the bars could act on
	quietFloor  = 0.60 // so sure a press must have been to count though nothing shows
	leanFloor   = 0.20 // the same where the reader weighs leanings itself (lists)
	rivalWeight = 8    // how sharply the rest of a distribution follows the evidence
)
