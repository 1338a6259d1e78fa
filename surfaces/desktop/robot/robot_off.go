//go:build !linux || nodesktop

package robot

func look() Display {
	return Display{Reason: "this program was built without its desktop side"}
}
