package cosim

import (
	"fmt"

	"etch/ir"
)

// layout is the places of the ports of a top in a line of hexadecimal digits. A port begins at a
// digit of its own, the first port on the left, so that a person can read a line, and an unknown
// bit spoils no neighbour.
type layout struct {
	clocks []int // ports that are clocks
	ins    row   // the other inputs
	outs   row
	pads   []pad
}

// row is the ports of one kind of line.
type row struct {
	fields []field
	digits int
}

// field is a port in its line.
type field struct {
	port  int
	name  string
	width int
	from  int // first digit
	to    int // after the last digit
}

// leastDigits makes every vector wider than 64 bits: Verilator's C++ has one type for all of
// these.
const leastDigits = 18

// mostClocks is the largest number of clocks of a top; the set of rising clocks is one word.
const mostClocks = 64

// newLayout places the ports of a top.
func newLayout(top *ir.Module) (layout, error) {
	var l layout
	for i, p := range top.Ports {
		switch {
		case p.Dir == ir.Out && isDriven(top, p.Name): // Verilog cannot tell
		case p.Dir == ir.Out:
			l.outs.add(i, p)
		case top.TypeOf(p.Type).Kind == ir.Clock:
			l.clocks = append(l.clocks, i)
		default:
			l.ins.add(i, p)
		}
	}

	// Both rows become vectors of the one wide type in C++.
	l.ins.pad()
	l.outs.pad()

	if len(l.clocks) > mostClocks {
		return l, fmt.Errorf("%s has %d clocks; co-simulation can drive %d", top.Name, len(l.clocks), mostClocks)
	}
	return l, nil
}

// add appends a port to the row.
func (r *row) add(port int, p ir.Port) {
	n := (p.Width + 3) / 4
	r.fields = append(r.fields, field{port, p.Name, p.Width, r.digits, r.digits + n})
	r.digits += n
}

// pad puts zeros on the left of a short line.
func (r *row) pad() {
	more := max(leastDigits-r.digits, 0)
	for i := range r.fields {
		r.fields[i].from += more
		r.fields[i].to += more
	}
	r.digits += more
}

// bits returns the width of a line as a vector.
func (r *row) bits() int { return 4 * r.digits }

// low returns the place of a field's lowest bit in the vector.
func (r *row) low(f field) int { return 4 * (r.digits - f.to) }

const hexDigits = "0123456789abcdef"

// appendWords appends a value, as little-endian words, in the digits of its field.
func (f field) appendWords(dst []byte, words []uint64) []byte {
	// From the highest digit on; a word has 16.
	for k := f.to - f.from - 1; k >= 0; k-- {
		dst = append(dst, hexDigits[words[k/16]>>(4*uint(k%16))&15])
	}
	return dst
}

// text returns a field's value in Verilog's notation.
func (f field) text(line []byte) string {
	return fmt.Sprintf("%d'h%s", f.width, line[f.from:f.to])
}
