package ui

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

	"countersign/controller/controllertest"
	"countersign/ui/theme"
	"countersign/ui/uitest"
)

// bench is a desk at work in a bubble: the model, its feed, the fake controller.
type bench struct {
	*uitest.Drive
	desk *controllertest.Desk
}

func (b bench) root() Model { return b.Model.(Model) }

// at runs test on a scene at a size, on fake time.
func at(t *testing.T, scene string, size uitest.Size, test func(b bench)) {
	t.Helper()
	with(t, scene, size, Options{}, theme.Plain(), test)
}

func with(t *testing.T, scene string, size uitest.Size, o Options, th theme.Theme, test func(b bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		desk := uitest.Scene(scene, time.Now())
		m := build(ctx, desk, o, th, o.Out)
		m.now = time.Now()
		m.feed = newFeed(ctx, desk.Watch(ctx, nil), m.cmds.clock, func(v any) { panic(v) })
		d := uitest.New(ctx, t, m, func(msg tea.Msg) tea.Msg { return stamp(msg, time.Now) })
		d.Resize(size)
		test(bench{d, desk})
		cancel()
		m.feed.Close()
		synctest.Wait()
	})
}

var usual = uitest.Size{Width: 120, Height: 40}

// wanted is a task in plain words, longer than a line of a narrow terminal.
const wanted = "List the trains from Vienna to Innsbruck on Saturday and send me the list"

// screens are the states of the desk, and how to get there.
var screens = []struct {
	name, scene string
	reach       func(bench)
}{
	{"empty", "empty", func(bench) {}},
	{"tour", "demo", func(b bench) {
		m, _ := b.root().goOn()
		b.Model = m
		b.Keys("enter", "enter")
	}},
	{"type", "demo", func(b bench) { b.Keys("space") }},
	{"byhand", "demo", func(b bench) { b.Keys("j", "tab") }},
	{"payment", "demo", func(b bench) { b.Keys("j", "j") }},
	{"decide", "demo", func(b bench) { b.Keys("j", "j", "j", "enter") }},
	{"running", "demo", func(b bench) { b.Keys("G"); b.desk.Emit(uitest.RailStep()) }},
	{"screen", "demo", func(b bench) { b.Keys("j", "j", "j", "2") }},
	{"records", "demo", func(b bench) { b.Keys("j", "j", "4", "tab", "tab", "j") }},
	{"record", "demo", func(b bench) { b.Keys("j", "j", "4", "tab", "tab", "j", "j", "enter") }},
	{"flow", "demo", func(b bench) { b.Keys("G", "5") }},
	{"log", "demo", func(b bench) { b.Keys("G", "6") }},
	{"search", "demo", func(b bench) { b.Keys("j", "j", "1", "tab", "tab", "/"); b.Type("basket"); b.Keys("enter", "n") }},
	{"filter", "demo", func(b bench) { b.Keys("/"); b.Type("note"); b.Keys("enter") }},
	{"sorted", "demo", func(b bench) { b.Keys("s", "s") }},
	{"history", "demo", func(b bench) { b.Keys("H"); b.Type("o") }},
	{"again", "demo", func(b bench) { b.Keys("j", "j", "c") }},
	{"written", "demo", func(b bench) { b.Keys("n", "ctrl+e") }},
	{"pay", "pay", func(b bench) { b.Keys("space") }},
	{"picture", "pay", func(b bench) { b.Keys("space", "esc", "3") }},
	{"pictured", "pay", func(b bench) { b.Keys("space"); b.Wait(2 * time.Second); b.Type("p"); b.Keys("enter") }},
	{"void", "void", func(b bench) { b.Keys("space") }},
	{"blind", "blind", func(b bench) { b.Keys("space") }},
	{"outcome", "outcome", func(b bench) { b.Keys("space") }},
	{"interrupted", "interrupted", func(b bench) { b.Keys("space") }},
	{"plan", "plan", func(b bench) { b.Keys("space") }},
	{"busy", "busy", func(b bench) { b.Keys("j") }},
	{"help", "demo", func(b bench) { b.Keys("?") }},
	{"quit", "demo", func(b bench) { b.Keys("q") }},
	{"halted", "demo", func(b bench) { b.Keys("ctrl+k", "ctrl+k") }},
	{"compose", "demo", func(b bench) { b.Keys("n") }},
	{"facts", "demo", func(b bench) { b.Keys("n"); b.Type("testdata/join.json"); b.Keys("enter") }},
	{"rescue", "rescued", func(b bench) { b.Keys("j") }},
	{"result", "rescued", func(b bench) { b.Keys("j", "4") }},
	{"unplannable", "empty", func(b bench) { b.Keys("n"); b.Type(wanted) }},
	{"told", "planner", func(b bench) { b.Keys("n"); b.Type(wanted) }},
	{"planning", "planner", func(b bench) { b.Keys("n"); b.Type("Wait forever"); b.Keys("enter") }},
	{"planfailed", "planner", func(b bench) { b.Keys("n"); b.Type("Fly to the moon"); b.Keys("enter") }},
	{"planned", "planner", func(b bench) { b.Keys("n"); b.Type(wanted); b.Keys("enter") }},
	{"planedit", "planner", func(b bench) { b.Keys("n"); b.Type(wanted); b.Keys("enter", "e") }},
	{"planwrong", "planner", func(b bench) {
		b.Keys("n")
		b.Type(wanted)
		b.Keys("enter", "e", "down", "down", "down", "down")
		b.Type("{ \"fly\": \"to it\" },")
	}},
	{"planvalues", "planner", func(b bench) { b.Keys("n"); b.Type(wanted); b.Keys("enter", "enter") }},
	{"faults", "demo", func(b bench) { b.Keys("n"); b.Type("testdata/faulty.json"); b.Keys("enter") }},
}

// Every screen is reached at one size and then resized to each of the four.
func TestD11Goldens(t *testing.T) {
	for _, s := range screens {
		for name, size := range uitest.Sizes() {
			t.Run(s.name+"_"+name, func(t *testing.T) {
				at(t, s.scene, uitest.Size{Width: 101, Height: 30}, func(b bench) {
					s.reach(b)
					b.Resize(size)
					b.Wait(2 * time.Second)
					golden.RequireEqual(t, b.Frame())
				})
			})
		}
	}
}

// Every screen once more with its styles. Without colour weights alone tell the
// ranks apart (D15: the waits differ by word).
func TestStyledGoldens(t *testing.T) {
	themes := map[string]theme.Options{
		"dark":    {Profile: termenv.TrueColor},
		"light":   {Profile: termenv.TrueColor, Light: true},
		"nocolor": {Profile: termenv.ANSI, NoColor: true},
	}
	for _, s := range screens {
		for name, o := range themes {
			t.Run(s.name+"_"+name, func(t *testing.T) {
				with(t, s.scene, usual, Options{}, theme.New(o), func(b bench) {
					s.reach(b)
					b.Wait(2 * time.Second)
					golden.RequireEqual(t, b.Model.View())
				})
			})
		}
	}
}

func TestEveryFrameFillsTheTerminal(t *testing.T) {
	for _, s := range screens {
		at(t, s.scene, usual, func(b bench) {
			s.reach(b)
			for _, size := range []uitest.Size{{Width: 60, Height: 16}, {Width: 61, Height: 50}, {Width: 99, Height: 17}, {Width: 100, Height: 16}, {Width: 240, Height: 70}} {
				b.Resize(size)
				checkFrame(t, s.name, b, size)
			}
		})
	}
}

func TestMain(m *testing.M) {
	if where := os.Getenv(deskEnv); where != "" {
		os.Exit(runDesk(where))
	}
	// Flow files are named by paths of this folder.
	if wd, err := os.Getwd(); err != nil || filepath.Base(wd) != "ui" {
		panic("the tests of ui run in their own folder")
	}
	_ = os.Unsetenv("VISUAL") // no test opens an editor unasked
	_ = os.Unsetenv("EDITOR")
	time.Local = time.UTC // the log shows the time of day
	os.Exit(m.Run())
}
