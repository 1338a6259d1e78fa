//go:build !unix

package ui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
)

// stops has nothing to watch here: nothing can be suspended.
type stops struct{}

func newStops() stops { return stops{} }

func (stops) watch(context.Context, *tea.Program) {}
func (stops) heard(tea.Msg)                       {}

func alone() bool { return true }
