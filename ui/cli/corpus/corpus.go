// Package corpus runs small flows on small pages, each of which holds one
// difficulty of real pages, and compares what came of them with what should
// have.
//
// # Files
//
// A page is surfaces/browser/testdata/pages/NAME.html: static, with its script
// in it. A file of cases is flows/testdata/cases/NAME.json, one page each:
//
//	{
//	  "topic": "click intercepted by a sticky header",
//	  "page": "sticky-header.html",
//	  "serve": {"/slow": {"page": "slow.html", "delay_ms": 300}},
//	  "cases": [
//	    {
//	      "name": "presses below the header",
//	      "steps": ["press \"Save\""],
//	      "want": {"log": ["saved"]}
//	    },
//	    {
//	      "name": "no such button",
//	      "steps": ["press \"Frobnicate\""],
//	      "want": {"outcome": "failed", "at": "2"}
//	    }
//	  ]
//	}
//
// Page and topic are needed; serve is for what a static file cannot do: each
// entry is a path and any of page (the file behind it), redirect, status,
// headers and delay_ms.
//
// A case is a name, steps as in a flow file, and any of vars, facts, secrets
// (names of facts), allow_destructive, payment ("fill_then_approve") and
// sign (true: what a guard stopped at is signed and the run goes on). The runner
// puts {"browse": the page} in front, which is step 1.
//
// Want holds any of
//
//	outcome  completed (default), gated, refused, failed, person (failed in front
//	         of a wall that only a person passes), invalid
//	at       path of the step it ended in
//	code     of the failure; "CODE" of an invalid flow
//	note     a part of the reason, or of the note of the step it ended in
//	steps    outcomes by path: {"2": "already_done"}
//	control  name of the control that gated or was refused
//	amount   that the guard read, "12.50 EUR"
//	vars     values saved, each a part of the whole
//	shows    lines, each a part of what the page shows at the end
//	hides    lines of which nothing may be shown
//	log      exactly what the page logged, in order; [] is nothing at all
//	presses  most actions of the run
//
// # Pages
//
// Every page is served with {{here}} and {{other}} replaced by the addresses of
// its own server as 127.0.0.1 and as localhost, which is another site.
// <script src="/log.js"></script> gives log(text): it is what "log" compares.
// It also logs every form sent to /sent, which answers with "Thank you", as
// "sent name=value name=value" in the order of the form.
package corpus

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"countersign/flows"
	"countersign/surfaces/fault"
)

// File is the cases of one page.
type File struct {
	Topic string           `json:"topic"`
	Page  string           `json:"page"`
	Serve map[string]Serve `json:"serve,omitempty"`
	Cases []Case           `json:"cases"`

	Name   string `json:"-"` // of the file, without its ending
	folder string // of the pages
}

// Serve is one path that is answered in its own way.
type Serve struct {
	Page     string            `json:"page,omitempty"`
	Redirect string            `json:"redirect,omitempty"`
	Status   int               `json:"status,omitempty"`
	Headers  map[string]string `json:"headers,omitempty"`
	DelayMS  int               `json:"delay_ms,omitempty"`
}

// Case is one flow on a page and what should come of it.
type Case struct {
	Name             string            `json:"name"`
	Vars             map[string]string `json:"vars,omitempty"`
	Facts            map[string]string `json:"facts,omitempty"`
	Secrets          []string          `json:"secrets,omitempty"`
	AllowDestructive bool              `json:"allow_destructive,omitempty"`
	Payment          flows.Payment     `json:"payment,omitempty"`
	Sign             bool              `json:"sign,omitempty"`
	Steps            []json.RawMessage `json:"steps"`
	Want             Want              `json:"want"`
}

// Want is what should come of a case; what is absent is not looked at.
type Want struct {
	Outcome string            `json:"outcome,omitempty"`
	At      string            `json:"at,omitempty"`
	Code    string            `json:"code,omitempty"`
	Note    string            `json:"note,omitempty"`
	Steps   map[string]string `json:"steps,omitempty"`
	Control string            `json:"control,omitempty"`
	Amount  string            `json:"amount,omitempty"`
	Vars    map[string]string `json:"vars,omitempty"`
	Shows   []string          `json:"shows,omitempty"`
	Hides   []string          `json:"hides,omitempty"`
	Log     *[]string         `json:"log,omitempty"`
	Presses int               `json:"presses,omitempty"`
}

// pagesFolder is where the pages lie, from the root of the source.
const pagesFolder = "surfaces/browser/testdata/pages"

// Read reads a file of cases and finds its page: beside it, or in the folder of
// pages of the source tree it lies in. INVALID_USAGE says what is wrong with it.
func Read(path string) (*File, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidUsage, err, "the file of cases cannot be read: "+err.Error())
	}
	f := &File{Name: strings.TrimSuffix(filepath.Base(path), ".json")}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(f); err != nil {
		return nil, fault.Wrap(fault.InvalidUsage, err, path+": "+err.Error())
	}
	if f.Topic == "" || f.Page == "" || len(f.Cases) == 0 {
		return nil, fault.New(fault.InvalidUsage, path+" needs a topic, a page and cases")
	}
	for _, c := range f.Cases {
		if c.Name == "" || len(c.Steps) == 0 {
			return nil, fault.New(fault.InvalidUsage, path+": each case needs a name and steps")
		}
	}
	if f.folder, err = folderOf(path, f.Page); err != nil {
		return nil, err
	}
	return f, nil
}

func folderOf(path, page string) (string, error) {
	at, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return "", fault.Wrap(fault.InvalidUsage, err, "the folder of "+path+" is not known")
	}
	if _, err := os.Stat(filepath.Join(at, page)); err == nil {
		return at, nil
	}
	for {
		pages := filepath.Join(at, pagesFolder)
		if _, err := os.Stat(filepath.Join(pages, page)); err == nil {
			return pages, nil
		}
		if at == filepath.Dir(at) {
			return "", fault.Newf(fault.InvalidUsage, "the page %s of %s lies neither beside it nor in %s", page, path, pagesFolder)
		}
		at = filepath.Dir(at)
	}
}
