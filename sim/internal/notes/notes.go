// Package notes keeps the notes of an engine about its decisions, for its report. It imports
// sim/internal/switches and the standard library.
package notes

import (
	"fmt"
	"slices"

	"etch/sim/internal/switches"
)

// List is decisions, oldest first, with the reason that a candidate lost. Only the first and the
// last ones are kept: those tell how it began, these why it is so.
type List struct {
	list []string
	gone int // dropped in the middle
}

// Numbers of notes kept.
const (
	First = 10
	Last  = 30
)

// Add records a decision of an engine, and prints it if a debug switch asks.
func (n *List) Add(of, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	switches.Note(of, text)
	n.list = append(n.list, text)
	n.shorten()
}

func (n *List) shorten() {
	if k := len(n.list) - First - Last; k > 0 {
		n.list = slices.Delete(n.list, First, First+k)
		n.gone += k
	}
}

// Follow puts earlier notes before those of n.
func (n *List) Follow(before *List) {
	n.list = slices.Concat(before.list, n.list)
	n.gone += before.gone
	n.shorten()
}

// All is a copy of the notes, with a line for the dropped ones.
func (n *List) All() []string {
	if n.gone == 0 {
		return slices.Clone(n.list)
	}
	return slices.Insert(slices.Clone(n.list), First, fmt.Sprintf("(%d more)", n.gone))
}
