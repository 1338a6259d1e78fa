package inspector

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"countersign/controller/task"
	"countersign/ui/text"
)

// columnWidth bounds a column of records.
const columnWidth = 34

// table is one variable's records, its columns in the order shown.
type table struct {
	name    string
	columns []string
	records task.Rows
}

// recordRow is a row of the Records tab; of is nil for what is no record.
type recordRow struct {
	row
	of    *table
	index int
}

func tablesOf(records map[string]task.Rows) []table {
	var tables []table
	for _, name := range slices.Sorted(maps.Keys(records)) {
		tables = append(tables, table{name: name, columns: Columns(records[name]), records: records[name]})
	}
	return tables
}

// Columns are the names that any of the records has, sorted.
func Columns(records task.Rows) []string {
	names := map[string]bool{}
	for _, r := range records {
		for c := range r {
			names[c] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// recordRows draws the shaped result and each variable as a table.
func (m Model) recordRows() []recordRow {
	var rows []recordRow
	for _, r := range resultRows(m.result, m.width) {
		rows = append(rows, recordRow{row: r})
	}
	for i := range m.tables {
		if i > 0 {
			rows = append(rows, recordRow{})
		}
		rows = append(rows, m.tables[i].rows()...)
	}
	return rows
}

func (t *table) rows() []recordRow {
	name := text.Line(t.name)
	if value, ok := t.single(); ok {
		return []recordRow{{row: row{{strong, "  " + name}, {subtle, "  "}, {plain, text.Line(value)}}, of: t}}
	}
	widths := make([]int, len(t.columns))
	for i, c := range t.columns {
		widths[i] = text.Width(text.Line(c))
		for _, r := range t.records {
			widths[i] = max(widths[i], text.Width(text.Line(r[c])))
		}
		widths[i] = min(widths[i], columnWidth)
	}
	rows := []recordRow{{row: row{{strong, "  " + name}, {subtle, "  " + strconv.Itoa(len(t.records)) + " rows"}}}}
	head, rule := "  ", "  "
	for i, c := range t.columns {
		head += text.Pad(text.Line(c), widths[i]) + "  "
		rule += strings.Repeat("─", widths[i]) + "  "
	}
	rows = append(rows, recordRow{row: row{{subtle, head}}}, recordRow{row: row{{faint, rule}}})
	for n, r := range t.records {
		cells := "  "
		for i, c := range t.columns {
			cells += text.Pad(text.Line(r[c]), widths[i]) + "  "
		}
		rows = append(rows, recordRow{row: row{{plain, cells}}, of: t, index: n})
	}
	return rows
}

// single is the value of a variable that holds but one.
func (t *table) single() (string, bool) {
	if len(t.records) != 1 || len(t.records[0]) != 1 {
		return "", false
	}
	value, ok := t.records[0]["value"]
	return value, ok
}

// recordAt draws a row, marked when it is the one under the cursor.
func (m *Model) recordAt(i int) string {
	drawn := m.draw(m.records[i].row)
	if i != m.at || m.records[i].of == nil || !m.focused {
		return drawn
	}
	return m.theme.Accent.Render("▸") + m.theme.Strong.Render(strings.TrimPrefix(plainly(m.records[i].row), " "))
}

// nextRecord is the first row from i on, in the direction of by, that holds a
// record; -1 without one.
func (m Model) nextRecord(i, by int) int {
	for ; i >= 0 && i < len(m.records); i += by {
		if m.records[i].of != nil {
			return i
		}
	}
	return -1
}

// moveRecord moves the cursor by that many rows, to a record, and keeps it in
// sight. Above the first record the rows scroll on to the top.
func (m Model) moveRecord(by int) Model {
	dir := 1
	if by < 0 {
		dir = -1
	}
	to := m.nextRecord(min(max(m.at+by, 0), len(m.records)-1), dir)
	if to < 0 {
		m.top[Records] += by
		return m
	}
	m.at = to
	m.top[Records] = min(m.top[Records], m.at)
	m.top[Records] = max(m.top[Records], m.at-m.bodyHeight()+1)
	return m
}

// Record is the record under the cursor, as pairs of column and cleaned value;
// nil when there is none.
func (m Model) Record() [][2]string {
	at := m.at
	if at >= len(m.records) || m.records[at].of == nil {
		at = m.nextRecord(0, 1)
	}
	if m.tab != Records || at < 0 {
		return nil
	}
	r := m.records[at]
	pairs := make([][2]string, 0, len(r.of.columns))
	for _, c := range r.of.columns {
		pairs = append(pairs, [2]string{text.Line(c), text.Line(r.of.records[r.index][c])})
	}
	return pairs
}

// Tables are the variables saved, for an export; not to be changed.
func (m Model) Tables() map[string]task.Rows {
	out := map[string]task.Rows{}
	for _, t := range m.tables {
		out[t.name] = t.records
	}
	return out
}

// Copy is what the copy key takes here: the record under the cursor, its cells
// apart by tabs, or the row that a search found. Empty: nothing.
func (m Model) Copy() string {
	if pairs := m.Record(); pairs != nil {
		cells := make([]string, len(pairs))
		for i, p := range pairs {
			cells[i] = p[1]
		}
		return strings.Join(cells, "\t")
	}
	if m.search.nr > 0 && m.search.at < m.rowCount(m.tab) {
		return strings.TrimSpace(m.wordsAt(m.search.at))
	}
	return ""
}
