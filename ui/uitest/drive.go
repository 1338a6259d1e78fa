package uitest

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// Size is a terminal's size in cells.
type Size struct{ Width, Height int }

// Sizes are the ones every screen is drawn at.
func Sizes() map[string]Size {
	return map[string]Size{"60x16": {60, 16}, "80x24": {80, 24}, "120x40": {120, 40}, "200x50": {200, 50}}
}

// Drive runs a model and its commands on the fake time of a synctest bubble, as
// a program would: each command on a goroutine of its own, messages one by one.
// Used by the test's goroutine only, inside the bubble.
type Drive struct {
	Model  tea.Model
	Quit   bool
	Record bool     // keep every frame drawn
	Frames []string // with their styles

	t    *testing.T
	wrap func(tea.Msg) tea.Msg
	msgs chan tea.Msg
	ctx  context.Context // ends the commands with the test
}

// New starts a model. Wrap is what the program's filter does to messages. Ctx
// must end before the bubble does, and every command with it.
func New(ctx context.Context, t *testing.T, m tea.Model, wrap func(tea.Msg) tea.Msg) *Drive {
	t.Helper()
	// Room for what a test's commands say between two settlings.
	d := &Drive{Model: m, t: t, wrap: wrap, msgs: make(chan tea.Msg, 4096), ctx: ctx}
	d.run(m.Init())
	d.settle()
	return d
}

// Send delivers messages as a terminal or a command would, and everything that
// follows from them at once.
func (d *Drive) Send(msgs ...tea.Msg) {
	d.t.Helper()
	for _, msg := range msgs {
		d.update(msg)
	}
	d.settle()
}

// Keys presses keys one after another: "enter", "ctrl+k", "esc", "tab", "up",
// "pgdown", "space", or any single letter.
func (d *Drive) Keys(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		d.Send(Key(k))
	}
}

// Type presses the letters of s one by one.
func (d *Drive) Type(s string) {
	d.t.Helper()
	for _, r := range s {
		d.Send(Key(string(r)))
	}
}

// Wait lets time pass.
func (d *Drive) Wait(by time.Duration) {
	d.t.Helper()
	time.Sleep(by)
	d.settle()
}

// Resize gives the terminal another size.
func (d *Drive) Resize(s Size) {
	d.t.Helper()
	d.Send(tea.WindowSizeMsg{Width: s.Width, Height: s.Height})
}

// Frame is what is drawn, without styles and trailing blanks.
func (d *Drive) Frame() string {
	lines := strings.Split(ansi.Strip(d.Model.View()), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// Shows reports whether the frame holds s.
func (d *Drive) Shows(s string) bool { return strings.Contains(d.Frame(), s) }

// MustShow fails the test when the frame does not hold s.
func (d *Drive) MustShow(s string) {
	d.t.Helper()
	if !d.Shows(s) {
		d.t.Fatalf("the frame does not show %q:\n%s", s, d.Frame())
	}
}

func (d *Drive) update(msg tea.Msg) {
	if _, ok := msg.(tea.QuitMsg); ok {
		d.Quit = true
		return
	}
	next, cmd := d.Model.Update(d.wrap(msg))
	d.Model = next
	if d.Record {
		d.Frames = append(d.Frames, next.View())
	}
	d.run(cmd)
}

// run starts a command; it ends by itself or with the test's context.
func (d *Drive) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				d.run(c)
			}
		default:
			select {
			case d.msgs <- msg:
			case <-d.ctx.Done():
			}
		}
	}()
}

// settle takes messages until everything waits for time or for the person.
func (d *Drive) settle() {
	for {
		synctest.Wait()
		select {
		case msg := <-d.msgs:
			d.update(msg)
		default:
			return
		}
	}
}

var named = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
	"backspace": tea.KeyBackspace, "ctrl+c": tea.KeyCtrlC, "ctrl+k": tea.KeyCtrlK, "ctrl+z": tea.KeyCtrlZ, "ctrl+s": tea.KeyCtrlS,
	"ctrl+e": tea.KeyCtrlE, "ctrl+p": tea.KeyCtrlP, "ctrl+u": tea.KeyCtrlU, "ctrl+w": tea.KeyCtrlW,
}

// Key makes the message of one key.
func Key(name string) tea.KeyMsg {
	if name == " " || name == "space" {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	if t, ok := named[name]; ok {
		return tea.KeyMsg{Type: t}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// Paste makes the message of a bracketed paste.
func Paste(s string) tea.KeyMsg {
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true}
}

// Letters makes the message of letters that a terminal delivered together.
func Letters(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }
