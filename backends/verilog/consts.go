package verilog

import (
	"strconv"

	"etch/ir"
	"etch/ir/bits"
)

// literal prints a sized constant: decimal for small numbers, hexadecimal for others, in
// pieces if it is long.
func (p *module) literal(v bits.Value) {
	w := v.Width()
	switch {
	case w == 1:
		p.str("1'b")
		p.num(int(v.Uint64()))
	case w > 256:
		p.pieces(v)
	case v.Len() <= 10 && !(w >= 8 && v.IsOnes()):
		p.num(w)
		p.str("'d")
		p.buf = strconv.AppendUint(p.buf, v.Uint64(), 10)
	default:
		p.num(w)
		p.str("'h")
		p.buf = v.AppendHex(p.buf)
	}
}

// pieces prints a constant of more than 256 bits as a concatenation, 256 bits a line.
func (p *module) pieces(v bits.Value) {
	if v.IsZero() || v.IsOnes() {
		p.ch('{')
		p.num(v.Width())
		if v.IsZero() {
			p.str("{1'b0}}")
		} else {
			p.str("{1'b1}}")
		}
		return
	}

	// The top piece may be shorter.
	p.ch('{')
	for hi := v.Width(); hi > 0; {
		n := (hi-1)%256 + 1
		hi -= n
		p.nl()
		p.indent(6)
		p.num(n)
		p.str("'h")
		p.buf = v.Slice(hi, n).AppendHex(p.buf)
		if hi > 0 {
			p.ch(',')
		}
	}
	p.ch('}')
}

// signedLiteral prints a constant for a signed operation. Verilog literals have no sign:
// -8'sd3 negates one. The least number has no positive counterpart and is cast, as are wide
// constants, whose decimal would be long.
func (p *module) signedLiteral(v bits.Value) {
	w := v.Width()
	neg := v.Bit(w-1) == 1
	switch {
	case w > 64 || neg && v.Equal(mostPositive(w).Not()):
		p.str("$signed(")
		p.literal(v)
		p.ch(')')
		return
	case w == 1: // slang warns of 1'sd0
		p.str("1'sb0")
		return
	case neg:
		p.ch('-')
		v = v.Neg()
	}

	p.num(w)
	p.str("'sd")
	p.buf = strconv.AppendUint(p.buf, v.Uint64(), 10)
}

// constLit prints a constant of type t: the localparam of an enumeration's code, else a
// literal.
func (p *module) constLit(v bits.Value, t ir.TypeID) {
	if name := p.enumName(t, v); name != 0 {
		p.raw(p.table.get(name))
		return
	}
	p.literal(v)
}

// shape prints the sign and range of the declaration of a node.
func (p *module) shape(id ir.ID) {
	if p.isSigned(id) {
		p.str("signed ")
	}
	p.vector(p.m.Width(id))
}

// vector prints the range of a declaration, nothing for one bit.
func (p *module) vector(w int) {
	if w > 1 {
		p.ch('[')
		p.num(w - 1)
		p.str(":0] ")
	}
}
