// Package uitest holds what tests of the desk share: the sizes it is drawn at,
// scenes of tasks in every state, key presses, and a driver that runs a model
// with its commands on fake time. It imports no region, so that each may use it.
package uitest
