// Package wave draws signals as text, one column per clock edge: for terminals
// and for golden files that a person can read.
//
//	w := wave.New(s.Top()...)
//	err := s.Trace(w)
//	s.Step(6)
//	fmt.Print(w)
//
//	en     ____/‾‾‾‾‾‾‾‾‾‾‾\___
//	count  |0      |1  |2  |3
//
// Each column shows the values that are settled just before an edge. Numbers are decimal (signed
// where their type is), fixed-point numbers have their point, enumerations their names; values
// of more than 32 bits are hexadecimal. Clocks and resets are left out if other signals are
// given.
//
// The package imports sim and below only.
package wave

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

// Wave is a sim.Tracer that keeps the values of given signals.
type Wave struct {
	sim     *sim.Sim
	signals []sim.Signal
	rows    [][]bits.Value // by signal, by column
	limit   int
}

// New records the given signals. Clocks and resets are left out if any other signal is given.
func New(signals ...sim.Signal) *Wave {
	var kept []sim.Signal
	for _, s := range signals {
		if k := s.Type().Kind; k != ir.Clock && k != ir.Reset && k != ir.AsyncReset {
			kept = append(kept, s)
		}
	}

	// Nothing but clocks and resets: draw them.
	if len(kept) == 0 {
		kept = signals
	}

	return &Wave{signals: kept, rows: make([][]bits.Value, len(kept)), limit: 1 << 16}
}

// Start implements sim.Tracer.
func (w *Wave) Start(s *sim.Sim) error {
	w.sim = s
	return nil
}

// Sample implements sim.Tracer: it keeps the values before each edge, up to 65536 columns.
func (w *Wave) Sample(m sim.Moment) error {
	if m.Phase == sim.Before && w.Len() < w.limit {
		w.Look()
	}
	return nil
}

// Look adds a column with the present values.
func (w *Wave) Look() {
	for i, s := range w.signals {
		w.rows[i] = append(w.rows[i], w.sim.GetBits(s))
	}
}

// Len returns the number of columns.
func (w *Wave) Len() int {
	if len(w.rows) == 0 {
		return 0
	}
	return len(w.rows[0])
}

// Clear drops all columns.
func (w *Wave) Clear() {
	for i := range w.rows {
		w.rows[i] = nil
	}
}

// String draws all signals over all columns.
func (w *Wave) String() string { return w.Window(0, w.Len()) }

// Window draws columns from to to-1. All columns have the width of the longest value.
func (w *Wave) Window(from, to int) string {
	text, names, cell := w.texts(from, to)

	// Single bits become a line of levels, all other signals the texts of their values.
	var b strings.Builder
	for i, s := range w.signals {
		line := fmt.Sprintf("%-*s  ", names, s.Name())
		if s.Width() == 1 && s.Type().Kind != ir.EnumKind {
			line += level(w.rows[i][from:to], cell)
		} else {
			line += bus(text[i], cell)
		}

		b.WriteString(strings.TrimRight(line, " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// texts are the texts of values of more than a bit, and the widths of names and columns.
func (w *Wave) texts(from, to int) (text [][]string, names, cell int) {
	// A slash and two characters of level show a change of a single bit.
	cell = 3
	text = make([][]string, len(w.rows))
	for i, s := range w.signals {
		names = max(names, utf8.RuneCountInString(s.Name()))
		for _, v := range w.rows[i][from:to] {
			// A single bit has a level and no text.
			t := ""
			if v.Width() > 1 || s.Type().Kind == ir.EnumKind {
				t = show(s.Type(), v)
				cell = max(cell, utf8.RuneCountInString(t)+1)
			}
			text[i] = append(text[i], t)
		}
	}
	return text, names, cell
}

// Column is the column that the character at an offset in a line of String belongs to; negative of a
// name.
func (w *Wave) Column(offset int) int {
	_, names, cell := w.texts(0, w.Len())

	// Two spaces follow the names.
	if offset < names+2 {
		return -1
	}

	return (offset - names - 2) / cell
}

// level draws a single bit: a high or low line, with a slash in the column of a change.
func level(row []bits.Value, cell int) string {
	var b strings.Builder
	for i, v := range row {
		now := "_"
		if v.Bit(0) == 1 {
			now = "‾"
		}

		// A change takes the first character of its column.
		switch {
		case i == 0 || row[i-1].Bit(0) == v.Bit(0):
			b.WriteString(now)
		case v.Bit(0) == 1:
			b.WriteString("/")
		default:
			b.WriteString("\\")
		}

		b.WriteString(strings.Repeat(now, cell-1))
	}
	return b.String()
}

// bus draws the text of a value in the columns where it changes.
func bus(row []string, cell int) string {
	var b strings.Builder
	for i, t := range row {
		// A value is written where it begins, and then left blank.
		if i > 0 && row[i-1] == t {
			b.WriteString(strings.Repeat(" ", cell))
			continue
		}

		b.WriteString("|" + t + strings.Repeat(" ", cell-1-utf8.RuneCountInString(t)))
	}
	return b.String()
}

// show returns a value in the notation of its type.
func show(t ir.Type, v bits.Value) string {
	switch {
	case t.Kind == ir.EnumKind:
		if name := t.Enum.NameOf(v.Uint64()); name != "" {
			return name
		}
	case t.Kind == ir.Float:
		return t.TextOf(v)
	case v.Width() > 32:
		return v.Hex()
	case t.Kind == ir.Fixed:
		return fmt.Sprint(math.Ldexp(float64(v.Int64()), -t.Frac))
	case t.Kind.Signed():
		return fmt.Sprint(v.Int64())
	}
	return v.Dec()
}
