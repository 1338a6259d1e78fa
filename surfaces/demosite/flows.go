package demosite

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"countersign/surfaces/fault"
)

//go:embed flows/*.json
var flowFiles embed.FS

// FlowNames lists the flows written for the sites.
func FlowNames() []string {
	return append([]string{"shop", "shop-pay", "rail", "mail", "library", "seats"}, crossing()...)
}

// crossing are the flows that need a desktop: two go from a page to a program,
// one fills a program's form.
func crossing() []string { return []string{"rail-note", "rail-sum", "membership"} }

// Flow gives the flow of that name, with the address of its site and a travel
// date to come in its vars; addresses are those of Sites.Addresses.
// INVALID_USAGE: there is no such flow, or no address for its site.
func Flow(name string, addresses map[string]string) ([]byte, error) {
	return flowOn(name, addresses, time.Now())
}

func flowOn(name string, addresses map[string]string, today time.Time) ([]byte, error) {
	raw, err := flowFiles.ReadFile("flows/" + name + ".json")
	if err != nil {
		return nil, fault.Newf(fault.InvalidUsage, "no demo flow %q", name).
			WithHint("The demo flows are " + strings.Join(FlowNames(), ", ") + ".")
	}
	site := siteOf(name)
	address, ok := addresses[site]
	if !ok && site != "" {
		return nil, fault.Newf(fault.InvalidUsage, "no address of the site %q", site)
	}
	// The 14th of next month: one page on in the calendar, whatever today is.
	day := time.Date(today.Year(), today.Month()+1, 14, 0, 0, 0, 0, time.UTC).Format("2 January 2006")
	return setVars(raw, map[string]string{site: address, "day": day})
}

// siteOf is the site a flow works on: its name up to the first dash. Empty for
// the one that needs none.
func siteOf(flow string) string {
	site, _, _ := strings.Cut(flow, "-")
	if site == "membership" {
		return ""
	}
	return site
}

// setVars gives variables that the flow has a new value, in place, so that a
// written flow keeps the layout it was written in.
func setVars(raw []byte, values map[string]string) ([]byte, error) {
	for name, value := range values {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("writing the variable %q: %w", name, err)
		}
		entry := regexp.MustCompile(`(?m)^(    "` + regexp.QuoteMeta(name) + `": )"[^"]*"`)
		raw = entry.ReplaceAllFunc(raw, func(old []byte) []byte {
			head := old[:bytes.IndexByte(old, ':')+2]
			return append(slices.Clone(head), text...)
		})
	}
	return raw, nil
}

// Request is one task of the demo, in words any caller can turn into its own.
type Request struct {
	Name    string            // of its flow
	Task    string            // the goal in plain words
	Flow    []byte            // JSON
	Facts   map[string]string // shared; the library's phone number is left to the person
	Origins []string          // the one site it may reach; none where it has no browser
	Payment string            // stop_at_payment or fill_then_approve
	Sides   []string          // browser, desktop: what it is given
}

// Requests gives the demo's five tasks: one stops in front of a payment, one
// finishes with records, one waits for a signature, one for a phone number and
// one for a person at a captcha.
func Requests(addresses map[string]string) ([]Request, error) {
	return requests([]string{"shop", "rail", "mail", "library", "seats"}, addresses)
}

// Crossings gives the three tasks that go between pages and programs: one writes
// a booking down in a text editor and saves it as file, one works a fare out in
// a calculator, one fills a form, which asks for a secret and a signature.
func Crossings(addresses map[string]string, file string) ([]Request, error) {
	all, err := requests(crossing(), addresses)
	if err == nil {
		all[0].Facts = map[string]string{"file": file}
	}
	return all, err
}

func requests(names []string, addresses map[string]string) ([]Request, error) {
	var all []Request
	for _, name := range names {
		r, err := RequestFor(name, addresses)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// RequestFor gives the task of one flow, shop-pay among them; its card is for
// the caller to give.
func RequestFor(name string, addresses map[string]string) (Request, error) {
	flow, err := Flow(name, addresses)
	if err != nil {
		return Request{}, err
	}
	r := Request{
		Name: name, Flow: flow, Origins: []string{addresses[siteOf(name)]}, Payment: "stop_at_payment", Sides: []string{"browser"},
		Facts: map[string]string{"name": "Noa Lindqvist", "email": "noa.lindqvist@example.org"},
	}
	switch name {
	case "shop", "shop-pay":
		r.Task = "Order the cheapest cargo bike"
		r.Facts["street"], r.Facts["postcode"], r.Facts["city"] = "Kanalgata 14", "1771", "Halden"
		if name == "shop-pay" {
			r.Payment = "fill_then_approve"
		}
	case "rail":
		r.Task, r.Facts = "List the trains from Vienna to Innsbruck", nil
	case "mail":
		r.Task = "Write to Mira about the Saturday market"
	case "library":
		r.Task = "Join the Fernwood library"
	case "seats":
		r.Task, r.Facts = "Find seats for Winter Lights", nil
	case "rail-note":
		r.Task, r.Facts, r.Sides = "Write the booking reference into a file", nil, []string{"browser", "desktop"}
	case "rail-sum":
		r.Task, r.Facts, r.Sides = "Work out the fare for the group", nil, []string{"browser", "desktop"}
	case "membership":
		r.Task, r.Origins, r.Sides = "Hand in the library's paper form", nil, []string{"desktop"}
	}
	return r, nil
}
