package firrtl

import (
	"slices"

	"etch/ir"
	"etch/ir/bits"
)

// tableInputs is the number of inputs up to which a look-up table is a shifted constant.
const tableInputs = 6

// lookUp prints a bit of a table.
func (p *module) lookUp(n ir.ID) {
	if parts := p.parts; len(parts) > 0 {
		p.parts = nil
		p.str(parts[0].name)
		return
	}

	// The table is a constant, and the inputs are the amount of its shift.
	p.str("bits(dshr(")
	p.constant(p.m.TableOf(n), unsigned)
	p.str(", ")
	p.index(p.m.Args(n))
	p.str("), 0, 0)")
}

// index prints inputs as a number, the first as the lowest bit.
func (p *module) index(in []ir.ID) {
	in = slices.Clone(in)
	slices.Reverse(in)
	p.fold("cat", in)
}

// prepareLut prints a large table as small ones behind multiplexers, by Shannon expansion
// over its last inputs. Equal pieces share a node.
func (p *module) prepareLut(n ir.ID) {
	in := p.m.Args(n)
	if len(in) <= tableInputs {
		return
	}

	// The low inputs index all the small tables.
	at := p.helper(n, "index")
	p.index(in[:tableInputs])
	p.end(p.m.Node(n).Pos)
	made := map[string]string{}
	var piece func(table bits.Value, inputs int) string
	// Halves that are equal do not depend on the input.
	piece = func(table bits.Value, inputs int) string {
		if table.IsZero() {
			return "UInt<1>(0h0)"
		}

		if table.IsOnes() {
			return "UInt<1>(0h1)"
		}

		key := table.String()
		if name, ok := made[key]; ok {
			return name
		}

		// A piece of few inputs is a shifted constant, a larger one a multiplexer of its halves.
		name := ""
		if inputs == tableInputs {
			name = p.helper(n, "table")
			p.str("bits(dshr(")
			p.constant(table, unsigned)
			p.str(", " + at + "), 0, 0)")
		} else {
			half := table.Width() / 2
			low, high := table.Slice(0, half), table.Slice(half, half)
			lo := piece(low, inputs-1)
			if low.Equal(high) {
				return lo
			}
			hi := piece(high, inputs-1)
			name = p.helper(n, "tables")
			p.str("mux(")
			p.operand(in[inputs-1], unsigned)
			p.str(", " + hi + ", " + lo + ")")
		}

		p.end(p.m.Node(n).Pos)
		made[key] = name
		return name
	}

	p.parts = []part{{name: piece(p.m.TableOf(n), len(in))}}
}
