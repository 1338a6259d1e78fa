package desktop

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/surfaces"
)

// TestRoles is the table of surfaces.md 9.1.
func TestRoles(t *testing.T) {
	tests := []struct {
		role role
		want mapped
	}{
		{rolePushButton, mapped{control, "button"}},
		{roleEntry, mapped{control, "textbox"}},
		{roleText, mapped{control, "textbox"}},
		{rolePasswordText, mapped{control, "textbox"}},
		{roleComboBox, mapped{control, "combobox"}},
		{roleCheckBox, mapped{control, "checkbox"}},
		{roleRadioButton, mapped{control, "radio"}},
		{roleToggleButton, mapped{control, "switch"}},
		{roleSwitch, mapped{control, "switch"}},
		{rolePageTab, mapped{control, "tab"}},
		{roleMenuItem, mapped{control, "menuitem"}},
		{roleRadioMenuItem, mapped{control, "menuitem"}},
		{roleListItem, mapped{control, "listitem"}},
		{roleTreeItem, mapped{control, "treeitem"}},
		{roleTableCell, mapped{control, "cell"}},
		{roleTableRow, mapped{control, "row"}},
		{roleLink, mapped{control, "link"}},
		{roleSlider, mapped{control, "slider"}},
		{roleSpinButton, mapped{control, "spinbutton"}},
		{roleLabel, mapped{words, "text"}},
		{roleStatic, mapped{words, "text"}},
		{roleHeading, mapped{words, "text"}},
		{roleDialog, mapped{part, "dialog"}},
		{roleAlert, mapped{part, "alert"}},
		{roleFrame, mapped{part, "window"}},
		{roleFiller, mapped{part, ""}},
		{role(9999), mapped{part, ""}},
	}
	for _, tt := range tests {
		if got := wordOf(tt.role); got != tt.want {
			t.Errorf("role %d: %v, want %v", tt.role, got, tt.want)
		}
	}
}

func TestStates(t *testing.T) {
	const usable = stSensitive | stEnabled | shownOnScreen
	tests := []struct {
		name  string
		role  role
		flags states
		text  bool
		want  []string
	}{
		{"nothing special", rolePushButton, usable, false, nil},
		{"focused", rolePushButton, usable | stFocused, false, []string{surfaces.Focused}},
		{"selected", roleListItem, usable | stSelected, false, []string{surfaces.Selected}},
		{"checked", roleCheckBox, usable | stChecked, false, []string{surfaces.Checked}},
		{"a pressed toggle is checked", roleToggleButton, usable | stPressed, false, []string{surfaces.Checked}},
		{"a pressed button is not", rolePushButton, usable | stPressed, false, nil},
		{"expanded", roleTreeItem, usable | stExpandable | stExpanded, false, []string{surfaces.Expanded}},
		{"collapsed", roleTreeItem, usable | stExpandable, false, []string{surfaces.Collapsed}},
		{"expanded only of what can open", roleTreeItem, usable | stExpanded, false, nil},
		{"not sensitive", rolePushButton, stEnabled | shownOnScreen, false, []string{surfaces.Disabled}},
		{"not enabled", rolePushButton, stSensitive | shownOnScreen, false, []string{surfaces.Disabled}},
		{"a field not to be edited", roleText, usable, true, []string{surfaces.ReadOnly}},
		{"a field to be edited", roleText, usable | stEditable, true, nil},
		{"not showing", rolePushButton, stSensitive | stEnabled | stVisible, false, []string{surfaces.Offscreen}},
		{"required", roleText, usable | stEditable | stRequired, true, []string{surfaces.Required}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, stateWords(tt.role, tt.flags, tt.text)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestStatesOfTwoWords(t *testing.T) {
	if got := statesOf([]uint32{1 << 25, 1 << 1, 1 << 3}); got != stShowing|stRequired {
		t.Errorf("got %b", got)
	}
}
