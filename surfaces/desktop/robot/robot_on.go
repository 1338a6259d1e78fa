//go:build linux && !nodesktop

package robot

import (
	"os"

	"github.com/go-vgo/robotgo"
	"github.com/jezek/xgb"
)

// look asks for a connection of its own first: robotgo follows a null pointer
// when there is no display.
func look() Display {
	name := os.Getenv("DISPLAY")
	if name == "" {
		return Display{Reason: "no X display: DISPLAY is not set"}
	}
	c, err := xgb.NewConn()
	if err != nil {
		return Display{Name: name, Reason: "the X display " + name + " cannot be reached"}
	}
	c.Close()
	width, height := robotgo.GetScreenSize()
	return Display{Found: true, Name: name, Width: width, Height: height}
}
