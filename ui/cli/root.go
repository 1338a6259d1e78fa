package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"countersign/surfaces/fault"
)

// Exit codes (desk.md section 7).
const (
	ExitDone        = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitWaiting     = 3
	ExitDeclined    = 4
	ExitInterrupted = 130
)

// exitError ends a command with a code and no message of its own.
type exitError struct{ code int }

func (e exitError) Error() string { return fmt.Sprintf("exit %d", e.code) }

// command is one invocation: what main plugged in, the streams, and the global
// flags.
type command struct {
	wiring Wiring
	io     Streams

	storePath  string
	configPath string
	json       bool
	plain      bool
	noColor    bool
}

// Execute runs one command line and returns its exit code. Errors are written
// to the error stream as "CODE: message" and a "hint:" line.
func Execute(ctx context.Context, w Wiring, s Streams, args []string) int {
	c := &command{wiring: w, io: s}
	root := c.root()
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	return c.exit(ctx, root.ExecuteContext(ctx))
}

func (c *command) exit(ctx context.Context, err error) int {
	var code exitError
	if errors.As(err, &code) {
		return code.code
	}
	if err == nil {
		return ExitDone
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return ExitInterrupted
	}
	c.tell(err)
	if slices.Contains(wrongUse(), fault.CodeOf(err)) {
		return ExitUsage
	}
	return ExitFailed
}

// tell writes an error for the person.
func (c *command) tell(err error) {
	f := fault.Of(err)
	fprintf(c.io.Err, "%s: %s\nhint: %s\n", f.Code, f.Message, f.Hint)
}

// wrongUse lists the codes of what the person gave and can put right.
func wrongUse() []fault.Code {
	return []fault.Code{
		fault.InvalidUsage, fault.InvalidFlow, fault.InvalidConfig, fault.InvalidRequest,
		fault.UnknownSecret, fault.OriginsRequired, fault.InvalidOutput, fault.OutputUnavailable,
	}
}

func (c *command) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "countersign",
		Short: "A desk at which a person supervises running computer tasks",
		Long: "countersign lists running computer tasks, streams what they do, and stops for a person when a\nvalue is missing, when an act cannot be taken back, or when only a person can pass.\n\n" +
			"Exit codes: 0 done, or a payment answered \"I paid\"; 1 failed; 2 wrong use or a bad flow; 3 waiting for a\n" +
			"person who cannot be asked, the task left waiting; 4 cancelled, declined, or \"I did not\"; 130 interrupted.\n" +
			"Errors are written as CODE: message, and a hint: with the next move. `countersign doctor` says where the\n" +
			"store, the configuration and the log lie.",
		Version:       c.wiring.Version,
		Args:          noArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return c.desk(cmd.Context()) },
	}
	root.SetVersionTemplate("countersign {{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage(err.Error()) })
	f := root.PersistentFlags()
	f.StringVar(&c.storePath, "store", "", "the store's `path` (default: desk.db in the state folder)")
	f.StringVar(&c.configPath, "config", "", "the configuration's `path`")
	f.BoolVar(&c.json, "json", false, "write JSON, ask nothing")
	f.BoolVar(&c.plain, "plain", false, "lines instead of a screen, for screen readers and scripts")
	f.BoolVar(&c.noColor, "no-color", false, "no colour")
	root.AddCommand(c.runCommand(), c.demoCommand(), c.checkCommand(), c.lookCommand(), c.tasksCommand(), c.reportCommand(), c.explainCommand(),
		c.cancelCommand(), c.pruneCommand(), c.guideCommand(), c.doctorCommand(), c.drillCommand(), c.drillDeskCommand(), c.caseCommand(), c.robotCommand(), c.wardenCommand())
	root.AddCommand(c.manCommand(root))
	c.completions(root)
	return root
}

// robotCommand is the process that owns desktop input; started by the desk
// itself, never by a person.
func (c *command) robotCommand() *cobra.Command {
	return &cobra.Command{
		Use: "robot", Hidden: true, Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return c.wiring.Robot(c.io.In, c.io.Out) },
	}
}

func usage(message string) error { return fault.New(fault.InvalidUsage, message) }

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(fmt.Sprintf("%s takes no %q", cmd.CommandPath(), args[0]))
	}
	return nil
}

func oneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usage(fmt.Sprintf("%s takes exactly one %s", cmd.CommandPath(), what))
		}
		return nil
	}
}

// settings joins configuration and flags; flags win.
func (c *command) settings() (Settings, Config, error) {
	paths := defaultPaths(c.io.Env)
	if c.configPath != "" {
		paths.Config = c.configPath
	}
	config, err := readConfig(paths.Config, c.configPath != "")
	if err != nil {
		return Settings{}, Config{}, err
	}
	store := paths.Store
	if config.Store.Path != "" {
		store = config.Store.Path
	}
	if c.storePath != "" {
		store = c.storePath
	}
	if paths.Store, err = filepath.Abs(store); err != nil {
		return Settings{}, Config{}, usage(err.Error())
	}
	return Settings{
		Paths: paths, Executable: config.Browser.Executable, Profile: config.Browser.Profile,
		Endpoint: config.Browser.Endpoint, Headed: config.Browser.Headed, Journal: config.Journal.Directory,
		Models: config.Model.models(),
	}, config, nil
}

// colourless reports whether nothing may be coloured (no-color.org: any
// non-empty NO_COLOR).
func (c *command) colourless() bool { return c.noColor || c.io.Env("NO_COLOR") != "" }

// plainly reports whether lines are wanted instead of a screen.
func (c *command) plainly() bool {
	t := c.io.Env("TERM")
	return c.plain || t == "dumb" || t == ""
}

func (c *command) printf(format string, args ...any) { fprintf(c.io.Out, format, args...) }

// fprintf writes for a person; a closed pipe shows in the command's own end,
// so the error of one line is not worth handling.
func fprintf(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }
