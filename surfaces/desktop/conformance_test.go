package desktop

import (
	"testing"

	"countersign/surfaces"
	"countersign/surfaces/desktop/desktoptest"
	"countersign/surfaces/host"
	"countersign/surfaces/surfacetest"
)

func TestConformance(t *testing.T) {
	needInput(t)
	d := desktoptest.Start(t, host.DesktopOptions{})
	surfacetest.Conformance(t, "form", func(t *testing.T) surfaces.Surface {
		p := desktoptest.Script(t, d, desktoptest.Form)
		s := sideOf(t, d, Options{}, surfaces.Needs{})
		await(t, s, "form")
		t.Cleanup(func() { end(t, p) })
		return s
	})
}
