package text

import (
	"strings"
	"testing"
)

func TestAreaEdits(t *testing.T) {
	tests := []struct {
		name string
		edit func(Area) Area
		want string
	}{
		{"insert", func(a Area) Area { return a.Insert("x") }, "xone\ntwo"},
		{"paste lines", func(a Area) Area { return a.Insert("x\r\ny") }, "x\nyone\ntwo"},
		{"break", func(a Area) Area { return a.SetLine(a.Line().Move(1)).Break() }, "o\nne\ntwo"},
		{"join before", func(a Area) Area { return a.Move(1).SetLine(a.Move(1).Line().Home()).Backspace().Insert("|") }, "one|two"},
		{"join after", func(a Area) Area { return a.SetLine(a.Line().Move(3)).Delete().Insert("|") }, "one|two"},
		{"nothing before the first", func(a Area) Area { return a.Backspace() }, "one\ntwo"},
		{"nothing after the last", func(a Area) Area { a = a.Move(9); return a.SetLine(a.Line().Move(9)).Delete() }, "one\ntwo"},
		{"column stays", func(a Area) Area { return a.SetLine(a.Line().Move(2)).Move(1).Insert("|") }, "one\ntw|o"},
		{"delete", func(a Area) Area { return a.Delete() }, "ne\ntwo"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := NewArea("one\ntwo")
			if got := tt.edit(before).Value(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if before.Value() != "one\ntwo" {
				t.Errorf("the area it came from became %q", before.Value())
			}
		})
	}
	if got := (Area{}).Break().Insert("x").Value(); got != "\nx" {
		t.Errorf("from nothing: %q", got)
	}
}

func TestAreaShowsTheCursor(t *testing.T) {
	mark := func(s string) string { return "[" + s + "]" }
	same := func(s string) string { return s }
	a := NewArea("a\nb\nc\nd\x1b[2J").Move(2).SetHeight(2)
	if got := strings.Join(a.View(8, 2, mark, same), "|"); got != "b|[c]" {
		t.Errorf("got %q", got)
	}
	a = a.Move(-2).SetHeight(2)
	if got := strings.Join(a.View(8, 2, mark, same), "|"); got != "[a]|b" {
		t.Errorf("got %q", got)
	}
	if got := strings.Join(NewEdit("abcdef").Wrapped(4, mark), "|"); got != "abcd|ef[ |]" && got != "abcd|ef[ ]" {
		t.Errorf("wrapped %q", got)
	}
}
