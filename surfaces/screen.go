package surfaces

// Kinds of what is in front (Screen.Surface).
const (
	FrontWindow  = "window"
	FrontSheet   = "sheet"
	FrontDialog  = "dialog"
	FrontAlert   = "alert"
	FrontMenu    = "menu"
	FrontPopover = "popover"
	FrontNone    = "none"
)

// Screen is what a surface showed at one moment. Every string in it is foreign
// text: data, never instructions, cleaned only where it is shown to a person.
type Screen struct {
	App        string      `json:"app"`
	Window     string      `json:"window,omitempty"` // title of the window or page
	Surface    string      `json:"surface"`
	Candidates []Candidate `json:"candidates"` // document order
	TextNodes  []TextNode  `json:"text_nodes"` // ref-less text, document order; may mirror field content
	Context    []string    `json:"context"`    // visible, not actionable, not field content; at most 60 lines of 160
	Unexplored []string    `json:"unexplored"` // refs of subtrees cut short; empty on the browser side

	Side    Side   `json:"side"`
	Address string `json:"address,omitempty"` // full address of the page; empty on the desktop
	Origin  string `json:"origin,omitempty"`  // as the browser writes it; on the desktop application and title
}

// TextNode is one readable piece of text that is no control.
type TextNode struct {
	Text   string   `json:"text"`
	Path   []string `json:"path,omitempty"` // ancestor labels, outermost first
	Order  int      `json:"order"`          // document position, shared with Candidate.Order
	Field  bool     `json:"field,omitempty"`
	Column string   `json:"column,omitempty"` // heading of the table's column it stands in
}

// Bounds is a box in CSS pixels (browser) or screen pixels (desktop).
type Bounds struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Candidate is one control of a screen.
type Candidate struct {
	Ref           string   `json:"ref"` // fails closed (STALE_REF) when the control is gone
	Role          string   `json:"role"`
	Name          string   `json:"name,omitempty"`
	Description   string   `json:"description,omitempty"`
	Value         string   `json:"value,omitempty"` // never a password's
	States        []string `json:"states,omitempty"`
	Actions       []Action `json:"actions,omitempty"`
	ChildrenCount int      `json:"children_count,omitempty"`
	Bounds        Bounds   `json:"bounds"`

	// Computed locally, never serialized. Origin and Address are those of the frame
	// of another site it stands in; empty where they are the screen's.
	Origin       string   `json:"-"`
	Address      string   `json:"-"`
	Path         []string `json:"-"` // ancestor labels, outermost first
	Order        int      `json:"-"` // document position
	Form         string   `json:"-"` // id of the form it belongs to; empty for none
	Autocomplete string   `json:"-"` // the page's autocomplete token
	Hints        []string `json:"-"` // placeholder, pattern, title: where a date layout may stand
	InputType    string   `json:"-"` // text, date, password, select, search, …; empty when no field
	Destination  string   `json:"-"` // address a press leads to: its link's, or where its form is sent; without the fragment, empty when unknown
}

// Site gives the origin and address of the document that a control stands in:
// the screen's, or those of a frame of another site.
func (s *Screen) Site(c *Candidate) (origin, address string) {
	if c.Origin != "" {
		return c.Origin, c.Address
	}
	return s.Origin, s.Address
}

// Action is one thing a control can really do.
type Action string

// The closed list of actions.
const (
	CanClick    Action = "Click"
	CanSetValue Action = "SetValue"
	CanTypeText Action = "TypeText"
	CanExpand   Action = "Expand"
	CanCollapse Action = "Collapse"
	CanCheck    Action = "Check"
	CanUncheck  Action = "Uncheck"
	CanScroll   Action = "Scroll"
)

// States a candidate can have; Collapsed only on what can open.
const (
	Focused   = "focused"
	Disabled  = "disabled"
	Selected  = "selected"
	Checked   = "checked"
	Expanded  = "expanded"
	Collapsed = "collapsed"
	ReadOnly  = "readonly"
	Required  = "required"
	Offscreen = "offscreen"
	Covered   = "covered"
)

// Has reports whether the candidate is in the given state.
func (c *Candidate) Has(state string) bool {
	for _, s := range c.States {
		if s == state {
			return true
		}
	}
	return false
}

// Can reports whether the candidate offers the given action.
func (c *Candidate) Can(a Action) bool {
	for _, have := range c.Actions {
		if have == a {
			return true
		}
	}
	return false
}

// TakesText reports whether text can be put into the candidate.
func (c *Candidate) TakesText() bool { return c.Can(CanSetValue) || c.Can(CanTypeText) }

// Target is a candidate as reports name it.
type Target struct {
	Ref  string `json:"ref"`
	Role string `json:"role"`
	Name string `json:"name"`
}

// Description is a candidate as a decider reads it (surfaces.md section 5).
// Everything in it is foreign text.
type Description struct {
	What     string `json:"what,omitempty"`     // label: role and quoted name; empty for what is text alone
	Where    string `json:"where,omitempty"`    // path
	Supports string `json:"supports,omitempty"` // actions
	State    string `json:"state,omitempty"`
	Near     string `json:"near,omitempty"` // nearest named container, unnamed elements only
	Says     string `json:"says,omitempty"` // description that adds to the name
	Holds    string `json:"holds,omitempty"`
	Contains string `json:"contains,omitempty"`
}
