package desktop

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExecArgs(t *testing.T) {
	tests := []struct {
		line string
		want []string
	}{
		{"mousepad %U", []string{"mousepad"}},
		{"app  --one\t--two", []string{"app", "--one", "--two"}},
		{`"/opt/my app/run" --title "a \"b\" \$c"`, []string{"/opt/my app/run", "--title", `a "b" $c`}},
		{"app 100%% %f --icon=%i", []string{"app", "100%", "--icon="}},
		{`app ""`, []string{"app", ""}},
		{`app "unclosed`, nil},
		{"", nil},
		{"app; rm -rf /", []string{"app;", "rm", "-rf", "/"}}, // no shell: words
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, execArgs(tt.line)); diff != "" {
			t.Errorf("%q: %s", tt.line, diff)
		}
	}
}

func TestEntriesFor(t *testing.T) {
	home, shared := t.TempDir(), t.TempDir()
	write := func(dir, name, text string) {
		file := filepath.Join(dir, "applications", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const group = "[Desktop Entry]\nType=Application\n"
	write(shared, "org.example.Editor.desktop", "# a remark\n"+group+"Name=Text Editor\nName[de]=Textbearbeitung\nExec=editor %U\n\n[Desktop Action New]\nName=New\nExec=editor --new\n")
	write(shared, "hidden.desktop", group+"Name=Text Editor\nExec=other\nHidden=true\n")
	write(shared, "link.desktop", "[Desktop Entry]\nType=Link\nName=Text Editor\nURL=https://example.org\n")
	write(shared, "sub/tool.desktop", group+"Name=Tool\nExec=tool\nTerminal=true\n")
	write(home, "mine.desktop", group+"Name=text editor\nExec=mine\n")
	write(home, "aside.desktop", group+"Name=Text Editor\nExec=aside\nNoDisplay=true\n")
	write(home, "absent.desktop", group+"Name=Text Editor\nExec=absent\nTryExec=/does/not/exist\n")
	write(home, "broken.desktop", "no group\nName=Text Editor\nExec=broken\n")
	env := environment{"XDG_DATA_HOME=" + home, "XDG_DATA_DIRS=" + shared + ":relative:/does/not/exist"}

	tests := []struct {
		name string
		want []string // their identifiers
	}{
		{"Text Editor", []string{"mine", "org.example.Editor", "aside"}},
		{"org.example.editor", []string{"org.example.Editor"}},
		{"editor", []string{"org.example.Editor"}},
		{"sub-tool", []string{"sub-tool"}},
		{"textbearbeitung", []string{"org.example.Editor"}},
		{"New", nil},
	}
	for _, tt := range tests {
		var got []string
		for _, e := range entriesFor(env, tt.name) {
			got = append(got, e.id)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q: %s", tt.name, diff)
		}
	}
	want := entry{id: "sub-tool", name: "Tool", exec: []string{"tool"}, terminal: true}
	if diff := cmp.Diff([]entry{want}, entriesFor(env, "tool"), cmp.AllowUnexported(entry{})); diff != "" {
		t.Error(diff)
	}
}

func TestLookPath(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "tool")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := environment{"PATH=.:relative:" + dir}
	for name, want := range map[string]bool{"tool": true, program: true, "./tool": false, "../tool": false, "": false, "other": false} {
		if _, ok := env.lookPath(name); ok != want {
			t.Errorf("%q found: %t, want %t", name, ok, want)
		}
	}
}

func TestChord(t *testing.T) {
	tests := []struct {
		combo string
		want  []string
	}{
		{"cmd+n", []string{"ctrl", "n"}}, // SF-85
		{"Cmd+Shift+Return", []string{"ctrl", "shift", "enter"}},
		{"escape", []string{"esc"}},
		{"alt+f4", []string{"alt", "f4"}},
		{"cmd++", []string{"ctrl", "+"}},
		{"+", []string{"+"}},
		{"settings", nil}, // not offered on Linux
		{"hyper+a", nil},
		{"cmd+", nil},
		{"", nil},
	}
	for _, tt := range tests {
		got, ok := chord(tt.combo)
		if !ok {
			got = nil
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q: %s", tt.combo, diff)
		}
	}
}
