package demosite

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

func stations() []string {
	return []string{
		"Bregenz", "Feldkirch", "Graz Central", "Graz East", "Innsbruck Central", "Innsbruck West", "Klagenfurt Central", "Linz Central",
		"Munich Central", "Munich East", "Salzburg Central", "Salzburg South", "St. Anton am Arlberg", "Vienna Airport", "Vienna Central",
		"Vienna West", "Villach Central", "Zurich Central",
	}
}

type rail struct{ *site }

func railRoutes(s *site, mux *http.ServeMux) {
	h := &rail{s}
	mux.HandleFunc("GET /", exactly(s, h.home))
	mux.HandleFunc("GET /stations", h.suggest)
	mux.HandleFunc("GET /results", h.results)
	mux.HandleFunc("GET /trains", h.trains)
	mux.HandleFunc("GET /booking", h.booking)
	mux.HandleFunc("GET /group", h.group)
}

// trip is what is searched for, with what is wrong about it.
type trip struct {
	From, To, Date                string
	FromError, ToError, DateError string
	Adults                        string
	Direct                        bool
	Day                           string // the date in words
	Trains                        []train
}

// Counts are the numbers of adults on offer.
func (trip) Counts() []string { return []string{"1", "2", "3", "4", "5", "6"} }

func (h *rail) home(w http.ResponseWriter, r *http.Request) {
	h.page(w, r, http.StatusOK, "home", "Plan your journey", trip{Adults: "1"})
}

// suggest lists the stations that hold what was typed, as the box asks while
// somebody types.
func (h *rail) suggest(w http.ResponseWriter, r *http.Request) {
	typed := strings.ToLower(strings.TrimSpace(r.URL.Query().Get("q")))
	found := []string{}
	for _, s := range stations() {
		if typed != "" && strings.Contains(strings.ToLower(s), typed) {
			found = append(found, s)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(found[:min(len(found), 8)])
}

func readTrip(r *http.Request) (trip, bool) {
	q := r.URL.Query()
	t := trip{From: strings.TrimSpace(q.Get("from")), To: strings.TrimSpace(q.Get("to")), Date: q.Get("date"), Adults: q.Get("adults"), Direct: q.Get("direct") != ""}
	if !slices.Contains(stations(), t.From) {
		t.FromError = "Please choose a station from the list."
	}
	if !slices.Contains(stations(), t.To) {
		t.ToError = "Please choose a station from the list."
	} else if t.To == t.From {
		t.ToError = "Please choose another station than the first."
	}
	day, err := time.Parse(time.DateOnly, t.Date)
	if err != nil {
		t.DateError = "Please choose a travel date."
	} else {
		t.Day = day.Format("Monday 2 January 2006")
	}
	return t, t.FromError+t.ToError+t.DateError == ""
}

func (h *rail) results(w http.ResponseWriter, r *http.Request) {
	t, ok := readTrip(r)
	if !ok {
		h.page(w, r, http.StatusUnprocessableEntity, "home", "Plan your journey", t)
		return
	}
	h.page(w, r, http.StatusOK, "results", "Trains from "+t.From+" to "+t.To, t)
}

// trains is the list a results page loads once it stands.
func (h *rail) trains(w http.ResponseWriter, r *http.Request) {
	t, ok := readTrip(r)
	if ok {
		t.Trains = timetable(t)
	}
	h.fragment(w, "trains", t)
}

type train struct {
	Number, Departs, Arrives, Duration, Stops string
	Price                                     cents
}

// timetable is the same for the same trip: made from its words.
func timetable(t trip) []train {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(t.From + t.To + t.Date))
	seed := int(sum.Sum32() % 1000)
	var all []train
	for i := range 6 {
		n := (seed*7 + i*131) % 997
		leaves := 5*60 + 25 + i*155 + n%40
		takes := 235 + n%95
		stops := []string{"Direct", "1 stop", "Direct", "2 stops", "1 stop", "Direct"}[(i+seed)%6]
		if t.Direct && stops != "Direct" {
			continue
		}
		all = append(all, train{
			Number: fmt.Sprintf("AR %d", 500+n%400), Departs: clock(leaves), Arrives: clock(leaves + takes),
			Duration: fmt.Sprintf("%dh %02dm", takes/60, takes%60), Stops: stops, Price: cents(2990 + (n*37%60)*100),
		})
	}
	return all
}

func clock(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/60%24, minutes%60) }

type booking struct{ Train, Reference string }

// booking shows a train that is held, with a reference that is the same for the
// same train.
func (h *rail) booking(w http.ResponseWriter, r *http.Request) {
	number := r.URL.Query().Get("train")
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(number))
	h.page(w, r, http.StatusOK, "booking", "Your connection", booking{number, fmt.Sprintf("AR-%05d", sum.Sum32()%100000)})
}

// The fare of the group page, and what it comes to.
const (
	groupSeat       = cents(4750)
	groupTravellers = 6
)

// group is a fare that the visitor has to work out.
type group struct {
	Seat       string
	Travellers int
	Form       form
	Answer     string
}

func (h *rail) group(w http.ResponseWriter, r *http.Request) {
	asked := form{{Name: "total", Label: "Euros in all", Type: "text", Check: checkGroupTotal}}
	page := group{Seat: fmt.Sprintf("%.2f", float64(groupSeat)/100), Travellers: groupTravellers, Form: asked}
	if r.URL.Query().Has("total") {
		filled, right := asked.fill(r.URL.Query())
		if page.Form = filled; right {
			page.Answer = "The sum is right. Six seats are yours to book."
		}
	}
	h.page(w, r, http.StatusOK, "group", "Group fare", page)
}

func checkGroupTotal(v string) string {
	total, err := strconv.ParseFloat(strings.ReplaceAll(v, ",", "."), 64)
	if err != nil || cents(math.Round(total*100)) != groupSeat*groupTravellers {
		return "That is not what it comes to."
	}
	return ""
}
