package float

import (
	"etch/ir"
	"etch/ir/bits"
)

// TypeOf is the display type of a format.
func TypeOf(f Format) ir.Type {
	return ir.Type{Kind: ir.Float, Exp: f.Exp, Frac: f.Frac, Top: ir.TopCodes(f.Codes)}
}

// Value is a code in as many bits as the format has.
func Value(f Format, x uint64) bits.Value { return bits.New(f.Width(), x) }
