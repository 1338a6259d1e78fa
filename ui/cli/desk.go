package cli

import (
	"context"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/surfaces/fault"
)

// desk opens the full-screen desk, or its lines where a screen is not wanted.
func (c *command) desk(ctx context.Context) error {
	if !c.io.Terminal {
		return usage("the desk needs a terminal").(*fault.Error).
			WithHint("Use `countersign run FLOW.json --json` in scripts; `countersign help` lists the commands.")
	}
	settings, config, err := c.settings()
	if err != nil {
		return err
	}
	opened, err := c.hold(ctx, settings)
	if err != nil {
		return err
	}
	o := c.deskOptions(settings, config)
	o.Holder, o.Notice = opened.Holder, opened.Unshared
	release, err := c.sit(ctx, opened.Desk, o)
	if closing := opened.Close(release); err == nil {
		err = closing
	}
	return err
}

func (c *command) deskOptions(s Settings, config Config) DeskOptions {
	defaults := task.Constraints{Headed: s.Headed}
	browserDefaults(&defaults, s)
	return DeskOptions{
		Paths: s.Paths, Theme: config.UI.Theme, Colours: config.UI.Colors, NoColor: c.colourless(), Bell: config.UI.Bell == nil || *config.UI.Bell,
		Notify: config.UI.Notify, Tmux: c.io.Env("TMUX") != "", Mouse: config.UI.Mouse, Version: c.wiring.Version,
		Defaults: defaults,
	}
}

// sit lets the person work at the desk until they leave; it reports whether
// the browsers of waiting tasks are to be closed.
func (c *command) sit(ctx context.Context, d controller.Desk, o DeskOptions) (bool, error) {
	if c.plainly() {
		p := newPlain(c, d)
		p.holder = o.Holder
		return p.all(ctx, o.Notice, o.Demo)
	}
	end, err := c.wiring.Desk(ctx, d, o)
	return end.Release, err
}
