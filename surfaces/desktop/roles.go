package desktop

import "countersign/surfaces"

// role is AtspiRole (at-spi2-core, atspi/atspi-constants.h).
type role uint32

// The roles that are told apart here.
const (
	roleAlert             role = 2
	roleCanvas            role = 6
	roleCheckBox          role = 7
	roleCheckMenuItem     role = 8
	roleColumnHeader      role = 10
	roleComboBox          role = 11
	roleDateEditor        role = 12
	roleDial              role = 15
	roleDialog            role = 16
	roleDrawingArea       role = 18
	roleFileChooser       role = 19
	roleFiller            role = 20
	roleFrame             role = 23
	roleHTMLContainer     role = 25
	roleIcon              role = 26
	roleImage             role = 27
	roleInternalFrame     role = 28
	roleLabel             role = 29
	roleList              role = 31
	roleListItem          role = 32
	roleMenu              role = 33
	roleMenuBar           role = 34
	roleMenuItem          role = 35
	rolePageTab           role = 37
	rolePageTabList       role = 38
	rolePanel             role = 39
	rolePasswordText      role = 40
	rolePopupMenu         role = 41
	roleProgressBar       role = 42
	rolePushButton        role = 43
	roleRadioButton       role = 44
	roleRadioMenuItem     role = 45
	roleScrollBar         role = 48
	roleScrollPane        role = 49
	roleSeparator         role = 50
	roleSlider            role = 51
	roleSpinButton        role = 52
	roleStatusBar         role = 54
	roleTable             role = 55
	roleTableCell         role = 56
	roleTableColumnHeader role = 57
	roleTearoffMenuItem   role = 59
	roleTerminal          role = 60
	roleText              role = 61
	roleToggleButton      role = 62
	roleToolBar           role = 63
	roleToolTip           role = 64
	roleTree              role = 65
	roleTreeTable         role = 66
	roleViewport          role = 68
	roleWindow            role = 69
	roleParagraph         role = 73
	roleApplication       role = 75
	roleAutocomplete      role = 76
	roleEntry             role = 79
	roleCaption           role = 81
	roleDocumentFrame     role = 82
	roleHeading           role = 83
	roleSection           role = 85
	roleForm              role = 87
	roleLink              role = 88
	roleTableRow          role = 90
	roleTreeItem          role = 91
	roleDocumentText      role = 94
	roleDocumentWeb       role = 95
	roleDocumentEmail     role = 96
	roleListBox           role = 98
	roleGrouping          role = 99
	roleNotification      role = 101
	roleInfoBar           role = 102
	roleArticle           role = 109
	roleLandmark          role = 110
	roleStatic            role = 116
	rolePushButtonMenu    role = 129
	roleSwitch            role = 130
)

// kind says what becomes of a node in a Screen.
type kind int

// A part is a container that stands in paths; an unnamed one with an empty word
// leaves no trace.
const (
	part kind = iota
	control
	words
)

// mapped is one line of the table of surfaces.md 9.1.
type mapped struct {
	kind kind
	word string // role of a candidate, or of a container in a path
}

// wordOf says what a role becomes. A role that is not named is a container
// without a word: what stands in it is read all the same.
func wordOf(r role) mapped {
	switch r {
	case rolePushButton, rolePushButtonMenu:
		return mapped{control, "button"}
	case roleToggleButton, roleSwitch:
		return mapped{control, "switch"}
	case roleCheckBox:
		return mapped{control, "checkbox"}
	case roleRadioButton:
		return mapped{control, "radio"}
	case roleText, roleEntry, rolePasswordText, roleDateEditor, roleAutocomplete:
		return mapped{control, "textbox"} // a text of several lines is a textarea
	case roleComboBox:
		return mapped{control, "combobox"}
	case roleSpinButton:
		return mapped{control, "spinbutton"}
	case roleSlider, roleDial:
		return mapped{control, "slider"}
	case rolePageTab:
		return mapped{control, "tab"}
	case roleMenu, roleMenuItem, roleCheckMenuItem, roleRadioMenuItem, roleTearoffMenuItem:
		return mapped{control, "menuitem"} // in a combo box it is an option
	case roleListItem, roleIcon:
		return mapped{control, "listitem"}
	case roleTreeItem:
		return mapped{control, "treeitem"}
	case roleTableRow:
		return mapped{control, "row"}
	case roleTableCell:
		return mapped{control, "cell"}
	case roleColumnHeader, roleTableColumnHeader:
		return mapped{control, "button"} // it sorts; without an action it is words
	case roleLink:
		return mapped{control, "link"}
	case roleImage:
		return mapped{control, "image"} // without an action it is left out
	case roleLabel, roleStatic, roleCaption, roleParagraph, roleHeading, roleStatusBar, roleNotification, roleInfoBar, roleProgressBar, roleToolTip:
		return mapped{words, "text"}
	default:
		return mapped{part, container(r)}
	}
}

// container is the word of a container in a path; empty for what only holds
// others in place.
func container(r role) string {
	switch r {
	case roleFrame, roleWindow, roleInternalFrame:
		return "window"
	case roleDialog, roleFileChooser:
		return "dialog"
	case roleAlert:
		return "alert"
	case rolePopupMenu:
		return "menu"
	case roleMenuBar:
		return "menubar"
	case roleToolBar:
		return "toolbar"
	case rolePageTabList:
		return "tablist"
	case roleList, roleListBox:
		return "list"
	case roleTable:
		return "table"
	case roleTree, roleTreeTable:
		return "tree"
	case roleArticle:
		return "article"
	case roleForm:
		return "form"
	case roleSection, roleLandmark:
		return "region"
	case rolePanel, roleGrouping:
		return "group"
	case roleDocumentFrame, roleDocumentText, roleDocumentWeb, roleDocumentEmail, roleHTMLContainer:
		return "document"
	default:
		return ""
	}
}

// numbered containers and controls carry their ordinal among their like in
// paths (surfaces.md 7.6).
func numbered(word string) bool {
	switch word {
	case "listitem", "row", "article", "group", "region", "option", "gridcell", "cell", "treeitem":
		return true
	default:
		return false
	}
}

// front is what Screen.Surface says of a window or layer.
func front(r role) string {
	switch r {
	case roleDialog, roleFileChooser:
		return surfaces.FrontDialog
	case roleAlert:
		return surfaces.FrontAlert
	case roleMenu, rolePopupMenu:
		return surfaces.FrontMenu
	default:
		return surfaces.FrontWindow
	}
}

// private are the roles whose text is what a person wrote, not what the program
// says.
func private(r role) bool {
	switch r {
	case roleText, roleEntry, rolePasswordText, roleTerminal, roleDocumentFrame, roleDocumentText, roleDocumentWeb, roleDocumentEmail, roleAutocomplete:
		return true
	default:
		return false
	}
}

// states is AtspiStateSet, two words of 32 flags.
type states uint64

// The flags that are told apart here (AtspiStateType).
const (
	stActive      states = 1 << 1
	stChecked     states = 1 << 4
	stDefunct     states = 1 << 6
	stEditable    states = 1 << 7
	stEnabled     states = 1 << 8
	stExpandable  states = 1 << 9
	stExpanded    states = 1 << 10
	stFocusable   states = 1 << 11
	stFocused     states = 1 << 12
	stModal       states = 1 << 16
	stMultiLine   states = 1 << 17
	stPressed     states = 1 << 20
	stSelectable  states = 1 << 22
	stSelected    states = 1 << 23
	stSensitive   states = 1 << 24
	stShowing     states = 1 << 25
	stVertical    states = 1 << 29
	stVisible     states = 1 << 30
	stManages     states = 1 << 31 // its children are made on demand
	stRequired    states = 1 << 33
	stCheckable   states = 1 << 41
	stReadOnly    states = 1 << 43
	shownOnScreen        = stVisible | stShowing
)

func statesOf(words []uint32) states {
	var s states
	for i, w := range words {
		if i < 2 {
			s |= states(w) << (32 * i)
		}
	}
	return s
}

func (s states) has(flags states) bool { return s&flags == flags }

// ifaces are the interfaces an accessible has.
type ifaces uint8

// The interfaces that are used.
const (
	hasAction ifaces = 1 << iota
	hasComponent
	hasEditable
	hasSelection
	hasTable
	hasText
	hasValue
)

func ifacesOf(names []string) ifaces {
	var all ifaces
	for _, n := range names {
		switch n {
		case atspi + "Action":
			all |= hasAction
		case atspi + "Component":
			all |= hasComponent
		case atspi + "EditableText":
			all |= hasEditable
		case atspi + "Selection":
			all |= hasSelection
		case atspi + "Table":
			all |= hasTable
		case atspi + "Text":
			all |= hasText
		case atspi + "Value":
			all |= hasValue
		}
	}
	return all
}

func (i ifaces) has(one ifaces) bool { return i&one != 0 }

// stateWords are the states of a candidate, in a fixed order.
func stateWords(r role, s states, takesText bool) []string {
	var all []string
	add := func(word string, holds bool) {
		if holds {
			all = append(all, word)
		}
	}
	add(surfaces.Focused, s.has(stFocused))
	add(surfaces.Disabled, !s.has(stSensitive) || !s.has(stEnabled))
	add(surfaces.Selected, s.has(stSelected) && r != roleMenu) // the open menu is selected too; it is expanded
	add(surfaces.Checked, s.has(stChecked) || s.has(stPressed) && r == roleToggleButton)
	add(surfaces.Expanded, s.has(stExpandable|stExpanded))
	add(surfaces.Collapsed, s.has(stExpandable) && !s.has(stExpanded))
	add(surfaces.ReadOnly, takesText && !s.has(stEditable) || s.has(stReadOnly))
	add(surfaces.Required, s.has(stRequired))
	add(surfaces.Offscreen, !s.has(stShowing))
	return all
}
