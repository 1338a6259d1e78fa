package flows

import _ "embed"

//go:embed guide.md
var guide string

// Guide is how to write a flow: the text Describe serves, needs_plan carries
// and a planner is given.
func Guide() string { return guide }
