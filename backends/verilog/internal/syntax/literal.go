package syntax

import (
	"strconv"

	"etch/ir/bits"
)

// Literal prints a sized constant: decimal for small numbers, hexadecimal for others, in
// pieces if it is long.
func (o *Printer) Literal(v bits.Value) {
	w := v.Width()
	switch {
	case w == 1:
		o.Str("1'b")
		o.Num(int(v.Uint64()))
	case w > 256:
		o.pieces(v)
	// All ones in eight bits or more read better in hexadecimal.
	case v.Len() <= 10 && !(w >= 8 && v.IsOnes()):
		o.Num(w)
		o.Str("'d")
		o.Buf = strconv.AppendUint(o.Buf, v.Uint64(), 10)

	default:
		o.Num(w)
		o.Str("'h")
		o.Buf = v.AppendHex(o.Buf)
	}
}

// pieces prints a constant of more than 256 bits as a concatenation, 256 bits a line.
func (o *Printer) pieces(v bits.Value) {
	o.Ch('{')

	// Bits that are all equal are a replication.
	if v.IsZero() || v.IsOnes() {
		o.Num(v.Width())
		if v.IsZero() {
			o.Str("{1'b0}}")
		} else {
			o.Str("{1'b1}}")
		}
		return
	}

	// The top piece may be shorter.
	for hi := v.Width(); hi > 0; {
		n := (hi-1)%256 + 1
		hi -= n
		o.NL()
		o.Indent(6)
		o.Num(n)
		o.Str("'h")
		o.Buf = v.Slice(hi, n).AppendHex(o.Buf)
		if hi > 0 {
			o.Ch(',')
		}
	}

	o.Ch('}')
}

// signedLiteral prints a constant for a signed operation. Verilog literals have no sign:
// -8'sd3 negates one. The least number has no positive counterpart and is cast, as are wide
// constants, whose decimal would be long.
func (o *Printer) signedLiteral(v bits.Value) {
	w := v.Width()
	neg := v.Bit(w-1) == 1
	least := neg && v.SetBit(w-1, 0).IsZero()
	switch {
	case w > 64 || least:
		o.Str("$signed(")
		o.Literal(v)
		o.Ch(')')
		return

	case w == 1: // slang warns of 1'sd0
		o.Str("1'sb0")
		return

	case neg:
		o.Ch('-')
		v = v.Neg()
	}

	o.Num(w)
	o.Str("'sd")
	o.Buf = strconv.AppendUint(o.Buf, v.Uint64(), 10)
}

// table prints a truth table of up to 256 bits with all its digits, a longer one as a
// literal.
func (o *Printer) table(t bits.Value) {
	if t.Width() > 256 {
		o.Literal(t)
		return
	}
	o.Num(t.Width())
	o.Str("'h")

	// AppendHex leaves out leading zeros, which a table shows.
	digits := len(t.Hex())
	for n := (t.Width() + 3) / 4; n > digits; n-- {
		o.Ch('0')
	}
	o.Buf = t.AppendHex(o.Buf)
}

// Vector prints the range of a declaration, nothing for one bit.
func (o *Printer) Vector(w int) {
	if w > 1 {
		o.Str(Range(w))
	}
}

// Range is the text of Vector.
func Range(w int) string {
	if w == 1 {
		return ""
	}
	return "[" + strconv.Itoa(w-1) + ":0] "
}
