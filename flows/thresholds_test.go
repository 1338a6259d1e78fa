package flows

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// TestFL109_ThresholdsStandOnce: a bar is written in thresholds.go and nowhere
// else; only the middle of a probability may stand in the code.
func TestFL109_ThresholdsStandOnce(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	for _, f := range files {
		name := f.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || name == "thresholds.go" {
			continue
		}
		parsed, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.FLOAT && lit.Value != "0.5" && lit.Value != "0.0" {
				t.Errorf("%s: %s stands outside thresholds.go", set.Position(lit.Pos()), lit.Value)
			}
			return true
		})
	}
}
