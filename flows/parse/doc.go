// Package parse reads prices, clocks, durations, counts of stops, dates and
// ranking criteria out of page text, exactly: what is not certain is not read,
// and then somebody else judges. Plain code, no decider, no I/O, no clock.
package parse
