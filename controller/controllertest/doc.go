// Package controllertest holds working fakes for tests around the controller:
// a Desk without a controller for the user interface, and the controller's own
// ports (store, runner, opener) in memory, scriptable and failing on demand.
package controllertest
