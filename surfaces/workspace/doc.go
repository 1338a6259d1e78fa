// Package workspace joins the sides a task was given into one Surface and
// routes every call to exactly one of them. There is no fallback in either
// direction: a side that is not there does not exist. It starts nothing itself.
package workspace
