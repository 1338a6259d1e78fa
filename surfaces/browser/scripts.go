package browser

import (
	"embed"
	"strings"
)

//go:embed sight/*.js
var sightFiles embed.FS

//go:embed press.js
var pressScript string

//go:embed act.js
var actScript string

//go:embed shade.js
var shadeScript string

// scripts is what our world in a document runs once: the reading, whose files
// share one function, then the acts and the shading, which use what it left.
func scripts() (string, error) {
	var b strings.Builder
	b.WriteString("(() => {\n'use strict';\n")
	for _, name := range []string{"dom", "marks", "kinds", "names", "calendar", "columns", "place", "noise", "flow", "walk", "rows", "tell", "read"} {
		part, err := sightFiles.ReadFile("sight/" + name + ".js")
		if err != nil {
			return "", err
		}
		b.Write(part)
	}
	b.WriteString("})();\n" + actScript + ";\n" + shadeScript + ";\n0")
	return b.String(), nil
}
