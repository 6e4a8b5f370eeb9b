package cosim

import (
	"fmt"

	"etch/ir"
)

// layout says where the ports of a top lie in a line of hexadecimal digits. A
// port begins at a digit of its own, the first port on the left, so that a line
// can be read, and an unknown bit spoils no neighbour.
type layout struct {
	clocks []int // ports that are clocks
	ins    row   // the other inputs
	outs   row
	pads   []pad
}

// row is the ports of a line.
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
	to    int // behind the last digit
}

// leastDigits makes every vector wider than 64 bits, so that Verilator's C++ has
// one form for all of them.
const leastDigits = 18

// mostClocks is how many clocks a top may have; the marks of those that rise
// must fit a word.
const mostClocks = 64

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
	l.ins.pad()
	l.outs.pad()
	if len(l.clocks) > mostClocks {
		return l, fmt.Errorf("%s has %d clocks; co-simulation can drive %d", top.Name, len(l.clocks), mostClocks)
	}
	return l, nil
}

func (r *row) add(port int, p ir.Port) {
	n := (p.Width + 3) / 4
	r.fields = append(r.fields, field{port, p.Name, p.Width, r.digits, r.digits + n})
	r.digits += n
}

// pad puts zeros on the left of a line that is too short.
func (r *row) pad() {
	more := max(leastDigits-r.digits, 0)
	for i := range r.fields {
		r.fields[i].from += more
		r.fields[i].to += more
	}
	r.digits += more
}

// bits is the width of the vector that a line is.
func (r *row) bits() int { return 4 * r.digits }

// low is the place of a field's lowest bit in the vector.
func (r *row) low(f field) int { return 4 * (r.digits - f.to) }

const hexDigits = "0123456789abcdef"

// appendWords appends a value of little-endian words as its field.
func (f field) appendWords(dst []byte, words []uint64) []byte {
	for k := f.to - f.from - 1; k >= 0; k-- {
		dst = append(dst, hexDigits[words[k/16]>>(4*uint(k%16))&15])
	}
	return dst
}

// text is a field's value as Verilog writes it.
func (f field) text(line []byte) string {
	return fmt.Sprintf("%d'h%s", f.width, line[f.from:f.to])
}
