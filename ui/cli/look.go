package cli

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/ui/text"
)

// Window is one page that is looked at. Release gives it back: what was opened
// is closed, a tab of the person's stays.
type Window interface {
	surfaces.Surface
	surfaces.Photographer
	Denoised() surfaces.Denoised
	Viewport() (width, height float64)
	Release(ctx context.Context) error
}

// WindowNeeds say which page is to be looked at, and in what.
type WindowNeeds struct {
	surfaces.Needs
	Person        bool   // the person's own tab, at the endpoint
	Tab           string // part of that tab's address or title; empty: the only one
	Tree          bool   // read the accessibility tree alone
	Width, Height int    // of the window of a browser that is started; 0: as for a task
	Folder        string // for what the browser writes
}

// lookFlags are the flags of look.
type lookFlags struct {
	endpoint string
	tab      string
	picture  string
	viewport string
	origins  []string
	headed   bool
	tree     bool
}

func (c *command) lookCommand() *cobra.Command {
	var f lookFlags
	cmd := &cobra.Command{
		Use:   "look [URL]",
		Short: "Print what a task would see of a page",
		Long: "look opens a page as a task would and prints every control it would see, with the texts between them\n" +
			"and how much was left out. With --endpoint and no URL it reads the tab of a running Chrome, where the\n" +
			"person is, and changes nothing there. With --picture the controls are drawn as numbered boxes over a\n" +
			"picture of the window, passwords blacked out; a number is the ref without seen:.",
		Example: "  countersign look http://127.0.0.1:8100\n  countersign look http://127.0.0.1:8100 --picture page.png\n  countersign look --endpoint http://127.0.0.1:9222 --tab inbox",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("look takes one address at most")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.look(cmd.Context(), args, f) },
	}
	f.bind(cmd)
	cmd.Flags().StringVar(&f.picture, "picture", "", "write a picture with numbered boxes to this PNG `file`")
	return cmd
}

// bind adds the flags that say which page is opened, and in what.
func (f *lookFlags) bind(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.endpoint, "endpoint", "", "look into a running Chrome at this `address`")
	fl.StringVar(&f.tab, "tab", "", "the tab there whose address or title holds this `text`")
	fl.StringVar(&f.viewport, "viewport", "", "`size` of the window, such as 1280x800")
	fl.StringArrayVar(&f.origins, "origin", nil, "a `site` that may be opened; may be repeated")
	fl.BoolVar(&f.headed, "headed", false, "show the browser")
	fl.BoolVar(&f.tree, "tree", false, "read the accessibility tree alone")
}

func (c *command) look(ctx context.Context, args []string, f lookFlags) error {
	return c.looking(ctx, args, f, func(_ Settings, _ string, w Window) error { return c.seen(ctx, w, f.picture) })
}

// looking opens a page, at the one address or in the tab that is there, gives it
// to see with the folder of what is temporary, and lets it go.
func (c *command) looking(ctx context.Context, args []string, f lookFlags, see func(s Settings, folder string, w Window) error) (err error) {
	settings, _, err := c.settings()
	if err != nil {
		return err
	}
	needs, err := f.needs(args, settings)
	if err != nil {
		return err
	}
	if needs.Folder, err = os.MkdirTemp("", "countersign-look-"); err != nil {
		return fault.Wrap(fault.StoreReadOnly, err, "no folder can be made for the browser").
			WithHint("Let TMPDIR name a folder that can be written.")
	}
	defer func() { _ = os.RemoveAll(needs.Folder) }() // temporary anyway
	w, err := c.wiring.Window(ctx, settings, needs)
	if err != nil {
		return err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		if released := w.Release(closing); err == nil {
			err = released
		}
	}()
	if len(args) == 1 {
		if r := w.Navigate(ctx, args[0]); !r.OK {
			return r.Err()
		}
		w.Settle(ctx)
	}
	return see(settings, needs.Folder, w)
}

// needs turns flags into what is to be opened.
func (f lookFlags) needs(args []string, s Settings) (WindowNeeds, error) {
	n := WindowNeeds{Tree: f.tree, Tab: f.tab}
	n.Sides, n.Origins = []surfaces.Side{surfaces.Browser}, f.origins
	n.Endpoint, n.Headed = f.endpoint, f.headed || s.Headed
	if n.Endpoint == "" && len(args) == 0 {
		return n, usage("look takes an address, or --endpoint and reads the tab there")
	}
	if n.Endpoint != "" {
		if u, err := url.Parse(n.Endpoint); err != nil || u.Host == "" {
			return n, usage("--endpoint takes an address such as http://127.0.0.1:9222")
		}
	}
	n.Person = len(args) == 0
	if f.tab != "" && !n.Person {
		return n, usage("--tab goes with --endpoint and without an address")
	}
	if f.viewport == "" {
		return n, nil
	}
	w, h, ok := strings.Cut(f.viewport, "x")
	var err, err2 error
	n.Width, err = strconv.Atoi(w)
	n.Height, err2 = strconv.Atoi(h)
	if !ok || err != nil || err2 != nil || n.Width < 200 || n.Height < 200 || n.Width > 8000 || n.Height > 8000 {
		return n, usage("--viewport takes a width and a height such as 1280x800, each from 200 to 8000")
	}
	if n.Endpoint != "" {
		return n, usage("--viewport goes with a browser of our own, not with --endpoint")
	}
	return n, nil
}

// seen reads the page and shows it in the way that was asked for.
func (c *command) seen(ctx context.Context, w Window, picture string) error {
	screen, r := w.Observe(ctx, "", "", surfaces.Full)
	if r != nil {
		return r.Err()
	}
	if picture != "" {
		shot, r := w.Photograph(ctx, surfaces.Hidden{})
		if r != nil {
			return r.Err()
		}
		width, _ := w.Viewport()
		png, err := boxed(shot, screen, width)
		if err != nil {
			return err
		}
		if err := os.WriteFile(picture, png, 0o600); err != nil {
			return fault.Wrap(fault.InvalidUsage, err, "the picture "+picture+" cannot be written").WithHint("Name a file in a folder that can be written.")
		}
	}
	if c.json {
		return c.printJSON(lookJSON(screen, w))
	}
	c.printScreen(screen, w)
	if picture != "" {
		c.printf("\npicture: %s\n", picture)
	}
	return nil
}

// Widths above which a column is cut; --json has everything.
const (
	nameCells  = 44
	stateCells = 24
	saysCells  = 36
	pathCells  = 48
)

func (c *command) printScreen(screen *surfaces.Screen, w Window) {
	width, height := w.Viewport()
	d := w.Denoised()
	c.printf("%s\n%s  in front: %s  window %.0fx%.0f\n", clean(screen.Window), clean(screen.Address), screen.Surface, width, height)
	c.printf("%d controls; left out: %d advertisements, %d blank boxes, %d hidden\n\n", len(screen.Candidates), d.Ads, d.Empty, d.Hidden)
	rows := [][]string{{"ref", "control", "states", "says", "in", "box"}}
	for i := range screen.Candidates {
		rows = append(rows, row(&screen.Candidates[i]))
	}
	limits := []int{16, nameCells, stateCells, saysCells, pathCells, 40}
	widths := make([]int, len(limits))
	for _, r := range rows {
		for i, cell := range r {
			r[i] = text.Truncate(cell, limits[i])
			widths[i] = max(widths[i], text.Width(r[i]))
		}
	}
	for _, r := range rows {
		var line strings.Builder
		for i, cell := range r {
			line.WriteString(text.Pad(cell, widths[i]) + "  ")
		}
		c.printf("%s\n", strings.TrimRight(line.String(), " "))
	}
	c.printf("\nthe page says\n")
	for _, line := range screen.Context {
		c.printf("  %s\n", clean(line))
	}
}

// row is one control in the columns of look. Every word of it is foreign.
func row(k *surfaces.Candidate) []string {
	control := k.Role
	if k.Name != "" {
		control += " " + strconv.Quote(k.Name)
	}
	if k.Value != "" {
		control += " = " + strconv.Quote(k.Value)
	}
	b := k.Bounds
	return []string{
		k.Ref, clean(control), strings.Join(k.States, " "), clean(k.Description), clean(strings.Join(k.Path, " › ")),
		fmt.Sprintf("%.0f,%.0f %.0fx%.0f", b.X, b.Y, b.Width, b.Height),
	}
}

// lookedAt is a screen as look writes it: with what a screen keeps to itself.
type lookedAt struct {
	*surfaces.Screen
	Candidates []lookedControl   `json:"candidates"`
	Denoised   surfaces.Denoised `json:"denoised"`
	Viewport   [2]float64        `json:"viewport"`
}

type lookedControl struct {
	surfaces.Candidate
	Path        []string `json:"path,omitempty"`
	Order       int      `json:"order"`
	Form        string   `json:"form,omitempty"`
	InputType   string   `json:"input_type,omitempty"`
	Destination string   `json:"destination,omitempty"`
}

func lookJSON(screen *surfaces.Screen, w Window) lookedAt {
	out := lookedAt{Screen: screen, Denoised: w.Denoised(), Candidates: []lookedControl{}}
	out.Viewport[0], out.Viewport[1] = w.Viewport()
	for _, k := range screen.Candidates {
		out.Candidates = append(out.Candidates, lookedControl{k, k.Path, k.Order, k.Form, k.InputType, k.Destination})
	}
	return out
}
