package drill

import (
	"math/rand/v2"
	"time"
)

// The rows of the table: kinds of kills.
const (
	kindNone   = "not at all"
	kindAfter  = "after each write"
	kindBefore = "before each write"
	kindPress  = "around the press"
	kindRandom = "at random"
)

// Flows are the demo's flows that come to an act that cannot be taken back.
func Flows() []string { return []string{"shop-pay", "mail", "library"} }

func kinds() []string { return []string{kindAfter, kindBefore, kindPress, kindRandom} }

// measured is what a flow does when nothing disturbs it.
type measured struct {
	flow   string
	writes int
	took   time.Duration
}

// plan gives the trials of a drill that fall at chosen moments: a fifth of the
// kills around presses, two fifths first after another write of a flow, a fifth
// first before one. What is left is drawn later, with anywhere.
func plan(kills int, seed uint64, flows []measured) []spec {
	draw := rand.New(rand.NewPCG(seed, 0))
	specs := around(kills/5, draw, flows)
	points := writesOf(flows)
	for i, p := range spread(points, (kills*2/5+1)/2) {
		again := kill{When: afterWrite, N: 1 + i%mostAgain}
		specs = append(specs, spec{p.flow, kindAfter, []kill{{When: afterWrite, N: p.n}, again}})
	}
	for i, p := range spread(points, (kills/5+1)/2) {
		again := kill{When: beforeWrite, N: 1 + i%mostAgain}
		specs = append(specs, spec{p.flow, kindBefore, []kill{{When: beforeWrite, N: p.n}, again}})
	}
	return specs
}

// mostAgain is up to which of its writes a desk that takes up the task is
// killed too: its loading, the answer, and the steps after it.
const mostAgain = 8

// around plans kills around presses: each moment of each flow in turn. When
// the press is then asked for again that one is hit too, and the next.
func around(kills int, draw *rand.Rand, flows []measured) []spec {
	moments := []moment{afterPress, withinPress, afterIntend, withinPress, beforePress} // the sharpest first, for a short drill
	var specs []spec
	for i := 0; kills > 0; i++ {
		hits := []kill{{When: moments[i%len(moments)], Delay: upTo(draw, pressPatience)}}
		for len(hits) < min(kills, 1+i/len(flows)%3) {
			hits = append(hits, kill{When: withinPress, Delay: upTo(draw, pressPatience)})
		}
		specs = append(specs, spec{flows[i%len(flows)].flow, kindPress, hits})
		kills -= len(hits)
	}
	return specs
}

// mostDeaths bounds the random deaths of one trial.
const mostDeaths = 5

// anywhere is the i-th trial at random instants: deaths of the first desk and
// of those that take up what it left.
func anywhere(seed uint64, i int, flows []measured) spec {
	draw := rand.New(rand.NewPCG(seed, uint64(i)+1))
	f := flows[i%len(flows)]
	s := spec{flow: f.flow, kind: kindRandom}
	for range 1 + draw.IntN(mostDeaths) {
		s.kills = append(s.kills, kill{When: anyMoment, Delay: upTo(draw, f.took)})
	}
	return s
}

func upTo(draw *rand.Rand, most time.Duration) time.Duration {
	return time.Duration(draw.Int64N(int64(most) + 1))
}

// point is the n-th write of a flow, from 1.
type point struct {
	flow string
	n    int
}

func writesOf(flows []measured) []point {
	var all []point
	for _, f := range flows {
		for n := range f.writes {
			all = append(all, point{f.flow, n + 1})
		}
	}
	return all
}

// spread takes at most n points, evenly from all of them.
func spread(all []point, n int) []point {
	n = min(n, len(all))
	some := make([]point, n)
	for i := range some {
		some[i] = all[i*len(all)/n]
	}
	return some
}
