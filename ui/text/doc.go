// Package text holds all width arithmetic of the desk and all cleaning of text
// that is not ours: page titles, names, values, model words, file names, task
// text. What comes out of Clean can be drawn anywhere without moving the
// cursor, changing a colour or reordering its neighbours. It draws nothing and
// knows no style.
package text
