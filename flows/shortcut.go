package flows

import (
	"context"

	"countersign/surfaces"
)

// spelling maps a shortcut to a key. None sends, deletes or quits.
var spelling = map[string]string{
	"new_item": "cmd+n", "new_folder": "cmd+shift+n", "find": "cmd+f", "reply": "cmd+r", "settings": "cmd+,",
	"back": "alt+left", "next_field": "tab", "confirm": keyReturn, "dismiss": keyEscape,
}

// shortcutsOf lists the shortcuts a side can spell: a page has its own keys, so
// the browser keeps to those that mean the same everywhere.
func shortcutsOf(side surfaces.Side) []string {
	if side == surfaces.Browser {
		return []string{"back", "next_field", "confirm", "dismiss"}
	}
	return []string{"new_item", "new_folder", "find", "reply", "settings", "back", "next_field", "confirm", "dismiss"}
}

// shortcut presses a key, unless the same was pressed three times in the step.
func (s *step) shortcut(ctx context.Context, l *loop, screen *surfaces.Screen, name string) error {
	place := "key|" + name
	if s.presses[place] >= mostSamePresses {
		s.note("the shortcut %s was pressed %d times already", name, mostSamePresses)
		return nil
	}
	s.presses[place]++
	l.acted, l.before, l.pressed, l.copies = true, screen, nil, nil
	a := action{op: opPress, text: spelling[name]}
	if name == "back" && screen.Side == surfaces.Browser {
		a = action{op: opBack}
	}
	if no := s.mayAct(a); no != nil {
		s.note("%s", no.Error())
		return nil
	}
	_, err := s.act(ctx, a)
	return err
}
