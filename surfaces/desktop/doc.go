// Package desktop is the side of a workspace that is the person's desktop: it
// reads programs by their accessibility tree, AT-SPI over D-Bus, and acts
// quietly through the same tree. What needs a real key or pointer is done by the
// process of package robot, so that no error of X can end the desk.
//
// It reads no pixels and takes no coordinates, never turns accessibility on by
// itself, and keeps its hands off the terminal the desk runs in.
package desktop
