package desktop

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"countersign/surfaces"
	"countersign/surfaces/desktop/desktoptest"
	"countersign/surfaces/desktop/robot"
	"countersign/surfaces/fault"
	"countersign/surfaces/host"
)

// opened gives the side's own connections, for what no verb tells.
func opened(t *testing.T, s *Side) *link {
	t.Helper()
	l := s.open()
	if l == nil {
		t.Fatal("the side is not open")
	}
	return l
}

// awaitLine waits until a program says a line.
func awaitLine(t *testing.T, s *Side, app, line string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var said []string
	for ctx.Err() == nil {
		if screen, _ := s.Observe(ctx, app, "", surfaces.Full); screen != nil {
			if said = screen.Context; slices.Contains(said, line) {
				return
			}
		}
		s.AwaitChange(ctx, 500)
	}
	t.Fatalf("%s says %q, want %q", app, said, line)
}

// awaitControl waits until a program shows a control.
func awaitControl(t *testing.T, s *Side, app, role, name string) *surfaces.Candidate {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var screen *surfaces.Screen
	for ctx.Err() == nil {
		if screen, _ = s.Observe(ctx, app, "", surfaces.Full); screen != nil && has(screen, role, name) {
			return pick(t, screen, role, name)
		}
		s.AwaitChange(ctx, 500)
	}
	t.Fatalf("%s shows no %s %q", app, role, name)
	return nil
}

func TestSF83_QuietTyping(t *testing.T) {
	s, d := show(t, "form", desktoptest.Form)
	desktoptest.Script(t, d, desktoptest.Gallery, "keys") // takes the focus
	await(t, s, "keys")
	screen := observe(t, s, "form")
	active := func() string {
		r, err := opened(t, s).robot.Do(t.Context(), robot.Request{Op: robot.Windows})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range r.Windows {
			if w.Active {
				return w.Title
			}
		}
		return ""
	}
	before := active()
	must(t, s.Execute(t.Context(), surfaces.TypeText, pick(t, screen, "textbox", "Name"), "Mira — ümläut"))
	if got, ok := s.ReadValue(t.Context(), pick(t, screen, "textbox", "Name")); !ok || got != "Mira — ümläut" {
		t.Errorf("the field holds %q, %v", got, ok)
	}
	if after := active(); after != before || after != "Keys" {
		t.Errorf("the active window was %q and is %q", before, after)
	}
	must(t, s.Execute(t.Context(), surfaces.Click, pick(t, screen, "button", "Count"), ""))
	s.Settle(t.Context())
	if said := observe(t, s, "keys").Context; !slices.Contains(said, "no key") {
		t.Errorf("the program in front says %q: a key or the pointer reached it", said)
	}
}

func TestSF85_CommandKey(t *testing.T) {
	s, _ := show(t, "keys", desktoptest.Gallery, "keys")
	must(t, s.Press(t.Context(), "keys", "cmd+n"))
	awaitLine(t, s, "keys", "key ctrl+n")
	must(t, s.Press(t.Context(), "keys", "escape"))
	awaitLine(t, s, "keys", "key ff1b")
	must(t, s.Press(t.Context(), "keys", "?"))
	awaitLine(t, s, "keys", "key shift+?")
	if r := s.Press(t.Context(), "keys", "settings"); r.Code() != fault.InvalidArgs {
		t.Errorf("settings answered %v", r.Err())
	}
	if r := s.Press(t.Context(), "keys", "ß"); r.Code() != fault.InvalidArgs || r.Error.Delivery != surfaces.NotDelivered {
		t.Errorf("a key that the keyboard lacks answered %v", r.Err())
	}
}

// TestPressBringsForward: the keys go to the program named, not to the one in
// front.
func TestPressBringsForward(t *testing.T) {
	s, d := show(t, "keys", desktoptest.Gallery, "keys")
	desktoptest.Script(t, d, desktoptest.Form)
	await(t, s, "form")
	must(t, s.Press(t.Context(), "keys", "f5"))
	awaitLine(t, s, "keys", "key ffc2")
}

func TestHeadedPointer(t *testing.T) {
	s, _ := show(t, "keys", desktoptest.Gallery, "keys")
	l := opened(t, s)
	var place robot.Window
	for _, w := range l.stack(t.Context()) {
		if w.Title == "Keys" {
			place = w
		}
	}
	middle := robot.Request{Op: robot.Click, X: place.X + place.Width/2, Y: place.Y + place.Height - 10, Button: "right", Window: place.ID}
	if _, f := s.send(t.Context(), l, middle); f != nil {
		t.Fatal(f.Message)
	}
	awaitLine(t, s, "keys", "button 3")
}

func TestPartsAreActedOn(t *testing.T) {
	s, _ := show(t, "parts", desktoptest.Gallery, "parts")
	do := func(op surfaces.Op, role, name, text string) {
		t.Helper()
		must(t, s.Execute(t.Context(), op, pick(t, observe(t, s, "parts"), role, name), text))
		s.Settle(t.Context())
	}
	do(surfaces.TypeText, "spinbutton", "Copies", "7")
	do(surfaces.TypeText, "slider", "Volume", "55")
	do(surfaces.Check, "switch", "Bold", "")
	do(surfaces.Check, "radio", "Two", "")
	do(surfaces.Click, "tab", "Details", "")
	do(surfaces.Click, "cell", "Bela", "")
	screen := observe(t, s, "parts")
	for name, chosen := range map[string]bool{"Ada": false, "Bela": true, "Cleo": false} {
		if pick(t, screen, "cell", name).Has(surfaces.Selected) != chosen {
			t.Errorf("%s: chosen is not %v", name, chosen)
		}
	}
	if spin, scale := pick(t, screen, "spinbutton", "Copies"), pick(t, screen, "slider", "Volume"); spin.Value != "7" || scale.Value != "55" {
		t.Errorf("the numbers are %q and %q", spin.Value, scale.Value)
	}
	if !pick(t, screen, "switch", "Bold").Has(surfaces.Checked) || !pick(t, screen, "radio", "Two").Has(surfaces.Checked) || pick(t, screen, "radio", "One").Has(surfaces.Checked) {
		t.Errorf("not as ticked:\n%s", lines(screen))
	}
	if !pick(t, screen, "tab", "Details").Has(surfaces.Selected) || !slices.Contains(screen.Context, "page Details") {
		t.Errorf("the tab is not open:\n%s", lines(screen))
	}
	if r := s.Execute(t.Context(), surfaces.Click, pick(t, screen, "button", "Off"), ""); r.Code() != fault.NotActionable {
		t.Errorf("a disabled button answered %v", r.Err())
	}

	do(surfaces.Click, "menuitem", "File", "")
	menu := awaitFront(t, s, "parts", surfaces.FrontWindow)
	if menu.Surface != surfaces.FrontMenu || has(menu, "switch", "Bold") {
		t.Errorf("surface %q:\n%s", menu.Surface, lines(menu))
	}
	must(t, s.Execute(t.Context(), surfaces.Click, pick(t, menu, "menuitem", "Save"), ""))
	awaitLine(t, s, "parts", "Save chosen")
}

func TestPasteKeepsTheClipboard(t *testing.T) {
	s, d := show(t, "form", desktoptest.Form)
	const secret = "hunter2-swordfish"
	must(t, s.Execute(t.Context(), surfaces.TypeText, pick(t, observe(t, s, "form"), "textbox", "Name"), "before"))
	r := s.Paste(t.Context(), "form", pick(t, observe(t, s, "form"), "textbox", "Name"), secret)
	must(t, r)
	if r.Data.ClipboardRestored == nil || !*r.Data.ClipboardRestored {
		t.Error("an empty clipboard was not left empty")
	}
	if got := pick(t, observe(t, s, "form"), "textbox", "Name").Value; got != secret {
		t.Errorf("the field holds %q", got)
	}
	// What the program itself copies is kept over the next paste.
	must(t, s.Press(t.Context(), "form", "cmd+a"))
	must(t, s.Execute(t.Context(), surfaces.TypeText, pick(t, observe(t, s, "form"), "textbox", "Name"), "kept"))
	must(t, s.Press(t.Context(), "form", "cmd+a"))
	must(t, s.Press(t.Context(), "form", "cmd+c"))
	s.Settle(t.Context())
	r = s.Paste(t.Context(), "form", pick(t, observe(t, s, "form"), "textbox", "Name"), "pasted")
	must(t, r)
	if !*r.Data.ClipboardRestored {
		t.Error("the clipboard was not restored")
	}
	must(t, s.Press(t.Context(), "form", "cmd+a"))
	must(t, s.Press(t.Context(), "form", "cmd+v"))
	s.Settle(t.Context())
	if got := pick(t, observe(t, s, "form"), "textbox", "Name").Value; got != "kept" {
		t.Errorf("the clipboard gives %q, want kept", got)
	}
	if r := s.Paste(t.Context(), "form", pick(t, observe(t, s, "form"), "button", "Count"), "x"); r.Code() != fault.NotATextField {
		t.Errorf("pasting into a button answered %v", r.Err())
	}

	// It is the person's, and outlives the task.
	noError(t, s.Release(t.Context()))
	next := sideOf(t, d, Options{}, surfaces.Needs{})
	must(t, next.Execute(t.Context(), surfaces.TypeText, pick(t, observe(t, next, "form"), "textbox", "Name"), "other"))
	must(t, next.Press(t.Context(), "form", "cmd+a"))
	must(t, next.Press(t.Context(), "form", "cmd+v"))
	next.Settle(t.Context())
	if got := pick(t, observe(t, next, "form"), "textbox", "Name").Value; got != "kept" {
		t.Errorf("after the task the clipboard gives %q, want kept", got)
	}
}

// TestSF84_RestoreFails: what the clipboard held is a picture, which cannot be
// kept.
func TestSF84_RestoreFails(t *testing.T) {
	s, d := show(t, "holder", desktoptest.Gallery, "holder")
	click(t, s, pick(t, observe(t, s, "holder"), "button", "Hold"))
	r := s.Paste(t.Context(), "holder", pick(t, observe(t, s, "holder"), "textbox", "Line"), "hunter2-swordfish")
	must(t, r)
	if r.Data.ClipboardRestored == nil || *r.Data.ClipboardRestored {
		t.Error("a picture counts as restored")
	}
	if got := pick(t, observe(t, s, "holder"), "textbox", "Line").Value; got != "hunter2-swordfish" {
		t.Errorf("the field holds %q", got)
	}
	click(t, s, pick(t, observe(t, s, "holder"), "button", "Ask"))
	awaitLine(t, s, "holder", "text: None")

	// The owner of the clipboard is gone: there is nothing to be kept.
	owner := desktoptest.Script(t, d, desktoptest.Gallery, "holder")
	end(t, owner)
	r = s.Paste(t.Context(), "holder", pick(t, observe(t, s, "holder"), "textbox", "Line"), "again")
	must(t, r)
	if !*r.Data.ClipboardRestored {
		t.Error("a clipboard of nobody was not left empty")
	}
}

func TestSF87_Wayland(t *testing.T) {
	s, d := show(t, "form", desktoptest.Form)
	noError(t, s.Release(t.Context()))
	w := sideOf(t, d, Options{Env: append(slices.Clone(d.Env), "WAYLAND_DISPLAY=wayland-0")}, surfaces.Needs{})
	screen := await(t, w, "form")
	must(t, w.Execute(t.Context(), surfaces.TypeText, pick(t, screen, "textbox", "Name"), "quiet"))
	must(t, w.Execute(t.Context(), surfaces.Click, pick(t, screen, "button", "Count"), ""))
	for command, r := range map[string]*surfaces.Reply{
		"press": w.Press(t.Context(), "form", "cmd+n"),
		"paste": w.Paste(t.Context(), "form", pick(t, screen, "textbox", "Name"), "x"),
	} {
		if r.Code() != fault.PlatformNotSupported || len(r.Error.Details.Works) == 0 || r.Error.Delivery != surfaces.NotDelivered || r.Command != command {
			t.Errorf("%s answered %v, works %q", command, r.Err(), r.Error.Details.Works)
		}
	}
	awaitLine(t, w, "form", "pressed 1 times")
}

func TestSF88_NoDisplay(t *testing.T) {
	needInput(t)
	d := NewDriver(Options{Env: []string{"PATH=/usr/bin"}})
	a := d.Available()
	if a.Available || a.Reason == "" || a.Hint == "" || a.Kind != surfaces.Desktop {
		t.Errorf("availability %+v", a)
	}
	s := d.side(surfaces.Needs{}, nil)
	if _, r := s.Observe(t.Context(), "form", "", surfaces.Full); r.Code() != fault.DesktopNotAvailable {
		t.Errorf("answered %v", r.Err())
	}
}

// TestHangingProgram: it answers nothing, and everything else goes on.
func TestHangingProgram(t *testing.T) {
	s, d := show(t, "hang", desktoptest.Gallery, "hang")
	desktoptest.Script(t, d, desktoptest.Form)
	await(t, s, "form")
	button := pick(t, observe(t, s, "hang"), "button", "Hang")
	must(t, s.Execute(t.Context(), surfaces.Click, button, ""))
	if _, r := s.Observe(t.Context(), "hang", "", surfaces.Full); r.Code() != fault.Timeout || r.Error.Delivery != surfaces.NotDelivered {
		t.Errorf("reading it answered %v", r.Err())
	}
	if screen := observe(t, s, "form"); screen.Window != "Conformance form" {
		t.Errorf("the other program's window is %q", screen.Window)
	}
}

// TestChoicesOfAListThatChanges: a row and a choice are those that were looked
// at, also behind a separator and where the list got another item meanwhile.
func TestChoicesOfAListThatChanges(t *testing.T) {
	s, d := show(t, "grows", desktoptest.Gallery, "grows")
	click(t, s, pick(t, observe(t, s, "grows"), "option", "Move"))
	awaitLine(t, s, "grows", "choice Move")
	before := observe(t, s, "grows")
	other := sideOf(t, d, Options{}, surfaces.Needs{})
	click(t, other, pick(t, observe(t, other, "grows"), "button", "New"))
	must(t, s.Execute(t.Context(), surfaces.Click, pick(t, before, "listitem", "Bela"), ""))
	awaitLine(t, other, "grows", "row Bela")
	must(t, s.Execute(t.Context(), surfaces.Click, pick(t, before, "option", "Delete"), ""))
	awaitLine(t, other, "grows", "choice Delete")
}

// TestARowIsSelectedAndNotOpened: a dialog with a list takes the double click of
// a row for its OK, and a press of a row is none.
func TestARowIsSelectedAndNotOpened(t *testing.T) {
	needInput(t)
	d := desktoptest.Start(t, host.DesktopOptions{})
	dialog := desktoptest.Run(t, d, "zenity", "--list", "--title=Trains", "--column=Train", "--ok-label=Delete", "AR 512", "AR 530", "AR 604")
	s := sideOf(t, d, Options{}, surfaces.Needs{})
	click(t, s, awaitControl(t, s, "zenity", "cell", "AR 530"))
	if screen := observe(t, s, "zenity"); !pick(t, screen, "cell", "AR 530").Has(surfaces.Selected) || !dialog.Alive() {
		t.Errorf("after a press on a row:\n%s", lines(screen))
	}
}

// TestStoppedProgram: a real program that is stopped answers neither a look nor
// an act, which is told within its time; others are read meanwhile, also where
// nobody says which, and it goes on where it was.
func TestStoppedProgram(t *testing.T) {
	needInput(t)
	d := desktoptest.Start(t, host.DesktopOptions{})
	desktoptest.Script(t, d, desktoptest.Form)
	s := sideOf(t, d, Options{}, surfaces.Needs{})
	await(t, s, "form")
	calculator := desktoptest.Run(t, d, "galculator")
	seven := awaitControl(t, s, "galculator", "switch", "7")
	signal := func(sig syscall.Signal) {
		if err := syscall.Kill(calculator.PID, sig); err != nil {
			t.Fatal(err)
		}
	}
	signal(syscall.SIGSTOP)
	defer signal(syscall.SIGCONT)
	if r := s.Execute(t.Context(), surfaces.Click, seven, ""); r.OK || r.Code() != fault.Timeout || r.Error.Hint == "" {
		t.Errorf("a press answered %v", r.Err())
	}
	if _, r := s.Observe(t.Context(), "", "", surfaces.Full); r.Code() != fault.Timeout || r.Error.Delivery != surfaces.NotDelivered || r.Error.Hint == "" {
		t.Errorf("reading it answered %v", r.Err())
	}
	fresh := sideOf(t, d, Options{}, surfaces.Needs{})
	if screen, r := fresh.Observe(t.Context(), "", "", surfaces.Full); screen == nil && r.Code() != fault.Timeout {
		t.Errorf("a first look answered %v", r.Err())
	}
	if screen := observe(t, fresh, "form"); screen.Window != "Conformance form" {
		t.Errorf("the other program's window is %q", screen.Window)
	}
	signal(syscall.SIGCONT)
	click(t, s, awaitControl(t, s, "galculator", "switch", "8"))
	if shown := pick(t, observe(t, s, "galculator"), "textarea", "").Value; shown != "8" && shown != "78" { // the press that nobody answered may have come through, once
		t.Errorf("it shows %q", shown)
	}
}

func TestLaunch(t *testing.T) {
	needInput(t)
	d := desktoptest.Start(t, host.DesktopOptions{})
	s := sideOf(t, d, Options{}, surfaces.Needs{})
	desktoptest.Need(t, "galculator")
	for range 2 { // started, then brought forward
		must(t, s.Launch(t.Context(), "Galculator"))
		if screen := observe(t, s, "Galculator"); screen.Window != "galculator" {
			t.Errorf("window %q", screen.Window)
		}
	}
	if n := len(opened(t, s).stack(t.Context())); n != 1 {
		t.Errorf("%d windows, want the one", n)
	}
	for _, name := range []string{"no such program", "../galculator", "galculator --help", ""} {
		if r := s.Launch(t.Context(), name); r.OK {
			t.Errorf("%q was launched", name)
		}
	}
}

// TestLaunchByEntry: a desktop entry names the program; nothing is split by a
// shell.
func TestLaunchByEntry(t *testing.T) {
	needInput(t)
	d := desktoptest.Start(t, host.DesktopOptions{})
	dir := t.TempDir()
	script := filepath.Join(dir, "gallery.py")
	if err := os.WriteFile(script, desktoptest.Gallery, 0o600); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "applications")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	entry := "[Desktop Entry]\nType=Application\nName=Key Teller\nExec=/usr/bin/python3 \"" + script + "\" keys %U\n"
	if err := os.WriteFile(filepath.Join(folder, "teller.desktop"), []byte(entry), 0o600); err != nil {
		t.Fatal(err)
	}
	s := sideOf(t, d, Options{Env: append(slices.Clone(d.Env), "XDG_DATA_HOME="+dir)}, surfaces.Needs{})
	must(t, s.Launch(t.Context(), "Key Teller"))
	if screen := observe(t, s, "Key Teller"); screen.Window != "Keys" || screen.App != "Key Teller" {
		t.Errorf("app %q, window %q", screen.App, screen.Window)
	}
}

// TestLaunchOfWhatRunsUnseen: a program that runs without a window shows one when
// it is started again, and that is the one that was asked for.
func TestLaunchOfWhatRunsUnseen(t *testing.T) {
	needInput(t)
	d := desktoptest.Start(t, host.DesktopOptions{})
	dir := t.TempDir()
	script, folder := filepath.Join(dir, "gallery.py"), filepath.Join(dir, "applications")
	entry := "[Desktop Entry]\nType=Application\nName=background\nExec=/usr/bin/python3 \"" + script + "\" background \"" + dir + "\"\n"
	noError(t, os.WriteFile(script, desktoptest.Gallery, 0o600))
	noError(t, os.Mkdir(folder, 0o700))
	noError(t, os.WriteFile(filepath.Join(folder, "background.desktop"), []byte(entry), 0o600))
	s := sideOf(t, d, Options{Env: append(slices.Clone(d.Env), "XDG_DATA_HOME="+dir)}, surfaces.Needs{})
	desktoptest.Run(t, d, "/usr/bin/python3", script, "background", dir)
	for begun := time.Now(); ; s.AwaitChange(t.Context(), 50) {
		if _, err := os.Stat(filepath.Join(dir, "background.pid")); err == nil {
			break
		}
		if time.Since(begun) > patience {
			t.Fatal("it does not run")
		}
	}
	if _, r := s.Observe(t.Context(), "background", "", surfaces.Full); r.Code() != fault.AppNotFound {
		t.Fatalf("it shows something: %v", r.Err())
	}
	must(t, s.Launch(t.Context(), "background"))
	if screen := observe(t, s, "background"); screen.Window != "Background" {
		t.Errorf("window %q", screen.Window)
	}
}

// TestWindowsOfOneTitle: keys go to the one that was read, whichever came to the
// front meanwhile.
func TestWindowsOfOneTitle(t *testing.T) {
	s, d := show(t, "twins", desktoptest.Gallery, "twins")
	read := observe(t, s, "twins")
	l := opened(t, s)
	raise := func() {
		t.Helper()
		for _, w := range l.stack(t.Context()) {
			if w.Active {
				continue
			}
			if _, f := s.send(t.Context(), l, robot.Request{Op: robot.Raise, Window: w.ID}); f != nil {
				t.Fatal(f.Message)
			}
			return
		}
		t.Fatal("there is no other window")
	}
	raise()
	must(t, s.Press(t.Context(), "twins", "5"))
	awaitLine(t, s, "twins", "key 53") // the window in front is the one that was read
	raise()
	other := sideOf(t, d, Options{}, surfaces.Needs{})
	if said := observe(t, other, "twins").Context; !slices.Contains(said, "no key") || read.Window != "Twin" {
		t.Errorf("the other window of %q says %q", read.Window, said)
	}
}

// TestSilentWhenFirstMet: a program that said nothing when it was met is asked
// its name again.
func TestSilentWhenFirstMet(t *testing.T) {
	s, d := show(t, "form", desktoptest.Form)
	keys := desktoptest.Script(t, d, desktoptest.Gallery, "keys")
	await(t, s, "keys")
	noError(t, syscall.Kill(keys.PID, syscall.SIGSTOP))
	t.Cleanup(func() { _ = syscall.Kill(keys.PID, syscall.SIGCONT) })
	fresh := sideOf(t, d, Options{}, surfaces.Needs{})
	observe(t, fresh, "form")
	if _, r := fresh.Observe(t.Context(), "keys", "", surfaces.Full); r.OK {
		t.Error("a stopped program was read")
	}
	noError(t, syscall.Kill(keys.PID, syscall.SIGCONT))
	awaitLine(t, fresh, "keys", "no key")
}

// TestBindingOfAnotherDisplay: nothing that the task worked on is on this one. It
// is told once, and what opens it next takes the desktop there is.
func TestBindingOfAnotherDisplay(t *testing.T) {
	_, d := show(t, "form", desktoptest.Form)
	driver := NewDriver(Options{Env: d.Env})
	here, err := driver.bindingOf()
	noError(t, err)
	for _, tt := range []struct {
		bound *surfaces.Binding
		want  fault.Code
	}{
		{&surfaces.Binding{Side: surfaces.Desktop, Driver: driverName, Data: []byte(`{"display":":9931"}`)}, fault.NoSuchSession},
		{nil, ""},
		{&here, ""},
	} {
		k := &kept{}
		m, err := driver.Side("t1", surfaces.Needs{}, tt.bound, k)
		noError(t, err)
		_, r := m.Observe(t.Context(), "form", "", surfaces.Full)
		if r.Code() != tt.want {
			t.Errorf("answered %v, want %q", r.Err(), tt.want)
		}
		if want := tt.want != ""; k.unbound != want {
			t.Errorf("unbound: %t, want %t", k.unbound, want)
		}
		noError(t, m.Close())
	}
	if _, err := driver.Side("t1", surfaces.Needs{}, &surfaces.Binding{Side: surfaces.Desktop, Driver: "other"}, nil); fault.CodeOf(err) != fault.Internal {
		t.Errorf("a foreign binding answered %v", err)
	}
}

// kept is where a side's bindings go.
type kept struct{ unbound bool }

func (k *kept) Bind(surfaces.Binding) error { return nil }

func (k *kept) Unbind(surfaces.Side) error {
	k.unbound = true
	return nil
}

// TestOwnWindow: the program that stands for the desk's terminal can be neither
// read, launched, pressed nor pasted into, and while it has the focus no input
// goes anywhere.
func TestOwnWindow(t *testing.T) {
	needInput(t)
	d := desktoptest.Start(t, host.DesktopOptions{})
	terminal := desktoptest.Script(t, d, desktoptest.Gallery, "keys")
	outside := sideOf(t, d, Options{}, surfaces.Needs{})
	awaitLine(t, outside, "keys", "no key")
	s := sideOf(t, d, Options{PID: terminal.PID}, surfaces.Needs{})

	if _, r := s.Observe(t.Context(), "keys", "", surfaces.Full); r.Code() != fault.OwnWindow {
		t.Errorf("observe answered %v", r.Err())
	}
	for name, r := range map[string]*surfaces.Reply{
		"launch": s.Launch(t.Context(), "keys"),
		"press":  s.Press(t.Context(), "keys", "return"),
		"paste":  s.Paste(t.Context(), "keys", nil, "exit"),
	} {
		if r.Code() != fault.OwnWindow || r.Error.Delivery != surfaces.NotDelivered {
			t.Errorf("%s answered %v", name, r.Err())
		}
	}

	// Straight to the process that sends input: it has the focus, and is there.
	l := opened(t, s)
	var place robot.Window
	for _, w := range l.stack(t.Context()) {
		if w.Title == "Keys" {
			place = w
		}
	}
	for _, r := range []robot.Request{
		{Op: robot.Key, Keys: []string{"enter"}},
		{Op: robot.Type, Text: "exit"},
		{Op: robot.Paste, Text: "exit", Keys: []string{"ctrl", "v"}},
		{Op: robot.Click, X: place.X + 20, Y: place.Y + 20},
		{Op: robot.Drag, X: 1, Y: 1, ToX: place.X + 20, ToY: place.Y + 20},
		{Op: robot.Scroll, X: 1, Y: 1, DY: 1},
		{Op: robot.Raise},
	} {
		r.Window = place.ID
		if _, f := s.send(t.Context(), l, r); f == nil || f.Code != fault.OwnWindow || f.Delivery != surfaces.NotDelivered {
			t.Errorf("%s: %+v, want OWN_WINDOW", r.Op, f)
		}
	}
	if _, err := l.robot.Do(t.Context(), robot.Request{Op: robot.Key, Keys: []string{"enter"}}); fault.CodeOf(err) != fault.InvalidArgs {
		t.Errorf("input without a word on what is out of reach answered %v", err)
	}
	awaitLine(t, outside, "keys", "no key")

	// Another program comes to the front: input goes there.
	desktoptest.Script(t, d, desktoptest.Form)
	await(t, s, "form")
	must(t, s.Press(t.Context(), "form", "tab"))
	awaitLine(t, outside, "keys", "no key")
}

// TestOwnTerminal: the terminal is a real one, and known by the processes it
// started or by the window it told them of.
func TestOwnTerminal(t *testing.T) {
	needInput(t)
	desktoptest.Need(t, "xterm")
	d := desktoptest.Start(t, host.DesktopOptions{})
	desktoptest.Script(t, d, desktoptest.Form)
	outside := sideOf(t, d, Options{}, surfaces.Needs{})
	await(t, outside, "form")
	told, typed := filepath.Join(t.TempDir(), "told"), filepath.Join(t.TempDir(), "typed")
	const inside = `echo $$ $WINDOWID >"$1.new"; mv "$1.new" "$1"; exec cat >"$2"`
	desktoptest.Run(t, d, "xterm", "-e", "sh", "-c", inside, "sh", told, typed)
	l := opened(t, outside)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var pid, window int
	var place robot.Window
	for !place.Active || !slices.Contains(ancestry(pid), place.PID) {
		if text, err := os.ReadFile(told); err == nil {
			if _, err := fmt.Sscan(string(text), &pid, &window); err != nil {
				t.Fatalf("the terminal told %q", text)
			}
		}
		if stack := l.stack(ctx); len(stack) > 0 {
			place = stack[len(stack)-1]
		}
		if outside.AwaitChange(ctx, 50); ctx.Err() != nil {
			t.Fatalf("in front is %+v, and the terminal's child %d runs under %v", place, pid, ancestry(pid))
		}
	}
	for name, o := range map[string]Options{
		"by its processes": {PID: pid, Env: d.Env},
		"by its window":    {PID: os.Getpid(), Env: append(slices.Clone(d.Env), "WINDOWID="+strconv.Itoa(window))},
	} {
		s := sideOf(t, d, o, surfaces.Needs{})
		observe(t, s, "form") // the other program is read beside it
		for _, r := range []robot.Request{
			{Op: robot.Key, Keys: []string{"enter"}},
			{Op: robot.Type, Text: "exit"},
			{Op: robot.Paste, Text: "exit", Keys: []string{"ctrl", "shift", "v"}},
			{Op: robot.Click, X: place.X + 20, Y: place.Y + 20},
			{Op: robot.Raise},
		} {
			r.Window = place.ID
			if _, f := s.send(t.Context(), opened(t, s), r); f == nil || f.Code != fault.OwnWindow || f.Delivery != surfaces.NotDelivered {
				t.Errorf("%s: %s answered %+v, want OWN_WINDOW", name, r.Op, f)
			}
		}
		if screen, _ := s.Observe(t.Context(), "xterm", "", surfaces.Full); screen != nil {
			t.Errorf("%s: it was read", name)
		}
	}
	if text, err := os.ReadFile(typed); err != nil || len(text) > 0 {
		t.Errorf("the terminal was typed into: %q, %v", text, err)
	}
}

func TestDisplayDies(t *testing.T) {
	s, d := show(t, "form", desktoptest.Form)
	d.KillDisplay()
	lost(t, s)
}

func TestBusDies(t *testing.T) {
	s, d := show(t, "form", desktoptest.Form)
	d.KillBus()
	lost(t, s)
}

// lost checks that a dead desktop is told once, and by every verb.
func lost(t *testing.T, s *Side) {
	t.Helper()
	select {
	case <-s.Lost():
	case <-time.After(patience):
		t.Fatal("nobody says that the desktop is gone")
	}
	if _, r := s.Observe(t.Context(), "form", "", surfaces.Full); r.Code() != fault.NoSuchSession {
		t.Errorf("observe answered %v", r.Err())
	}
	if r := s.Press(t.Context(), "form", "a"); r.Code() != fault.NoSuchSession {
		t.Errorf("press answered %v", r.Err())
	}
	if s.Holding() {
		t.Error("it is still held")
	}
	noError(t, s.Release(t.Context()))
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

// TestRobotDies: a process that is killed in the middle of typing is started
// again, and the desktop is still there.
func TestRobotDies(t *testing.T) {
	s, _ := show(t, "form", desktoptest.Form)
	l := opened(t, s)
	stack := l.stack(t.Context())
	for range 2 {
		if _, f := s.send(t.Context(), l, robot.Request{Op: robot.Lift}); f != nil {
			t.Fatalf("starting it: %+v", f)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		_, f := s.send(ctx, l, robot.Request{Op: robot.Type, Text: strings.Repeat("a", 5000), Window: stack[len(stack)-1].ID})
		cancel()
		if f == nil || f.Code != fault.Timeout || f.Delivery != surfaces.DeliveryUncertain {
			t.Fatalf("typing was cut off with %+v", f)
		}
	}
	must(t, s.Press(t.Context(), "form", "cmd+a"))
	if !s.Holding() {
		t.Error("the desktop counts as gone")
	}
}
