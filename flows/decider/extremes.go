package decider

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"countersign/flows/parse"
)

// superlative is the end of a scale that is meant.
type superlative struct {
	said  string
	scale []measure // the first that all who contend can be read on
	sign  float64   // 1 for the least, -1 for the most
}

// measure reads a number off a text.
type measure func(text string) (float64, bool)

func clockMeasure(s string) (float64, bool) {
	m, ok := clockIn(s)
	return float64(m), ok
}

func durationMeasure(s string) (float64, bool) {
	m, ok := parse.DurationOf(s)
	return float64(m), ok
}

func dateMeasure(s string) (float64, bool) {
	d, ok := parse.DateIn(s)
	return float64(d.Year*400 + int(d.Month)*31 + d.Day), ok
}

func stopsMeasure(s string) (float64, bool) {
	n, ok := stopsIn(s)
	return float64(n), ok
}

var superlativeWords = []struct {
	words []string
	scale []measure
	sign  float64
}{
	{[]string{"most", "expensive"}, []measure{amountIn, numberIn}, -1},
	{[]string{"least", "expensive"}, []measure{amountIn, numberIn}, 1},
	{[]string{"cheapest"}, []measure{amountIn, numberIn}, 1},
	{[]string{"priciest"}, []measure{amountIn, numberIn}, -1},
	{[]string{"highest", "rating"}, []measure{ratingIn, numberIn}, -1},
	{[]string{"highest", "rated"}, []measure{ratingIn, numberIn}, -1},
	{[]string{"best", "rated"}, []measure{ratingIn, numberIn}, -1},
	{[]string{"top", "rated"}, []measure{ratingIn, numberIn}, -1},
	{[]string{"best", "rating"}, []measure{ratingIn, numberIn}, -1},
	{[]string{"lowest", "rated"}, []measure{ratingIn, numberIn}, 1},
	{[]string{"lowest", "rating"}, []measure{ratingIn, numberIn}, 1},
	{[]string{"most", "recent"}, []measure{dateMeasure, clockMeasure}, -1},
	{[]string{"newest"}, []measure{dateMeasure, clockMeasure}, -1},
	{[]string{"oldest"}, []measure{dateMeasure}, 1},
	{[]string{"earliest"}, []measure{dateMeasure, clockMeasure}, 1},
	{[]string{"soonest"}, []measure{dateMeasure, clockMeasure}, 1},
	{[]string{"latest"}, []measure{dateMeasure, clockMeasure}, -1},
	{[]string{"fewest", "stops"}, []measure{stopsMeasure}, 1},
	{[]string{"fewest", "changes"}, []measure{stopsMeasure}, 1},
	{[]string{"fastest"}, []measure{durationMeasure}, 1},
	{[]string{"quickest"}, []measure{durationMeasure}, 1},
	{[]string{"shortest"}, []measure{durationMeasure}, 1},
	{[]string{"longest"}, []measure{durationMeasure}, -1},
	{[]string{"largest"}, []measure{amountIn, numberIn}, -1},
	{[]string{"biggest"}, []measure{amountIn, numberIn}, -1},
	{[]string{"greatest"}, []measure{amountIn, numberIn}, -1},
	{[]string{"highest"}, []measure{amountIn, numberIn}, -1},
	{[]string{"maximum"}, []measure{amountIn, numberIn}, -1},
	{[]string{"smallest"}, []measure{amountIn, numberIn}, 1},
	{[]string{"lowest"}, []measure{amountIn, numberIn}, 1},
	{[]string{"minimum"}, []measure{amountIn, numberIn}, 1},
}

// measureWords say what is measured and are found on no control.
var measureWords = set("price cost fare number amount value date time rating sum total priced rated")

// readSuperlative finds "the cheapest", unless a control is called so; "first
// date" among dates is the earliest by calendar only when it says so.
func (p *purpose) readSuperlative(s *sentence, r *reading) {
	for i := range s.tokens {
		for _, w := range superlativeWords {
			if p.most != nil || !s.at(i, w.words...) || r.named(s.tokens[i].term) {
				continue
			}
			p.most = &superlative{said: strings.Join(w.words, " "), scale: w.scale, sign: w.sign}
			s.take(i, i+len(w.words))
		}
	}
	if p.most == nil {
		return
	}
	for i, t := range s.tokens {
		if measureWords[t.term] && t.quote == 0 && !r.named(t.term) {
			s.take(i, i+1)
		}
	}
}

// extreme keeps the one at the end of the scale; two that share it stay equal.
// What nothing can be read on is not decided by it.
func (r *reading) extreme(k *ranking) {
	if k.p.most == nil {
		return
	}
	among := k.contenders()
	for _, read := range k.p.most.scale {
		values, ok := r.values(among, read)
		if !ok {
			continue
		}
		best := slices.MinFunc(values, func(a, b float64) int { return cmp.Compare(k.p.most.sign*a, k.p.most.sign*b) })
		for n, i := range among {
			if values[n] != best {
				k.fits[i].demote()
				continue
			}
			k.fits[i].why = append(slices.Clip(k.fits[i].why), k.p.most.said+": "+strconv.FormatFloat(best, 'f', -1, 64))
		}
		return
	}
	for _, i := range among {
		k.fits[i].demote()
	}
}

func (r *reading) values(among []int, read measure) ([]float64, bool) {
	out := make([]float64, 0, len(among))
	for _, i := range among {
		v, ok := read(r.controls[i].measured())
		if !ok {
			return nil, false
		}
		out = append(out, v)
	}
	return out, len(out) > 0
}
