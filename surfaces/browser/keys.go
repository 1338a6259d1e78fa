package browser

import (
	"runtime"
	"strings"

	"github.com/chromedp/chromedp/kb"
)

// chord is one key with its modifiers.
type chord struct {
	key       *kb.Key
	modifiers kb.Modifier
	back      bool // alt+left: the browser's own, done by its history
}

// selectAllModifier is what cmd means on this system.
func selectAllModifier() kb.Modifier {
	if runtime.GOOS == "darwin" {
		return kb.ModifierMeta
	}
	return kb.ModifierCtrl
}

// readChord reads the logical spelling of surfaces.md 8.2; false for what has no
// spelling in a browser.
func readChord(combo string) (chord, bool) {
	combo = strings.ToLower(strings.TrimSpace(combo))
	if combo == "back" {
		return chord{back: true}, true
	}
	parts := strings.Split(combo, "+")
	if strings.HasSuffix(combo, "++") { // the plus key itself
		parts = append(strings.Split(strings.TrimSuffix(combo, "++"), "+"), "+")
	} else if combo == "+" {
		parts = []string{"+"}
	}
	var c chord
	for _, m := range parts[:len(parts)-1] {
		switch strings.TrimSpace(m) {
		case "cmd", "command":
			c.modifiers |= selectAllModifier()
		case "ctrl", "control":
			c.modifiers |= kb.ModifierCtrl
		case "alt", "option":
			c.modifiers |= kb.ModifierAlt
		case "shift":
			c.modifiers |= kb.ModifierShift
		case "meta", "super", "win":
			c.modifiers |= kb.ModifierMeta
		default:
			return chord{}, false
		}
	}
	name := strings.TrimSpace(parts[len(parts)-1])
	if name == "" && strings.HasSuffix(combo, " ") {
		name = "space"
	}
	c.key = key(name)
	return c, c.key != nil
}

// key finds a key by its logical name; nil for an unknown one.
func key(name string) *kb.Key {
	names := map[string]string{
		"return": kb.Enter, "enter": kb.Enter, "escape": kb.Escape, "esc": kb.Escape, "tab": kb.Tab, "space": " ",
		"up": kb.ArrowUp, "down": kb.ArrowDown, "left": kb.ArrowLeft, "right": kb.ArrowRight,
		"arrowup": kb.ArrowUp, "arrowdown": kb.ArrowDown, "arrowleft": kb.ArrowLeft, "arrowright": kb.ArrowRight,
		"home": kb.Home, "end": kb.End, "pageup": kb.PageUp, "page_up": kb.PageUp, "pagedown": kb.PageDown, "page_down": kb.PageDown,
		"backspace": kb.Backspace, "delete": kb.Delete, "del": kb.Delete, "insert": kb.Insert,
	}
	if known, ok := names[name]; ok {
		name = known
	}
	if r := []rune(name); len(r) == 1 {
		return kb.Keys[r[0]]
	}
	return nil
}
