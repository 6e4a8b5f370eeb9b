package vcd

import (
	"math/bits"
	"strconv"

	"etch/ir"
	"etch/sim/internal/record"
)

// net is a net of the dump, with one identifier.
type net struct {
	id    string
	width int
	names []names
}

// names is a net as an enumeration: the dump has the name of the net's value.
type names struct {
	enum *ir.Enum
	id   string
}

// encoder is the Writer's implementation of record.Encoder.
type encoder Writer

// Begin writes the header and begins the first values.
func (e *encoder) Begin(root *record.Scope, nets []record.Net, t uint64) error {
	w := (*Writer)(e)
	w.header(root, nets)
	w.printf("#%d\n$dumpvars\n", t)
	return w.err
}

// Time begins the values of time t: #t and a newline. Units are the header's timescale.
func (e *encoder) Time(t uint64) {
	text := append(e.out.AvailableBuffer(), '#')
	(*Writer)(e).write(append(strconv.AppendUint(text, t, 10), '\n'))
}

// Done returns the first error.
func (e *encoder) Done() error { return e.err }

// Change writes a value, and its name where the net is an enumeration. A value without a name is
// written as a number.
func (e *encoder) Change(i int, value []uint64) {
	n := &e.nets[i]

	// One bit is written without a blank in front of the identifier.
	text := e.out.AvailableBuffer()
	if n.width == 1 {
		text = append(text, '0'+byte(value[0]))
	} else {
		text = append(appendBinary(append(text, 'b'), value), ' ')
	}

	text = append(append(text, n.id...), '\n')

	// The text follows the number, at the same time.
	for _, names := range n.names {
		text = append(text, 's')
		if name := names.enum.NameOf(value[0]); name != "" {
			text = append(text, record.Word(name)...)
		} else {
			text = strconv.AppendUint(text, value[0], 10)
		}
		text = append(append(append(text, ' '), names.id...), '\n')
	}
	(*Writer)(e).write(text)
}

// appendBinary appends a number in binary without leading zeros.
func appendBinary(to []byte, words []uint64) []byte {
	top := len(words) - 1
	for top > 0 && words[top] == 0 {
		top--
	}
	return record.AppendDigits(to, words, 64*top+max(1, bits.Len64(words[top])))
}
