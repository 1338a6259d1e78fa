// Package unasked keeps Bubble Tea from asking the terminal for its background
// colour when the program starts. It asks on import, in every command, and a
// terminal that does not answer holds the program up for five seconds (seen at
// a bare pseudo-terminal). The theme is a setting here; nobody needs to ask.
//
// Packages are initialised in the order of their import paths as soon as what
// they import is ready (Go specification, "Program initialization"; its order
// is fixed since Go 1.21). This one imports Lip Gloss alone, so it comes before
// github.com/charmbracelet/bubbletea. It must import nothing else.
package unasked

import "github.com/charmbracelet/lipgloss"

var _ = answered()

// answered says that the answer is known already.
func answered() bool {
	lipgloss.SetHasDarkBackground(true)
	return true
}
