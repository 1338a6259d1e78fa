// Package theme holds every colour, style, glyph and state word of the desk.
// Styles are named by role and built once from a palette for light and dark;
// without colour the roles differ by weight, and nothing is told by colour
// alone. It lays nothing out.
package theme
