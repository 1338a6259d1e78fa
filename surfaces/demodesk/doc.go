// Package demodesk is what the demo has beside its sites: the desktop on which
// flows cross between pages and programs, and the form that one of them fills.
// It is used by `countersign demo --desktop` and by tests.
package demodesk
