//go:build linux

package ui

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces"
	"countersign/ui/text"
	"countersign/ui/uitest"
)

// foreign is one string of the corpus.
type foreign struct{ name, text string }

// hostileStrings reads the corpus.
func hostileStrings(t *testing.T) []foreign {
	t.Helper()
	raw, err := os.ReadFile("testdata/hostile.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []foreign
	for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		name, quoted, _ := strings.Cut(line, ": ")
		s, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, foreign{name, s})
	}
	if len(out) < 60 {
		t.Fatalf("%d strings, want 60 at least", len(out))
	}
	return out
}

// harmless fills the cells of a twin; nothing of the desk is written with it.
const harmless = "ø"

// twin is the harmless text as wide as what may be drawn of s, word by word, so
// that it is laid out the same.
func twin(s string) string {
	lines := text.Clean(s)
	for i := range lines {
		lines[i] = filled(lines[i])
	}
	return strings.Join(lines, "\n")
}

func filled(s string) string {
	var b strings.Builder
	for s != "" {
		seq, width, n, _ := ansi.DecodeSequence(s, ansi.NormalState, nil)
		if seq == " " || seq == "-" {
			b.WriteString(seq)
		} else {
			b.WriteString(strings.Repeat(harmless, width))
		}
		s = s[n:]
	}
	return b.String()
}

// stage is one task that asks for a signature, with s in every place a page, a
// flow or a model can write to.
type stage struct {
	*sitting
	desk *controllertest.Desk
	at   int64
	rev  uint64
}

// longAgo keeps every age the same for as long as a test lasts.
const longAgo = 3 * 24 * time.Hour

func newStage(t *testing.T, size uitest.Size) *stage {
	now := time.Now()
	st := &stage{desk: controllertest.NewDesk(), at: now.Add(-longAgo).UnixMilli()}
	st.desk.OnLook = func(task.ID) (task.Look, error) { return task.Look{Wall: task.WallCannotTell}, nil }
	st.asks("Send the letter")
	st.sitting = sit(t, st.desk, size, Options{Clock: hasty{now, 50}})
	return st
}

func (st *stage) put(status task.Status, s string) {
	st.rev++
	st.desk.Put(task.View{
		ID: 3, Title: s, Summary: s, Status: status, Revision: st.rev, SinceAt: st.at, StartedAt: st.at, Progress: 0.5,
		Step: &task.CurrentStep{Index: 2, Kind: flows.KindStopBefore, Intent: s}, Next: task.Next(status, true),
	})
}

func (st *stage) asks(s string) {
	e := uitest.MailEvidence(3, st.at)
	e.Control = flows.EvidenceControl{Role: "button", Name: s, Path: []string{s, "main"}}
	e.Phrase, e.Payee, e.Words = s, s, []string{s, "the last word"}
	e.Form = []flows.EvidenceField{{Name: s, Value: s}, {Name: "To", Value: "mara@post.test"}}
	digest := fmt.Sprintf("%064x", st.rev) // else what was read for the question before would do
	st.desk.SetReport(3, task.Report{
		Approval: &task.Approval{Evidence: e, Digest: digest}, Flow: []byte(`{"steps":[1,2]}`),
		Steps: []flows.StepReport{{
			Step: "1", Run: 1, Kind: flows.KindDo, Text: s, Outcome: flows.OutcomeFailed, Note: s, ElapsedMS: 100,
			Actions: []flows.ActionNote{{Op: "click", Target: &surfaces.Target{Role: "button", Name: s}, OK: true, Change: s, Why: s}},
		}},
	})
	st.put(task.Status{State: task.NeedsApproval, Action: s, Target: s, Digest: digest}, s)
}

// shows puts the question anew and gives the screen once it can be answered.
func (st *stage) shows(s string) [][]uitest.Cell {
	st.put(task.Status{State: task.Running}, "")
	st.hasNot("DECIDE")
	st.asks(s)
	return st.until("READY", ready)
}

// ready reports whether READY stands where it stands in truth: last in the row
// above the status line.
func ready(shown string) bool {
	rows := strings.Split(strings.TrimSpace(shown), "\n")
	return len(rows) > 1 && strings.HasSuffix(rows[len(rows)-2], "  READY") && strings.HasPrefix(strings.TrimSpace(rows[len(rows)-2]), "tab to answer")
}

// TestD1HostileStringsAtATerminal puts every string of the corpus into every
// place at once and compares the screen, cell by cell, with the one of a
// harmless text of the same width. Only the cells of that text may differ, and
// those by their letter alone, never by colour or weight.
func TestD1HostileStringsAtATerminal(t *testing.T) {
	t.Parallel()
	st := newStage(t, uitest.Size{Width: 120, Height: 320}) // high enough for the longest to be seen to its end
	for _, f := range hostileStrings(t) {
		wild, tame := st.shows(f.text), st.shows(twin(f.text))
		compare(t, f.name, tame, wild)
	}
	if got := st.strange(); len(got) > 0 {
		t.Errorf("the terminal was sent %q", got)
	}
}

// compare reports the first cells that differ and may not.
func compare(t *testing.T, name string, tame, wild [][]uitest.Cell) {
	t.Helper()
	reported := 0
	for y := range tame {
		if strings.HasPrefix(line(tame[y]), "  digest  ") && strings.HasPrefix(line(wild[y]), "  digest  ") {
			continue // two words that are never the same
		}
		for x, want := range tame[y] {
			got := wild[y][x]
			letter := want.Text == harmless || want.Text == text.Ellipsis
			if got == want || letter && got.FG == want.FG && got.BG == want.BG && got.Mode == want.Mode {
				continue
			}
			if reported++; reported <= 3 {
				t.Errorf("%s: column %d of row %d is %+v, not %+v\nharmless %q\nhostile  %q", name, x, y, got, want, line(tame[y]), line(wild[y]))
			}
		}
	}
}

func line(row []uitest.Cell) string {
	var b strings.Builder
	for _, c := range row {
		b.WriteString(c.Text)
	}
	return strings.TrimRight(b.String(), " ")
}
