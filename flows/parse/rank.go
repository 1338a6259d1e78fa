package parse

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// Rank orders records by a criterion, best first and stable on ties; order
// holds their indexes, all of them. Records that cannot be read follow the
// readable ones in their own order. A record's fields are looked up by name
// first, then every field is searched. False when there is nothing to rank by:
// no readable record, or prices in different currencies.
func Rank(c Criterion, records []map[string]string) (order []int, ok bool) {
	order = make([]int, len(records))
	for i := range order {
		order[i] = i
	}
	if c.Kind == Last {
		slices.Reverse(order)
	}
	if c.Kind == First || c.Kind == FirstWhere || c.Kind == Last {
		return order, len(records) > 0
	}
	keys, ok := measures(c, records)
	if !ok {
		return nil, false
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch ka, kb := keys[a], keys[b]; {
		case ka < kb:
			return -1
		case ka > kb:
			return 1
		default:
			return 0
		}
	})
	return order, true
}

// measures gives what each record is ranked by, lower first; an unreadable one
// is infinite.
func measures(c Criterion, records []map[string]string) (keys []float64, ok bool) {
	keys = make([]float64, len(records))
	currency := ""
	for i, r := range records {
		keys[i] = math.Inf(1)
		key, money, read := measure(c, r)
		if !read {
			continue
		}
		if money != "" && currency != "" && money != currency {
			return nil, false
		}
		if money != "" {
			currency = money
		}
		keys[i], ok = key, true
	}
	return keys, ok
}

func measure(c Criterion, record map[string]string) (key float64, currency string, ok bool) {
	switch c.Kind {
	case LowestPrice, HighestPrice:
		p, ok := recordPrice(record)
		if c.Kind == HighestPrice {
			p.Amount = -p.Amount
		}
		return p.Amount, p.Currency, ok
	case Earliest, Latest:
		m, ok := recordCount(record, ClockOf, "depart", "time", "start")
		if c.Kind == Latest {
			m = -m
		}
		return float64(m), "", ok
	case FewestStops:
		n, ok := recordCount(record, StopsOf, "stop")
		return float64(n), "", ok
	case Shortest:
		m, ok := recordCount(record, DurationOf, "duration")
		return float64(m), "", ok
	case Nearest:
		n, ok := recordNumber(record)
		return math.Abs(n - c.Nearest), "", ok
	case First, Last, FirstWhere: // page order, not a measure
		return 0, "", false
	default:
		return 0, "", false
	}
}

// recordPrice reads a record's price: from a field named for it, where a bare
// number will do, else from any field that shows a currency.
func recordPrice(record map[string]string) (Price, bool) {
	fields := fieldNames(record)
	for _, hint := range []string{"price", "fare", "cost", "total"} {
		for _, f := range fields {
			if !strings.Contains(strings.ToLower(f), hint) {
				continue
			}
			if p, ok := PriceOf(record[f]); ok {
				return p, true
			}
		}
	}
	for _, f := range fields {
		if p, ok := PriceOf(record[f]); ok && p.Currency != "" {
			return p, true
		}
	}
	return Price{}, false
}

func recordCount(record map[string]string, read func(string) (int, bool), hints ...string) (int, bool) {
	fields := fieldNames(record)
	for _, hint := range hints {
		for _, f := range fields {
			if !strings.Contains(strings.ToLower(f), hint) {
				continue
			}
			if n, ok := read(record[f]); ok {
				return n, true
			}
		}
	}
	for _, f := range fields {
		if n, ok := read(record[f]); ok {
			return n, true
		}
	}
	return 0, false
}

// recordNumber reads the first number of a record.
func recordNumber(record map[string]string) (float64, bool) {
	for _, f := range fieldNames(record) {
		for _, n := range numbers(record[f]) {
			if text, ok := n.decimal(currencyOf(record[f], n) == "EUR"); ok {
				return value(text), true
			}
		}
	}
	return 0, false
}

// fieldNames lists a record's fields in the order of a card: text, text_2, …,
// text_10, and the others by name.
func fieldNames(record map[string]string) []string {
	return slices.SortedFunc(maps.Keys(record), func(a, b string) int {
		if c := strings.Compare(stem(a), stem(b)); c != 0 {
			return c
		}
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
}

func stem(field string) string { return strings.TrimRight(field, "0123456789_") }
