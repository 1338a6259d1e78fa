package flows

import (
	"regexp"
	"strings"
	"testing"
)

var jsonBlock = regexp.MustCompile("(?s)```json\n(.*?)```")

func TestFL17_GuideBlocksPassTheCheck(t *testing.T) {
	blocks := jsonBlock.FindAllStringSubmatch(Guide(), -1)
	shown := map[Kind]bool{}
	for _, block := range blocks {
		c := Check([]byte(block[1]), nil, nil, nil, StopAtPayment)
		if !c.Valid() || len(c.Warnings) > 0 {
			t.Errorf("errors %v, warnings %v in\n%s", c.Errors, c.Warnings, block[1])
		}
		for _, s := range c.Flow.Steps {
			shown[s.Kind] = true
		}
	}
	for _, kind := range Kinds() {
		if !shown[kind] {
			t.Errorf("the guide shows no %s", kind)
		}
		if !strings.Contains(Guide(), "**"+string(kind)+"**") {
			t.Errorf("the guide explains no %s", kind)
		}
	}
}
